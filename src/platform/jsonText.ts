import { format, parseTree } from 'jsonc-parser';
import { bodyJson } from '../intake/bodyContent';
import { bodyText } from '../intake/bodyText';
import { nodeAt } from '../runFiles/text';

/** Longer JSON stays on one line: indentation can make it hundreds of times as long. */
const MOST_LAID_OUT = 2 ** 20;

export function jsonText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.length > MOST_LAID_OUT ? text : JSON.stringify(value, null, 2);
}

/** A value as JSON, and from where to where in it the value at a pointer is: at 0 if it leads nowhere, or the JSON is long. */
export function jsonTextAt(value: unknown, at: string) {
  const text = jsonText(value);
  const { offset = 0, length = 0 } =
    nodeAt(text.length > MOST_LAID_OUT ? undefined : parseTree(text), at) ?? {};
  return { text, from: offset, to: offset + length };
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
