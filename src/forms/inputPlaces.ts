import type { Json, JsonObject } from '../domain/json';
import { isAccepted, type MediaObject } from '../domain/media';
import type { ModeContract, ModelContract } from '../domain/model';
import { getAt, insertAt, setAt } from '../domain/value';
import { formOf, initialInput } from './buildForm';
import type { Field, MediaField, MediaListField } from './fieldTypes';

/** The part of one model's response or of a user's file that can become another model's input. */
export type InputPart =
  | { readonly kind: 'file'; readonly media: MediaObject; readonly contentType: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'strings'; readonly strings: readonly string[] };

interface InputOptions {
  readonly input?: JsonObject;
  readonly isPlace?: (field: Field) => boolean;
}

/**
 * The input of a mode with a part put where it fits best: required fields before optional ones, a field that names the
 * type before one that takes any file.
 *
 * @param input what to put it into; missing: the mode's defaults
 * @param isPlace which fields may take it; missing: all
 * @returns undefined when the mode has no field for it
 */
export function inputWith(
  mode: Pick<ModeContract, 'input'>,
  part: InputPart,
  { input = initialInput(mode.input.schema), isPlace = () => true }: InputOptions = {},
): JsonObject | undefined {
  const fields = leafFields(formOf(mode.input.schema, input, '')).filter(isPlace);
  const ranked = fields
    .map((field) => ({ field, rank: fitOf(field, part) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank);
  const field = ranked[0]?.field;
  return field && (filled(input, field, part) as JsonObject);
}

/**
 * The mode of a model that takes one of these parts, tried in their order, with the part in its input. Modes that index
 * or search come last. Undefined: the model takes none of them.
 */
export function placeIn(
  { modes }: Pick<ModelContract, 'modes'>,
  parts: readonly InputPart[],
): { readonly mode: string; readonly input: JsonObject } | undefined {
  const running = [...modes].sort((a, b) => Number(a.vectorBacked) - Number(b.vectorBacked));
  for (const mode of running)
    for (const part of parts) {
      const input = inputWith(mode, part);
      if (input) return { mode: mode.name, input };
    }
  return undefined;
}

/** How well a field takes a part; 0: not at all. */
function fitOf(field: Field, part: InputPart): number {
  if (field.readOnly) return 0;
  const weight = field.required ? 4 : field.advanced ? 0 : 2;
  switch (part.kind) {
    case 'file':
      if (field.kind !== 'media' && field.kind !== 'mediaList') return 0;
      if (!isAccepted(part.contentType, field.accept, part.media.filename)) return 0;
      return 1 + weight + (field.accept.length > 0 ? 8 : 0);
    case 'text':
      return field.kind === 'text' && field.style !== 'secret' && takesAnyText(field) ? 1 + weight : 0;
    case 'strings':
      return field.kind === 'stringList' && field.options.length === 0 && field.mediaPointer === undefined
        ? 1 + weight
        : 0;
  }
}

/** A date or an address is no place for a text. */
function takesAnyText(field: Field & { kind: 'text' }): boolean {
  return field.format === 'none';
}

function filled(input: Json, field: Field, part: InputPart): Json {
  switch (part.kind) {
    case 'file':
      return withMedia(input, field as MediaField | MediaListField, part.media);
    case 'text':
      return setAt(input, field.pointer, part.text);
    case 'strings':
      return setAt(input, field.pointer, [...part.strings]);
  }
}

function withMedia(input: Json, field: MediaField | MediaListField, media: MediaObject): Json {
  const value: JsonObject = { ...media };
  if (field.kind === 'media') return setAt(input, field.pointer, value);
  const withFile = setAt(input, field.pointer, [value]);
  if (field.idsPointer === undefined) return withFile;
  const empty =
    getAt(withFile, field.idsPointer) === undefined ? withFile : setAt(withFile, field.idsPointer, []);
  return insertAt(empty, field.idsPointer, media.filename ?? 'item-1');
}

/** The fields that hold values, in the order of the form. Values in lists and maps have no place of their own. */
export function leafFields(field: Field): Field[] {
  if (field.kind === 'object') return field.children().flatMap(leafFields);
  if (field.kind !== 'choice') return [field];
  const content = field.content();
  return content ? leafFields(content) : [];
}
