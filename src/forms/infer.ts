import type { Json, JsonSchema } from '../domain/json';
import { isMediaObject } from '../domain/media';
import type { Shape } from '../domain/model';
import { isNode, type SchemaNode, strings } from './schema/node';
import { knownTypes } from './schema/spellings';

/**
 * Shapes for contracts that carry no JSON Schema. Each takes anything and gives undefined when it does not recognise
 * it, so that a reader can try one after the other: `shapeFromFields`, `shapeFromExample`, `documentedShape`.
 */

const NAMES = ['name', 'key', 'field', 'parameter', 'param', 'id'];
const TYPES = ['type', 'dtype', 'data_type', 'dataType', 'kind'];
const OPTIONS = ['enum', 'options', 'choices', 'values', 'allowed_values', 'allowedValues'];
const TITLES = ['title', 'label', 'display_name', 'displayName'];
const WORDS = ['description', 'help', 'info', 'tooltip', 'doc'];
const DEFAULTS = ['default', 'default_value', 'defaultValue'];
const EXAMPLES = ['example', 'placeholder', 'sample'];
const CHILDREN = ['fields', 'children', 'members'];
/** Keyword of JSON Schema → how field lists spell it. */
const BOUNDS: readonly [string, readonly string[]][] = [
  ['minimum', ['minimum', 'min', 'ge', 'min_value', 'minValue']],
  ['maximum', ['maximum', 'max', 'le', 'max_value', 'maxValue']],
  ['exclusiveMinimum', ['exclusiveMinimum', 'gt']],
  ['exclusiveMaximum', ['exclusiveMaximum', 'lt']],
  ['multipleOf', ['multipleOf', 'multiple_of', 'step']],
  ['minLength', ['minLength', 'min_length']],
  ['maxLength', ['maxLength', 'max_length']],
  ['minItems', ['minItems', 'min_items']],
  ['maxItems', ['maxItems', 'max_items']],
];
const MEDIA = /^(image|audio|video|file|media)$/i;
const FORMATTED = /^(url|uri|email|date|time|date-time|datetime|color|uuid|password|textarea)$/i;
const CHOICE = /^(select|dropdown|radio|choice|enum)$/i;

/**
 * A shape from a list of field descriptions (`[{ name, type, required, … }]`, or only names) or from a map of them
 * (`{ text: "string", top_k: { type: "integer" } }`). Undefined when it is neither.
 */
export function shapeFromFields(fields: unknown): Shape | undefined {
  const schema = schemaFromFields(fields);
  return schema === undefined ? undefined : { schema, origin: 'fields' };
}

function schemaFromFields(fields: unknown): JsonSchema | undefined {
  const described = Array.isArray(fields) ? fields.map(describedField) : describedMap(fields);
  if (described === undefined || described.length === 0) return undefined;
  const known = described.filter((field) => field !== undefined);
  if (known.length < described.length) return undefined;
  const required = known.filter(([, , isRequired]) => isRequired).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(known.map(([name, schema]) => [name, schema])),
    ...(required.length > 0 ? { required } : {}),
  };
}

type Described = readonly [name: string, schema: JsonSchema, required: boolean];

function describedField(field: unknown): Described | undefined {
  if (typeof field === 'string' && field !== '') return [field, {}, false];
  if (!isNode(field)) return undefined;
  const name = first(field, NAMES);
  return typeof name === 'string' && name !== '' ? [name, fieldSchema(field), isRequired(field)] : undefined;
}

/** A map of descriptions; values that are no type and no description make it an example instead. */
function describedMap(fields: unknown): (Described | undefined)[] | undefined {
  if (!isNode(fields)) return undefined;
  return Object.entries(fields).map(([name, field]) => {
    if (typeof field === 'string')
      return isTypeName(field) ? [name, fieldSchema({ type: field }), false] : undefined;
    const isDescription = isNode(field) && isTypeName(first(field, TYPES));
    return isDescription ? [name, fieldSchema(field), isRequired(field)] : undefined;
  });
}

function isTypeName(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  return knownTypes(bare(text)) !== undefined || MEDIA.test(bare(text)) || FORMATTED.test(bare(text));
}

function isRequired(field: SchemaNode): boolean {
  if (typeof field.required === 'boolean') return field.required;
  return field.optional === false;
}

function fieldSchema(field: SchemaNode): JsonSchema {
  const type = first(field, TYPES);
  const options = first(field, OPTIONS);
  const title = first(field, TITLES);
  const words = first(field, WORDS);
  const bounds = BOUNDS.flatMap(([keyword, spellings]) => {
    const bound = Number(first(field, spellings) ?? Number.NaN);
    return Number.isFinite(bound) ? [[keyword, bound] as const] : [];
  });
  const typed = typeof type === 'string' ? typeSchema(type, field) : {};
  const many = field.multiple === true || field.is_list === true;
  const own = { ...typed, ...optionSchema(options), ...Object.fromEntries(bounds) };
  return {
    ...(many ? { type: 'array', items: own } : own),
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof words === 'string' ? { description: words } : {}),
    ...keep(field, DEFAULTS, 'default'),
    ...keep(field, EXAMPLES, 'example'),
    ...(field.nullable === true ? { nullable: true } : {}),
    ...(typeof field.accept === 'string' || Array.isArray(field.accept) ? { accept: field.accept } : {}),
    ...(field.advanced === true ? { 'x-advanced': true } : {}),
  };
}

/** "list[string]", "string[]" and "Optional[int]" are lists and kinds of what stands inside. */
function typeSchema(text: string, field: SchemaNode): SchemaNode {
  const type = text.trim();
  const item =
    /^(?:list|array|sequence)\s*[[<(]\s*(.+?)\s*[\])>]$/i.exec(type)?.[1] ?? /^(.+)\[\]$/.exec(type)?.[1];
  if (item !== undefined) return { type: 'array', items: typeSchema(item, {}) };
  const optional = /^optional\s*[[<]\s*(.+?)\s*[\]>]$/i.exec(type)?.[1];
  if (optional !== undefined) return { ...typeSchema(optional, field), nullable: true };
  const name = bare(type);
  if (MEDIA.test(name)) return { format: name.toLowerCase() };
  if (FORMATTED.test(name)) return { type: 'string', format: name.toLowerCase() };
  if (CHOICE.test(name)) return {};
  const known = knownTypes(name);
  const children = first(field, CHILDREN);
  const nested = known === 'object' || known === undefined ? schemaFromFields(children) : undefined;
  if (isNode(nested)) return nested;
  const items = field.items ?? field.item_type ?? field.itemType;
  if (known === 'array' && typeof items === 'string') return { type: 'array', items: typeSchema(items, {}) };
  if (known === 'array' && isNode(items)) return { type: 'array', items };
  const properties = known === 'object' && isNode(field.properties) ? { properties: field.properties } : {};
  return known === undefined ? {} : { type: known, ...properties };
}

function bare(type: string): string {
  return type.trim().toLowerCase();
}

function optionSchema(options: unknown): SchemaNode {
  if (!Array.isArray(options) || options.length === 0) return {};
  const values = options.map((option: unknown) =>
    isNode(option) && 'value' in option ? option.value : option,
  );
  const labels = options.map((option: unknown) =>
    isNode(option) ? first(option, [...TITLES, 'name']) : undefined,
  );
  const named = strings(labels).length === labels.length ? { enumNames: labels } : {};
  return { enum: values, ...named };
}

function first(node: SchemaNode, keys: readonly string[]): unknown {
  return keys.map((key) => node[key]).find((value) => value !== undefined && value !== null);
}

function keep(field: SchemaNode, keys: readonly string[], as: string): SchemaNode {
  const value = first(field, keys);
  return value === undefined ? {} : { [as]: value };
}

/**
 * A shape from one example of an input. Types follow the example, nothing is required and nothing else is forbidden,
 * since one example proves neither; each value stands as the field's example. Undefined when it is no object.
 */
export function shapeFromExample(example: unknown): Shape | undefined {
  if (!isNode(example)) return undefined;
  return { schema: schemaOf(example as Json), origin: 'example' };
}

function schemaOf(value: Json): SchemaNode {
  if (isMediaObject(value)) return MEDIA_SCHEMA;
  if (Array.isArray(value)) {
    const [item] = value;
    return { type: 'array', ...(item === undefined ? {} : { items: withoutExample(schemaOf(item)) }) };
  }
  if (isNode(value)) {
    const members = Object.entries(value as { [key: string]: Json });
    return {
      type: 'object',
      properties: Object.fromEntries(members.map(([key, item]) => [key, schemaOf(item)])),
    };
  }
  if (value === null) return {};
  // 5 may stand for 5.5: numbers of an example are not held to be whole.
  return { type: typeof value, examples: [value] };
}

function withoutExample(schema: SchemaNode): SchemaNode {
  const { examples: _examples, ...rest } = schema;
  return rest;
}

const MEDIA_SCHEMA: SchemaNode = {
  type: 'object',
  required: ['media_ref'],
  properties: { media_ref: { type: 'string', minLength: 1 }, filename: { type: 'string' } },
};
const IMAGE_SCHEMA: SchemaNode = { ...MEDIA_SCHEMA, accept: ['image/*'] };

/** The shapes that section 2.2 documents for the modes `index` and `search`; undefined for every other mode. */
export function documentedShape(mode: string): Shape | undefined {
  if (mode === 'index') {
    const images = { type: 'array', title: 'Images', items: IMAGE_SCHEMA, minItems: 1 };
    const ids = { type: 'array', title: 'Image ids', items: { type: 'string', minLength: 1 } };
    const properties = { images, image_ids: ids };
    return {
      origin: 'documented',
      schema: { type: 'object', required: ['images', 'image_ids'], properties },
    };
  }
  if (mode !== 'search') return undefined;
  const properties = { image: { ...IMAGE_SCHEMA, title: 'Image' } };
  return { origin: 'documented', schema: { type: 'object', required: ['image'], properties } };
}

/** Where nothing is known: any object. */
export const UNKNOWN_SHAPE: Shape = { schema: { type: 'object' }, origin: 'unknown' };
