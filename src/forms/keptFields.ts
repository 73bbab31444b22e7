import type { Json } from '../domain/json';
import { isObject } from '../domain/value';
import type { FieldPlace } from './fields/context';
import type { Field, FormState } from './fieldTypes';
import type { CompiledSchema, Schema } from './schema/node';

/** Of one schema: a list may have as many items. */
const MOST_KEPT = 20_000;

interface Kept {
  readonly place: FieldPlace;
  readonly choices: FormState['choices'];
  readonly field: Field;
}

/** By schema, and then by pointer: a variant has the same pointer as its choice. */
const kept = new WeakMap<CompiledSchema, WeakMap<object, Map<string, Kept>>>();

/**
 * The field that was made at this place before, with the fields inside it, if it is unchanged: a keystroke replaces
 * one of hundreds. Values are never changed in place, so that the same object is the same value.
 */
export function keptField(
  compiled: CompiledSchema,
  { choices }: FormState,
  schema: Schema,
  value: Json | undefined,
  place: FieldPlace,
): Field | undefined {
  const before = isObject(schema) ? kept.get(compiled)?.get(schema)?.get(place.pointer) : undefined;
  const isSame =
    before !== undefined &&
    before.field.value === value &&
    before.choices === choices &&
    isSamePlace(before.place, place);
  return isSame ? before.field : undefined;
}

/** Keeps a field and returns it. */
export function keep(
  compiled: CompiledSchema,
  { choices }: FormState,
  schema: Schema,
  place: FieldPlace,
  field: Field,
): Field {
  if (!isObject(schema)) return field;
  const ofSchemas = kept.get(compiled) ?? new WeakMap<object, Map<string, Kept>>();
  kept.set(compiled, ofSchemas);
  let fields = ofSchemas.get(schema);
  if (!fields || fields.size > MOST_KEPT) {
    fields = new Map();
    ofSchemas.set(schema, fields);
  }
  fields.set(place.pointer, { place, choices, field });
  return field;
}

function isSamePlace(a: FieldPlace, b: FieldPlace): boolean {
  return (
    a.label === b.label &&
    a.required === b.required &&
    a.extra === b.extra &&
    a.late === b.late &&
    a.depth === b.depth &&
    a.idsPointer === b.idsPointer &&
    a.mediaPointer === b.mediaPointer &&
    a.item?.one === b.item?.one
  );
}
