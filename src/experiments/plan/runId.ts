import { hash } from 'node:crypto';
import type { Json } from '../../domain/json';
import { isLocalRef, isMediaObject } from '../../domain/media';
import type { RunRequest } from '../../domain/run';
import { isObject } from '../../domain/value';
import type { ExperimentItem } from '../file/items';

/**
 * SHA-256 of a request, in hex, with each local file replaced by the hash of its content: the same on every machine,
 * for any references of the service to its uploads.
 * @param hashes SHA-256 by the URI in the request
 */
export function requestHash(request: RunRequest, hashes: ReadonlyMap<string, string>): string {
  return hash('sha256', canonical(request as unknown as Json, hashes));
}

/**
 * SHA-256 of an input, in hex: of the values in its file (text of a CSV is text), local files by content. It is the
 * same on every machine, at any place of the input, and for any model.
 */
export function itemSha256(item: Pick<ExperimentItem, 'values' | 'files'>): string {
  const known = identities.get(item);
  if (known !== undefined) return known;
  const hashes = new Map(item.files.map(({ uri, sha256 }) => [uri, sha256]));
  const identity = hash('sha256', canonical(item.values, hashes));
  identities.set(item, identity);
  return identity;
}

/** Order, sample, plan and table each ask for the identity of every input. */
const identities = new WeakMap<object, string>();

/** The part of a request's hash that IDs have: a text of its own, since a slice holds all of the hash in memory. */
export function idPart(requestSha256: string): string {
  return requestSha256.slice(0, 24).split('').join('');
}

/** The ID of a run: its request, and which repeat of it (from 0); joined, since a template holds its parts in memory. */
export function customId(requestSha256: string, repeat: number): string {
  return [requestSha256.slice(0, 24), repeat].join('-');
}

/** The ID of another repeat of a run. */
export function customIdOf(id: string, repeat: number): string {
  return customId(id.replace(/-\d+$/, ''), repeat);
}

/** The ID of a judge's run: its request, which has the judged result in it. */
export function judgeId(requestSha256: string): string {
  return `${requestSha256.slice(0, 24)}${OF_JUDGE}`;
}

/** Whether a line of results is of a judge's run, also one that only says that it was sent. */
export function isJudgeId(id: string): boolean {
  return id.endsWith(OF_JUDGE);
}

const OF_JUDGE = '-judge';

/** JSON with sorted names (as RFC 8785), files by content. */
function canonical(value: Json, hashes: ReadonlyMap<string, string>): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, hashes)).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const content =
    isMediaObject(value) && isLocalRef(value.media_ref) ? hashes.get(value.media_ref) : undefined;
  if (content !== undefined) return `{"sha256":${JSON.stringify(content)}}`;
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name]!, hashes)}`);
  return `{${members.join(',')}}`;
}

/** A part of an experiment's runs, or of the files to index: the `number`th of `of`. */
export interface Shard {
  readonly number: number;
  readonly of: number;
}

/** Whether a run belongs to a shard: by its id, so that shards stay the same when values are added. */
export function isInShard(id: string, shard: Shard): boolean {
  return Number.parseInt(id.slice(0, 8), 16) % shard.of === shard.number - 1;
}
