import type { Json } from '../../domain/json';
import { isMediaObject, type MediaObject } from '../../domain/media';
import type { RunRecord } from '../../domain/runRecord';
import { sameJson } from '../../domain/value';

/** A place of two requests: in JSON Pointer's parts, with the values of both runs there; undefined: missing there. */
export interface RequestPlace {
  readonly path: readonly string[];
  readonly left: Json | undefined;
  readonly right: Json | undefined;
  readonly same: boolean;
}

type Side = Pick<RunRecord, 'draft' | 'attachments'>;

/**
 * Where two requests have something, those places that differ first: model, mode, scope, and every value of input,
 * parameters and options. A media object is one value; the same content under another reference is the same.
 */
export function requestPlaces(left: Side, right: Side): RequestPlace[] {
  const [ours, theirs] = [requestValues(left.draft), requestValues(right.draft)];
  const keys = new Set([...ours.keys(), ...theirs.keys()]);
  const places = [...keys].map((key): RequestPlace => {
    const [a, b] = [ours.get(key), theirs.get(key)];
    const same = sameJson(a?.value, b?.value) || isSameMedia(a?.value, b?.value, left, right);
    return { path: (a ?? b)!.path, left: a?.value, right: b?.value, same };
  });
  return [...places.filter(({ same }) => !same), ...places.filter(({ same }) => same)];
}

interface Value {
  readonly path: readonly string[];
  readonly value: Json;
}

/** A path as its last name and the path before it: a copy at every level of deep JSON would be quadratic. */
interface Step {
  readonly name: string;
  readonly before?: Step;
}

function requestValues(draft: RunRecord['draft']): Map<string, Value> {
  const { model, mode, scope, input, params, options } = draft;
  const values = new Map<string, Value>();
  const add = (step: Step, value: Json) => {
    const path = stepPath(step);
    values.set(JSON.stringify(path), { path, value });
  };
  add({ name: 'model' }, model);
  add({ name: 'mode' }, mode);
  if (scope !== undefined) add({ name: 'scope' }, scope);
  const waiting: { readonly step: Step; readonly value: Json }[] = [
    { step: { name: 'options' }, value: options ?? {} },
    { step: { name: 'params' }, value: params },
    { step: { name: 'input' }, value: input },
  ];
  // An explicit stack: deep JSON would overflow recursion.
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { step, value } = next;
    const members = isWhole(value) ? [] : Object.entries(value as { readonly [name: string]: Json });
    // Without members a whole part of the request says nothing.
    if (members.length === 0 && step.before) add(step, value);
    for (const [name, member] of members.reverse())
      waiting.push({ step: { name, before: step }, value: member });
  }
  return values;
}

function stepPath(last: Step): string[] {
  const path: string[] = [];
  for (let step: Step | undefined = last; step; step = step.before) path.push(step.name);
  return path.reverse();
}

/** A scalar, a media object, or a list of scalars. */
function isWhole(value: Json): boolean {
  if (typeof value !== 'object' || value === null || isMediaObject(value)) return true;
  return Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null);
}

function isSameMedia(a: Json | undefined, b: Json | undefined, left: Side, right: Side): boolean {
  if (!isMediaObject(a) || !isMediaObject(b)) return false;
  const [ours, theirs] = [mediaContent(a, left), mediaContent(b, right)];
  return ours !== undefined && ours === theirs;
}

function mediaContent(media: MediaObject, side: Side): string | undefined {
  return sideAttachment(media, side)?.sha256;
}

/** The user's file of a media object in a run. */
export function sideAttachment(
  { media_ref }: MediaObject,
  { attachments }: Pick<RunRecord, 'attachments'>,
): RunRecord['attachments'][number] | undefined {
  return attachments.find(({ uri, mediaRef }) => uri === media_ref || mediaRef === media_ref);
}
