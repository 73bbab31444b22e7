import { createHash } from 'node:crypto';
import { contentTypeOfBytes } from '../domain/fileSignatures';
import type { Json } from '../domain/json';
import { isObject } from '../domain/value';
import { mediaOf } from '../results/media';
import { inlineMedia } from '../runs/inlineMedia';

/** A result without the picture, sound or film in it, and that as a file. */
export interface SplitResult {
  /** What stands in place of the file is `contentMark`. */
  readonly rest: Json;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** Stands in a result for the content of its file: the same for the same content, so that results can be compared. */
export function contentMark(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Takes the largest inline medium out of a result; undefined when there is none. */
export function splitResult(output: Json): SplitResult | undefined {
  const text = largestMedium(output);
  if (text === undefined) return undefined;
  const { bytes, told } = inlineMedia(text);
  const contentType = told ?? contentTypeOfBytes(bytes.subarray(0, 32));
  if (bytes.length === 0 || contentType === undefined) return undefined;
  return { rest: replaced(output, text, contentMark(bytes)), contentType, bytes };
}

/** A result with the content of its file where its mark stands. */
export function joinedResult(rest: Json, contentType: string, bytes: Uint8Array): Json {
  const content = `data:${contentType};base64,${Buffer.from(bytes).toString('base64')}`;
  return replaced(rest, contentMark(bytes), content);
}

const MEDIA = new Set(['image', 'audio', 'video']);

function largestMedium(output: Json): string | undefined {
  let largest: string | undefined;
  for (const text of stringsIn(output)) {
    const found = text.length > (largest?.length ?? 0) ? mediaOf(text, '') : undefined;
    if (found?.from === 'inline' && MEDIA.has(found.medium)) largest = text;
  }
  return largest;
}

/** Explicit stack: deep JSON would overflow recursion. */
function* stringsIn(output: Json): Iterable<string> {
  const left: Json[] = [output];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value === 'string') yield value;
    else if (Array.isArray(value) || isObject(value))
      for (const member of Object.values(value)) left.push(member);
  }
}

/** A copy with every string that is `from` as `to`. */
function replaced(value: Json, from: string, to: string): Json {
  return JSON.parse(JSON.stringify(value), (_, member: Json) => (member === from ? to : member)) as Json;
}
