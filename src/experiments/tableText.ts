import type { Json } from '../domain/json';
import type { ModelContract } from '../domain/model';
import { modeOf } from '../domain/model';
import type { RunDraft } from '../domain/run';
import { getAt, isObject, setAt } from '../domain/value';
import { validateValue } from '../forms/validate';

/** The ways to read the text of a table. What cannot be read so stays text. */
const READINGS: Readonly<Record<'text' | 'number' | 'boolean' | 'json', (value: Json) => Json>> = {
  text: (value) => value,
  number: (value) => numberIn(value) ?? value,
  boolean: (value) => BOOLEANS.get(String(value).trim().toLowerCase()) ?? value,
  json: (value) => jsonIn(value) ?? value,
};

/**
 * How the text of a table becomes what a field takes. The field is asked by trying values: text where it takes text,
 * otherwise numbers, booleans or JSON. What cannot be read so stays text, and is a problem of its row.
 */
export function readerFor(contract: ModelContract, draft: RunDraft, pointer: string): (value: Json) => Json {
  const takes = (value: Json): boolean => {
    const changed = setAt(draft as unknown as Json, pointer, value);
    const mode = modeOf(contract, draft.mode);
    const part = pointer.startsWith('/params') ? 'params' : 'input';
    const shape = mode?.[part];
    const body = getAt(changed, `/${part}`);
    if (!shape || body === undefined) return true;
    return validateValue(shape.schema, body, `/${part}`).issues.every((issue) => issue.pointer !== pointer);
  };
  if (takes('a text')) return READINGS.text;
  if (takes(1) || takes(0.5)) return READINGS.number;
  if (takes(true)) return READINGS.boolean;
  return takes([]) || takes({}) ? READINGS.json : READINGS.text;
}

/** What some contract may read in a text of a table: the text itself first, each value once. */
export function possibleValues(text: Json): readonly Json[] {
  const values = Object.values(READINGS).map((read) => read(text));
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

const BOOLEANS = new Map([
  ...['true', 'yes', '1'].map((text) => [text, true] as const),
  ...['false', 'no', '0'].map((text) => [text, false] as const),
]);

function numberIn(value: Json): number | undefined {
  const text = String(value).trim();
  const number = Number(text);
  return text !== '' && Number.isFinite(number) ? number : undefined;
}

function jsonIn(value: Json): Json | undefined {
  try {
    const read = JSON.parse(String(value)) as Json;
    return isObject(read) || Array.isArray(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
