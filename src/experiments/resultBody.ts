import { createHash } from 'node:crypto';
import mime from 'mime';
import { contentTypeOfBytes } from '../domain/fileSignatures';
import type { Json } from '../domain/json';
import type { RunResponse } from '../service/client';
import { contentMark, splitResult } from './resultMedia';
import { skeletonOf } from './resultSkeleton';

/** A longer result has a file of its own, with its short parts in the line: lines stay readable, and git shows what changed. */
const LONGEST_RESULT = 16_000;

/**
 * A result as it is kept: in its line, in a file beside it, or in both: a picture is a file, and in the line stands the
 * rest with `contentMark` in its place.
 */
export interface KeptResult {
  readonly result?: Json;
  /** Long parts that are in the body only: see `Skeleton`. */
  readonly without?: readonly string[];
  /** Of the body, where the line does not have all of the result. */
  readonly sha256?: string;
  readonly body?: { readonly extension: string; readonly bytes: Uint8Array };
}

/** What is kept of a response: what Preview shows. Undefined: there is no result. */
export function keptResult({ output, raw }: Pick<RunResponse, 'output' | 'raw'>): KeptResult | undefined {
  if (output === undefined) return undefined;
  // Media and other bytes: they are no JSON.
  if (output === null && raw.json === undefined && raw.bytes.length > 0)
    return { result: contentMark(raw.bytes), body: { extension: extensionOf(raw), bytes: raw.bytes } };
  const split = splitResult(output as Json);
  if (split && JSON.stringify(split.rest).length <= LONGEST_RESULT)
    return { result: split.rest, body: { extension: extensionOf(split), bytes: split.bytes } };
  const text = JSON.stringify(output);
  if (text.length <= LONGEST_RESULT) return { result: output as Json };
  const isText = typeof output === 'string';
  const bytes = new TextEncoder().encode(isText ? output : text);
  const skeleton = skeletonOf(split?.rest ?? (output as Json), LONGEST_RESULT);
  return {
    ...(skeleton && { result: skeleton.rest, without: skeleton.without }),
    sha256: createHash('sha256').update(bytes).digest('hex'),
    body: { extension: isText ? 'txt' : 'json', bytes },
  };
}

function extensionOf({ bytes, contentType }: Pick<RunResponse['raw'], 'bytes' | 'contentType'>): string {
  const type = contentTypeOfBytes(bytes.subarray(0, 32)) ?? contentType.split(';', 1)[0]!.trim();
  return mime.getExtension(type) ?? 'bin';
}

/**
 * The name of a result's file, relative to the results file, with `/`: that of its input, and the id that tells it from
 * others. Names come from anywhere: only what every file system takes is left.
 * @param folder name of the folder of such files
 */
export function bodyName(folder: string, item: string, customId: string, extension: string): string {
  const [name = ''] = (item.split('/').at(-1) ?? '').split(/\.[^.]*$/);
  const plain = name
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}_-]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  return `${folder}/${[...(plain === '' ? [] : [plain]), customId].join('-')}.${extension}`;
}
