import type { Json } from '../domain/json';
import { isMediaObject, mediaName } from '../domain/media';

/** Members of a long input that are looked at: more is cut off again. */
const MOST_WORDS = 20;

/**
 * The beginning of a run's input as people know it: its values without their names, a file by its name.
 *
 * @param length most characters, without the sign that more follows
 */
export function inputText(input: Json, length: number): string {
  const words: string[] = [];
  collect(input, words, length);
  const text = words.join(' · ').replaceAll(/\s+/g, ' ').trim();
  return text.length > length ? `${text.slice(0, length).trimEnd()}…` : text;
}

function collect(value: Json, words: string[], length: number): void {
  if (words.length > MOST_WORDS || value === null) return;
  if (isMediaObject(value)) words.push(mediaName(value));
  else if (typeof value === 'object')
    for (const each of Object.values(value)) collect(each as Json, words, length);
  else words.push(shortText(String(value)).slice(0, length + 1));
}

/** Of a file in a data URI, its type. */
function shortText(text: string): string {
  return /^data:([^;,]+)/i.exec(text)?.[1] ?? text;
}
