import type { Json, JsonObject } from '../domain/json';
import { isMediaObject } from '../domain/media';
import type { ModeContract } from '../domain/model';
import { sameJson, setAt } from '../domain/value';
import { formOf, initialInput } from './buildForm';
import type { Field } from './fieldTypes';
import { type InputPart, inputWith, leafFields } from './inputPlaces';
import { validateValue } from './validate';

type Input = Pick<ModeContract, 'input'>;

/**
 * The input of another mode of a model, with the values that were entered for this one: first those for which it has a
 * field of the same name and kind, then files and texts in the field that fits best. Each value has one place.
 */
export function carriedInput(from: Input, entered: JsonObject, to: Input): JsonObject {
  const start = initialInput(to.input.schema);
  const before = initialInput(from.input.schema);
  const values = leafFields(formOf(from.input.schema, entered)).filter(
    ({ pointer, value }) => hasContent(value) && !isDefault(from, before, pointer, value),
  );
  const places = new Map(leafFields(formOf(to.input.schema, start)).map((field) => [field.pointer, field]));
  const free = new Set(places.keys());
  let input = start;
  const left: Field[] = [];
  for (const field of values) {
    const named = places.get(field.pointer)?.kind === field.kind;
    const next = named ? (setAt(input, field.pointer, field.value!) as JsonObject) : undefined;
    if (!next || !isAsValid(to, next, input)) left.push(field);
    else {
      input = next;
      free.delete(field.pointer);
    }
  }
  for (const field of left)
    for (const part of inputParts(field)) {
      const isPlace = ({ pointer, value }: Field) => free.has(pointer) && !hasContent(value);
      const next = inputWith(to, part, { input, isPlace });
      if (!next || !isAsValid(to, next, input)) continue;
      input = next;
      break;
    }
  return input;
}

function hasContent(value: Json | undefined): boolean {
  return (
    value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
  );
}

function isDefault(mode: Input, initial: JsonObject, pointer: string, value: Json | undefined): boolean {
  const field = leafFields(formOf(mode.input.schema, initial)).find((one) => one.pointer === pointer);
  return field !== undefined && sameJson(field.value, value);
}

/** Whether an input has as few problems as another one, or fewer. */
function isAsValid(mode: Input, input: JsonObject, than: JsonObject): boolean {
  const problems = (value: JsonObject) => validateValue(mode.input.schema, value).issues.length;
  return problems(input) <= problems(than);
}

/** A value as a part of an input, in the ways in which a field may take it. */
function inputParts(field: Field): InputPart[] {
  const { value } = field;
  if (field.kind === 'text' && typeof value === 'string') return [{ kind: 'text', text: value }];
  if (field.kind !== 'media' && field.kind !== 'mediaList') return [];
  const [media] = (Array.isArray(value) ? value : [value]).filter((one) => isMediaObject(one));
  // The file fits its own field: its type is one of those.
  return media === undefined
    ? []
    : (field.accept.length === 0 ? [''] : field.accept).map((contentType) => ({
        kind: 'file' as const,
        media,
        contentType,
      }));
}
