import type { JsonSchema } from '../domain/json';
import type { Shape } from '../domain/model';
import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { asText, members, pick, pickText, plainName, scalarText } from '../readers/records';
import { mediaObjectSchema } from './documentedShapes';
import { isCombination, isSchema } from './jsonSchema';

// The names of types in hand-written contracts, as JSON Schema.

const FORMATS = words('date time email uuid color password textarea');
const TYPES: Readonly<Record<string, UnknownObject>> = {
  ...types({ type: 'string' }, 'string str text'),
  ...types({ type: 'string', format: 'uri' }, 'url uri'),
  ...types({ type: 'string', format: 'date-time' }, 'datetime'),
  ...types({ type: 'integer' }, 'integer int'),
  ...types({ type: 'number' }, 'number float double'),
  ...types({ type: 'boolean' }, 'boolean bool'),
  ...types({ type: 'object' }, 'object dict json'),
  ...types({ type: 'array' }, 'array list'),
  ...types({}, 'any enum select options'),
  ...types({ type: 'null' }, 'null none'),
  ...Object.fromEntries(FORMATS.map((format) => [format, { type: 'string', format }])),
};

function types(schema: UnknownObject, names: string): Record<string, UnknownObject> {
  return Object.fromEntries(words(names).map((name) => [name, schema]));
}

const LIST = /^(.+)\[\]$|^(?:array|list)\s*(?:<|\[|\(|of\s)(.+?)(?:>|\]|\))?$/i;
const NULLABLE = /^(.+)\|\s*(?:null|none)$|^optional\s*[[<(](.+)[\]>)]$/i;
const MEDIA_TYPE = /^(image|audio|video|file|media)(?:ref|object|file)?$/;

/** The schema of a type's name: "string", "int", "image", "image[]", "list[string]", "string|null", "Optional[int]". */
function schemaOfTypeName(name: string): UnknownObject | undefined {
  if (name.length > 500) return undefined;
  const written = name.trim().replace(/[?!]$/, '');
  const [, before, inside] = LIST.exec(written) ?? NULLABLE.exec(written) ?? [];
  const inner = before ?? inside;
  if (inner !== undefined) {
    const schema = schemaOfTypeName(inner);
    return schema && (LIST.test(written) ? { type: 'array', items: schema } : { ...schema, nullable: true });
  }
  const plain = plainName(written);
  const media = MEDIA_TYPE.exec(plain)?.[1];
  if (media !== undefined) return mediaObjectSchema(media === 'media' ? 'file' : media);
  return Object.hasOwn(TYPES, plain) ? TYPES[plain] : undefined;
}

// Input contracts that are a list of fields or a table of types, and each of their fields, as JSON Schema.

type Field = readonly [name: string, schema: JsonSchema, required: boolean];

/** More fields than that are data. */
const MOST_FIELDS = 2000;

/** The shape of a list of fields, or of a table of them; undefined for anything else. */
export function shapeOfFields(value: unknown): Shape | undefined {
  if (Array.isArray(value)) return shapeOfFieldList(value);
  return isObject(value) ? shapeOfFieldTable(value) : undefined;
}

/** [{name: "text", type: "string", required: true}, ...] or ["text", "language"]. */
function shapeOfFieldList(list: readonly unknown[]): Shape | undefined {
  if (list.length > MOST_FIELDS) return undefined;
  const fields = list.flatMap((entry): Field[] => {
    const name = isObject(entry) ? pickText(entry, 'name', 'key', 'field', 'id') : asText(entry);
    if (name === undefined) return [];
    return [isObject(entry) ? [name, fieldSchema(entry), isRequired(entry)] : [name, {}, false]];
  });
  return fields.length < list.length ? undefined : fieldsShape(fields);
}

/** {text: "string", top_k: {type: "integer", default: 10}}: a table, unless most entries read as plain values. */
function shapeOfFieldTable(table: UnknownObject): Shape | undefined {
  const entries = members(table);
  if (entries.length >= MOST_FIELDS) return undefined;
  const described = entries.filter(([, value]) => isDescription(value));
  const isMost = described.length * 2 > entries.length && described.some(([, value]) => isSure(value));
  if (described.length < entries.length && !isMost) return undefined;
  return fieldsShape(
    entries.map(
      ([name, value]): Field =>
        isObject(value)
          ? [name, fieldSchema(value), isRequired(value)]
          : [name, schemaOfTypeName(scalarText(value)) ?? {}, isRequired({ type: value })],
    ),
  );
}

function fieldsShape(fields: readonly Field[]): Shape | undefined {
  if (fields.length === 0) return undefined;
  const properties = Object.fromEntries(fields.map(([name, schema]) => [name, schema]));
  const required = fields.filter((field) => field[2]).map(([name]) => name);
  return {
    schema: { type: 'object', properties, ...(required.length > 0 && { required }) },
    origin: 'fields',
  };
}

/** A shape whose required fields a list beside its fields names: {fields: {...}, required: ["text"]}. */
export function withRequired(shape: Shape | undefined, required: unknown): Shape | undefined {
  if (shape?.origin !== 'fields' || !Array.isArray(required)) return shape;
  const schema = shape.schema as { readonly properties: UnknownObject; readonly required?: string[] };
  const names = members(schema.properties).map(([name]) => name);
  const all = names.filter((name) => schema.required?.includes(name) === true || required.includes(name));
  return all.length === 0 ? shape : { ...shape, schema: { ...schema, required: all } as JsonSchema };
}

function isDescription(value: unknown): boolean {
  if (typeof value === 'string') return schemaOfTypeName(value) !== undefined;
  if (!isObject(value) || pick(value, 'mediaref') !== undefined) return false;
  return fieldType(value) !== undefined || pickRecord(value, 'schema') !== undefined || isCombination(value);
}

/** Type names that are hardly ever values; "text" or "image" may be the value of an example. */
const TYPE_ONLY =
  /^(?:string|str|integer|int|float|double|number|boolean|bool)\b|\[\]$|^(?:list|array|optional)\W/i;

const isSure = (value: unknown) => typeof value !== 'string' || TYPE_ONLY.test(value);

/** The schema of a field's type: one name, a list of a name and "null", or a schema. */
function fieldType(field: UnknownObject): UnknownObject | undefined {
  const type = pick(field, 'type', 'datatype');
  if (typeof type === 'string') return schemaOfTypeName(type);
  if (isObject(type)) return isSchema(type) ? type : undefined;
  if (!Array.isArray(type)) return undefined;
  const names = type.filter((name) => typeof name === 'string' && name !== 'null');
  const schema = names.length === 1 ? schemaOfTypeName(names[0] as string) : undefined;
  return schema && { ...schema, ...(type.length > 1 && { nullable: true }) };
}

function isRequired(field: UnknownObject): boolean {
  const required = pick(field, 'required');
  // {type: "string!"}
  return required === undefined
    ? pick(field, 'optional') === false || scalarText(pick(field, 'type', 'datatype')).endsWith('!')
    : required === true;
}

/** JSON Schema keywords of one value and, in a list, of each item; with a second name in tables of fields. */
const VALUE_KEYWORDS = {
  number: 'minimum:min maximum:max exclusiveMinimum exclusiveMaximum multipleOf:step minLength maxLength',
  string: 'pattern format',
};
const TEXT_KEYWORDS = { string: 'title:label title:displayname description:help' };
/** The same, of the field as a whole. */
const FIELD_KEYWORDS = {
  ...TEXT_KEYWORDS,
  number: 'minItems maxItems',
  boolean: 'nullable x-advanced:advanced',
};

function fieldSchema(field: UnknownObject): JsonSchema {
  const nested = pickRecord(field, 'schema');
  if (nested !== undefined) return { ...keywordsOf(field, TEXT_KEYWORDS), ...nested };
  const typed = fieldType(field) ?? {};
  const accept = pick(field, 'accept');
  const value: UnknownObject = {
    ...typed,
    ...keywordsOf(field, VALUE_KEYWORDS),
    ...optionsOf(field, typed),
    ...((typeof accept === 'string' || Array.isArray(accept)) && { accept }),
    ...Object.fromEntries(members(field).filter(([key]) => /^(?:anyOf|oneOf|allOf|const|\$ref)$/.test(key))),
  };
  const isList = typed.type !== 'array' && pick(field, 'multiple') === true;
  const fallback = pick(field, 'default');
  // Empty text is a table's sign for a missing number.
  const isMissing =
    fallback === undefined || (fallback === '' && /^(?:integer|number)$/.test(scalarText(typed.type)));
  const example = pick(field, 'example');
  return {
    ...(isList ? { type: 'array', items: value } : { ...value, ...fieldParts(field, value.type) }),
    ...keywordsOf(field, FIELD_KEYWORDS),
    ...(!isMissing && { default: fallback }),
    ...(example !== undefined && { examples: [example] }),
  };
}

function keywordsOf(field: UnknownObject, keywords: Readonly<Record<string, string>>): UnknownObject {
  const schema: Record<string, unknown> = {};
  for (const [type, names] of Object.entries(keywords))
    for (const [keyword = '', other = keyword] of words(names).map((name) => name.split(':'))) {
      const value = pick(field, plainName(keyword), other.toLowerCase());
      if (typeof value === type) schema[keyword] ??= value;
    }
  return schema;
}

/** The allowed values, with the labels that a contract gives all of them. */
function optionsOf(field: UnknownObject, typed: UnknownObject): UnknownObject {
  const options = pick(field, 'enum', 'options', 'choices');
  if (typed.type === 'object' || typed.type === 'array') return {};
  // Pairs of a value and a label have either order, so the sent part is unknown.
  if (!Array.isArray(options) || options.length === 0 || options.some(Array.isArray)) return {};
  const part = (...names: string[]) =>
    options.map((option: unknown) => (isObject(option) ? pick(option, ...names) : undefined));
  const values = part('value', 'id', 'name').map((value, at) => (value ?? options[at]) as unknown);
  const labels = part('label', 'title', 'name');
  return { enum: values, ...(!labels.includes(undefined) && { enumNames: labels }) };
}

/** The items of a list and the members of an object. */
function fieldParts(field: UnknownObject, type: unknown): UnknownObject {
  if (type === 'array') {
    const items = pick(field, 'items');
    if (typeof items === 'string') return { items: schemaOfTypeName(items) ?? {} };
    return items === undefined ? {} : { items: isObject(items) ? fieldSchema(items) : {} };
  }
  if (type !== 'object' && type !== undefined) return {};
  const shape = withRequired(shapeOfFields(pick(field, 'properties', 'fields')), pick(field, 'required'));
  return isObject(shape?.schema) ? shape.schema : {};
}

/** The first of `names` that is an object. */
export function pickRecord(record: UnknownObject, ...names: readonly string[]): UnknownObject | undefined {
  return names.map((name) => pick(record, name)).find(isObject);
}
