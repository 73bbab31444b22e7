import * as l10n from '@vscode/l10n';
import type { Json, JsonObject, JsonSchema } from '../domain/json';
import { isMediaObject } from '../domain/media';
import { isObject } from '../domain/value';
import { choiceField, choiceVariants } from './fields/choice';
import { definedMembers, type FieldContext, type FieldPlace, shownText } from './fields/context';
import { arrayField } from './fields/lists';
import { mediaField, mediaMark } from './fields/media';
import { objectField } from './fields/objects';
import { enumField, enumOptions, numberField, textField } from './fields/scalars';
import type { Field, FieldBase, FormState } from './fieldTypes';
import { initialObject, initialValue, parsedAs, schemaDefault } from './initialValue';
import { compileSchema } from './schema/compile';
import { type Flat, flatten, formType } from './schema/flatten';
import { type CompiledSchema, nodeTypes, type Schema, type SchemaNode } from './schema/node';

/**
 * The form for a value under a schema of any draft: every property of the schema and every member of the value is
 * reachable from the returned field. Never throws; a part without a control is a `json` field.
 *
 * @param pointer the value's place in the run request ("/input"); pointers of fields start with it
 */
export function formOf(
  schema: JsonSchema,
  value: Json | undefined,
  pointer = '',
  state: FormState = {},
): Field {
  const compiled = compileSchema(schema);
  compiled.work.renew();
  const place: FieldPlace = { pointer, key: '', required: true, depth: 0 };
  return build(compiled, state, compiled.root, value, place);
}

/** `input` or `params` before the user sets anything: the required members with a value in the schema. */
export function initialInput(schema: JsonSchema): JsonObject {
  const compiled = compileSchema(schema);
  compiled.work.renew();
  return initialObject(compiled, compiled.root);
}

function build(
  compiled: CompiledSchema,
  state: FormState,
  schema: Schema,
  value: Json | undefined,
  place: FieldPlace,
): Field {
  const kept = keptField(compiled, state, schema, value, place);
  if (kept) return kept;
  const field = make(compiled, state, schema, value, place);
  const folded = place.late && field.kind !== 'media' && field.kind !== 'mediaList';
  return keep(compiled, state, schema, place, folded ? { ...field, advanced: true } : field);
}

function make(
  compiled: CompiledSchema,
  state: FormState,
  schema: Schema,
  value: Json | undefined,
  place: FieldPlace,
): Field {
  const flat = flatten(compiled, schema, value);
  const initial = () => initialValue(compiled, schema);
  const base: FieldBase = { ...baseOf(schema, flat, value, place), initial };
  const context: FieldContext = {
    compiled,
    state,
    flat,
    base,
    place,
    build: (inner, innerValue, innerPlace) => build(compiled, state, inner, innerValue, innerPlace),
  };
  const field = flat.never ? undefined : fieldFor(context);
  if (field && fits(field)) return field;
  return { ...base, kind: 'json', reason: field ? 'misfit' : 'open' };
}

function baseOf(
  schema: Schema,
  { node, nullable }: Flat,
  value: Json | undefined,
  place: FieldPlace,
): Omit<FieldBase, 'initial'> {
  const type = formType(node);
  const preset = schemaDefault(node);
  const examples = Array.isArray(node.examples) ? (node.examples as Json[]) : [];
  const fold =
    node['x-advanced'] === true ||
    node.advanced === true ||
    /advanced/i.test(String(node['x-group'] ?? node.group));
  return {
    pointer: place.pointer,
    key: place.key,
    label: labelOf(place, fieldTitle(schema, node)),
    value,
    required: place.required,
    nullable,
    deprecated: node.deprecated === true,
    readOnly: node.readOnly === true,
    examples: examples.map((example) => parsedAs(type, example)).filter((example) => example !== null),
    advanced: !place.required && (fold || node.deprecated === true),
    extra: place.extra === true,
    ...definedMembers({
      description: helpText(node.description),
      // A default of null (sometimes written as text) means no default.
      default: preset === null || (nullable && preset === 'null') ? undefined : preset,
    }),
  };
}

function labelOf({ label, key, item, depth }: FieldPlace, title: string | undefined): string {
  if (label !== undefined) return label;
  // JSON allows an empty name, which needs a label.
  if (!item) return title ?? (key === '' && depth > 0 ? l10n.t('(empty name)') : key);
  if (title === undefined) return l10n.t('Item {0}', item.number);
  return item.one ? title : `${title} ${item.number}`;
}

/** Placeholder texts of schema generators. */
const NO_HELP =
  /^(an enumeration|(no|missing) description( provided| available)?|todo|n\/a|none|null|undefined|-)\.?$/i;

function helpText(description: unknown): string | undefined {
  const text = shownText(description);
  return text !== undefined && NO_HELP.test(text.trim()) ? undefined : text;
}

/** The field's title: that of a referenced type ("TextGenerationParameters") names the type and is left out. */
function fieldTitle(schema: Schema, node: SchemaNode): string | undefined {
  const title = shownText(node.title);
  const own = isObject(schema) && schema.title === node.title;
  return title !== undefined && !own && /^[A-Z][a-z0-9]+[A-Z][A-Za-z0-9]*$/.test(title) ? undefined : title;
}

function fieldFor(context: FieldContext): Field | undefined {
  const { node } = context.flat;
  const mark = mediaMark(node);
  if (mark) return mediaField(context, mark);
  if ('const' in node) return { ...context.base, kind: 'const', constant: node.const as Json };
  if (Array.isArray(node.enum) && node.enum.length > 0) return enumField(context, enumOptions(node));
  const choice = choiceVariants(node);
  if (choice) return choiceField(context, choice.variants, choice.rest);
  const types = nodeTypes(node);
  const type = formType(node);
  if (type === undefined && types.length > 1) {
    const { type: _type, ...rest } = node;
    return choiceField(context, typeVariants(types), rest);
  }
  return BY_TYPE.get(type)?.(context);
}

const BY_TYPE = new Map<string | undefined, (context: FieldContext) => Field>([
  ['string', (context) => textField(context)],
  ['integer', (context) => numberField(context, true)],
  ['number', (context) => numberField(context, false)],
  ['boolean', ({ base }) => ({ ...base, kind: 'boolean' })],
  ['array', arrayField],
  ['object', objectField],
]);

const variantsByTypes = new Map<string, readonly Schema[]>();

/** `type: ["string", "number"]` as variants; the same objects each time, so that caches keyed by schema hit. */
function typeVariants(types: readonly string[]): readonly Schema[] {
  const key = types.join();
  const variants = variantsByTypes.get(key) ?? types.map((type): Schema => ({ type }));
  variantsByTypes.set(key, variants);
  return variants;
}

/** Whether the control can show the value unchanged; otherwise the form shows JSON, so no part of the value is lost. */
function fits(field: Field): boolean {
  const { value } = field;
  if (value === undefined || (value === null && field.nullable)) return true;
  return VALUES[field.kind](value);
}

const anything = () => true;
/** The values that each control can show. */
const VALUES: Readonly<Record<Field['kind'], (value: Json) => boolean>> = {
  text: (value) => typeof value === 'string',
  // Text that is not a number yet stays in the field, and the validator reports it.
  number: (value) => typeof value === 'number' || typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  enum: anything,
  const: anything,
  choice: anything,
  json: anything,
  media: (value) => typeof value === 'string' || isMediaObject(value),
  mediaList: Array.isArray,
  stringList: Array.isArray,
  array: Array.isArray,
  tuple: Array.isArray,
  object: isObject,
  map: isObject,
};

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
function keptField(
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
function keep(
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
