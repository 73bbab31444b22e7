import { type Json, tryParseJson } from '../../domain/json';
import { sameJson } from '../../domain/value';

/** A value as people type it in one line: text is text, unless it has lines or quotes around it. */
export function oneValueText(value: Json): string {
  const isPlain = typeof value === 'string' && !/[\r\n]|^\s*"/.test(value);
  return isPlain ? value : JSON.stringify(value);
}

/** The value of a typed text, of the kind of another one. */
export function oneValue(typed: string, like: Json): Json {
  const json = tryParseJson(typed);
  if (typeof like === 'string') return typeof json === 'string' ? json : typed;
  return json === undefined ? typed : json;
}

/** The values with one more; undefined where it is one of them. */
export function withValue(values: readonly Json[], value: Json): Json[] | undefined {
  return values.some((one) => sameJson(one, value)) ? undefined : [...values, value];
}
