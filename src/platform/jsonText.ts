import { format } from 'jsonc-parser';
import { segmentsOf } from '../domain/pointer';
import { bodyJson } from '../intake/bodyContent';
import { bodyText } from '../intake/bodyText';

/** Longer JSON stays on one line: indentation can make it hundreds of times as long. */
const MOST_LAID_OUT = 2 ** 20;

export function jsonText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.length > MOST_LAID_OUT ? text : JSON.stringify(value, null, 2);
}

/** A value as JSON, and from where to where in it the value at a pointer is; one that leads nowhere is at 0. */
export function jsonTextAt(value: unknown, at: string) {
  const text = jsonText(value);
  const marked = jsonText(replaced(value, segmentsOf(at), MARK));
  const from = marked.indexOf(MARKED);
  if (from < 0) return { text, from: 0, to: 0 };
  return { text, from, to: text.length - (marked.length - from - MARKED.length) };
}

/** Real JSON does not contain it. */
const MARK = '\u{10ffff}place\u{10ffff}';
const MARKED = JSON.stringify(MARK);

/** A copy in which another value has the place of a pointer; the containers on the way are copied, and no others. */
function replaced(value: unknown, [segment, ...rest]: readonly string[], other: unknown): unknown {
  if (segment === undefined) return other;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return value;
  const member = replaced((value as Record<string, unknown>)[segment], rest, other);
  if (Array.isArray(value)) return value.with(Number(segment), member);
  return Object.fromEntries(
    Object.entries(value).map((entry) => (entry[0] === segment ? [segment, member] : entry)),
  );
}

/** A value for people: a text unchanged, anything else as JSON. */
export function readableText(value: unknown): string {
  return typeof value === 'string' ? value : jsonText(value);
}

/** A body for reading: JSON laid out over lines and otherwise untouched, anything else unchanged. */
export function readableBody(
  bytes: Uint8Array,
  contentType: string,
): { readonly text: string; readonly isJson: boolean } {
  const text = bodyText(bytes, contentType);
  const isJson = bodyJson(bytes, contentType) !== undefined;
  return { text: isJson ? formattedJson(text) : text, isJson };
}

/** JSON with a line for each value. Only white space changes: parsing and writing would change numbers and drop repeated names. */
export function formattedJson(json: string): string {
  if (json.length > MOST_LAID_OUT) return json;
  let text = '';
  let end = 0;
  // Its own way to apply edits copies the whole text for each of them.
  for (const { offset, length, content } of format(json, undefined, { insertSpaces: true, tabSize: 2 })) {
    text += json.slice(end, offset) + content;
    end = offset + length;
  }
  return text + json.slice(end);
}
