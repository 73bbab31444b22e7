import { createHash } from 'node:crypto';
import type { Json } from '../../domain/json';
import { addAll } from '../../domain/many';
import { isObject } from '../../domain/value';
import { resultMedia } from '../../results/media';
import { inlineMedia } from '../../runs/inlineMedia';

export interface ResultMedium {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** Marks the place of a file's content in a result: the same for the same content, so that results can be compared. */
export function contentMark(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Whether a value is such a mark: it says nothing to people, and is no text to judge. */
export function isContentMark(value: Json): boolean {
  return typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value);
}

/** More media of one result stay in its JSON. */
const MOST_MEDIA = 64;

/**
 * Takes the inline media out of a result, each content once, and leaves its `contentMark` in its place; undefined when
 * there are none.
 */
export function splitResult(output: Json) {
  const media = new Map<string, ResultMedium>();
  const marks = new Map<string, string>();
  for (const text of stringsIn(output)) {
    if (marks.has(text) || media.size >= MOST_MEDIA) continue;
    const medium = mediumIn(text);
    if (!medium) continue;
    const mark = contentMark(medium.bytes);
    marks.set(text, mark);
    if (!media.has(mark)) media.set(mark, medium);
  }
  if (media.size === 0) return undefined;
  return { rest: replaced(output, (text) => marks.get(text)), media: [...media.values()] };
}

/** A result with the content of its file in place of its mark. */
export function joinedResult(rest: Json, contentType: string, bytes: Uint8Array): Json {
  const content = `data:${contentType};base64,${Buffer.from(bytes).toString('base64')}`;
  const mark = contentMark(bytes);
  return replaced(rest, (text) => (text === mark ? content : undefined));
}

function mediumIn(text: string): ResultMedium | undefined {
  const media = resultMedia(text, '');
  if (media?.from !== 'inline' || media.contentType === undefined) return undefined;
  const { contentType } = media;
  // Text is read where it is.
  if (/^text\/|\/json$/.test(contentType)) return undefined;
  const { bytes } = inlineMedia(text);
  return bytes.length === 0 ? undefined : { contentType, bytes };
}

/** Explicit stack: deep JSON would overflow recursion. */
function* stringsIn(output: Json): Iterable<string> {
  const left: Json[] = [output];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value === 'string') yield value;
    else if (Array.isArray(value) || isObject(value)) addAll(left, Object.values(value).reverse());
  }
}

/** A copy with strings replaced, where the function returns another. */
export function replaced(value: Json, other: (text: string) => string | undefined): Json {
  return JSON.parse(JSON.stringify(value), (_, member: Json) =>
    typeof member === 'string' ? (other(member) ?? member) : member,
  ) as Json;
}
