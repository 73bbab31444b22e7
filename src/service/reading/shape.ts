import type { JsonSchema } from '../../domain/json';
import type { Shape } from '../../domain/model';
import { isObject, type UnknownObject } from '../../domain/value';
import { asText, parsedJson, pick, pickText, plainName } from './records';

// An input contract: JSON Schema of any draft, a list of fields, a table of names and types, or a bare example.
// All become JSON Schema, and `origin` says from what.

const SCHEMA_TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const MOST_DEPTH = 12;

/** What is known of a shape; undefined when the value tells nothing. */
export function readShape(value: unknown, depth = 0): Shape | undefined {
  if (depth > 4) return undefined;
  if (value === true) return { schema: true, origin: 'declared' };
  if (typeof value === 'string')
    return /^\s*[[{]/.test(value) ? readShape(parsedJson(value), depth + 1) : undefined;
  if (Array.isArray(value)) return fieldList(value);
  if (!isObject(value) || Object.keys(value).length === 0) return undefined;
  if (isSchema(value)) return { schema: value, origin: 'declared' };
  // {schema: {...}}, {fields: [...]}, {example: {...}}: the name says what is inside.
  for (const name of ['jsonschema', 'schema', 'inputschema']) {
    const inner = readShape(pick(value, name), depth + 1);
    if (inner !== undefined) return inner;
  }
  for (const name of ['fields', 'properties', 'parameters', 'inputs', 'arguments']) {
    const inner = pick(value, name);
    const shape = Array.isArray(inner) ? fieldList(inner) : isObject(inner) ? fieldTable(inner) : undefined;
    if (shape !== undefined) return shape;
  }
  const example = pick(value, 'example', 'sample');
  if (isObject(example)) return { schema: schemaOfExample(example), origin: 'example' };
  return fieldTable(value) ?? { schema: schemaOfExample(value), origin: 'example' };
}

/** Whether a record is a JSON Schema, and not data that happens to have a `type`. */
export function isSchema(value: UnknownObject): boolean {
  const { type, properties } = value;
  if (typeof value.$schema === 'string' || typeof value.$ref === 'string') return true;
  if (
    isObject(properties) &&
    Object.values(properties).every((item) => isObject(item) || typeof item === 'boolean')
  )
    return type === undefined || isSchemaType(type);
  if (
    ['anyOf', 'oneOf', 'allOf'].some(
      (word) => Array.isArray(value[word]) && (value[word] as unknown[]).every(isObject),
    )
  )
    return true;
  if (!isSchemaType(type)) return false;
  // {type: "string"} alone, or with other schema words, describes; with other names it is a field called `type`.
  const words =
    /^(?:type|title|description|default|examples?|enum|const|format|items|required|additionalProperties|pattern|nullable|\$.*|x-.*|m(?:in|ax).*|exclusiveM.*|content.*|unevaluated.*|prefixItems|contains|uniqueItems|multipleOf|propertyNames|patternProperties|dependent.*|if|then|else|not|definitions|readOnly|writeOnly|deprecated)$/;
  return Object.keys(value).every((key) => words.test(key));
}

function isSchemaType(type: unknown): boolean {
  return Array.isArray(type)
    ? type.length > 0 && type.every((item) => SCHEMA_TYPES.has(item as string))
    : typeof type === 'string' && SCHEMA_TYPES.has(type);
}

/** [{name: "text", type: "string", required: true}, ...] or ["text", "language"]. */
function fieldList(list: readonly unknown[]): Shape | undefined {
  if (list.length === 0) return undefined;
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const entry of list) {
    const name = isObject(entry)
      ? pickText(entry, 'name', 'key', 'field', 'id', 'param', 'parameter', 'slug')
      : asText(entry);
    if (name === undefined) return undefined;
    properties[name] = isObject(entry) ? fieldSchema(entry) : {};
    if (isObject(entry) && isRequired(entry)) required.push(name);
  }
  return {
    schema: { type: 'object', properties, ...(required.length > 0 && { required }) },
    origin: 'fields',
  };
}

/** {text: "string", top_k: {type: "integer", default: 10}}: every value must read as a description. */
function fieldTable(table: UnknownObject): Shape | undefined {
  const entries = Object.entries(table);
  const described = (value: unknown) =>
    typeof value === 'string'
      ? typeSchema(value) !== undefined
      : isObject(value) &&
        typeof pick(value, 'type', 'datatype') === 'string' &&
        typeSchema(pickText(value, 'type', 'datatype') ?? '') !== undefined;
  if (entries.length === 0 || !entries.every(([, value]) => described(value))) return undefined;
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [rawName, value] of entries) {
    // "text?" and "text*" are how hand-written tables mark the optional and the required.
    const name = rawName.replace(/[?*]$/, '');
    properties[name] = isObject(value) ? fieldSchema(value) : (typeSchema(value as string) ?? {});
    if (rawName.endsWith('*') || (isObject(value) && isRequired(value))) required.push(name);
  }
  return {
    schema: { type: 'object', properties, ...(required.length > 0 && { required }) },
    origin: 'fields',
  };
}

function isRequired(field: UnknownObject): boolean {
  const required = pick(field, 'required', 'isrequired', 'mandatory');
  if (typeof required === 'boolean') return required;
  return pick(field, 'optional', 'isoptional') === false;
}

/** Names of keywords in field descriptions, and the JSON Schema keyword each means. */
const KEYWORDS: readonly (readonly [keyword: string, names: readonly string[], type: 'number' | 'string'])[] =
  [
    ['minimum', ['minimum', 'min', 'ge', 'minvalue'], 'number'],
    ['maximum', ['maximum', 'max', 'le', 'maxvalue'], 'number'],
    ['multipleOf', ['multipleof', 'step'], 'number'],
    ['minLength', ['minlength'], 'number'],
    ['maxLength', ['maxlength'], 'number'],
    ['minItems', ['minitems'], 'number'],
    ['maxItems', ['maxitems', 'maxcount'], 'number'],
    ['pattern', ['pattern', 'regex'], 'string'],
    ['format', ['format'], 'string'],
    ['title', ['title', 'label', 'displayname'], 'string'],
    ['description', ['description', 'help', 'helptext', 'hint', 'doc'], 'string'],
  ];

/** One field's description as a schema. Keywords that are JSON Schema already are kept. */
function fieldSchema(field: UnknownObject): JsonSchema {
  const nested = pick(field, 'schema');
  if (isObject(nested) && isSchema(nested)) return nested;
  const schema: Record<string, unknown> = {
    ...(typeSchema(pickText(field, 'type', 'datatype', 'kind') ?? '') ?? {}),
  };
  for (const [keyword, names, type] of KEYWORDS) {
    const value = pick(field, ...names);
    if (typeof value === type) schema[keyword] = value;
  }
  const fallback = pick(field, 'default', 'defaultvalue');
  if (fallback !== undefined) schema.default = fallback;
  const example = pick(field, 'example', 'placeholder');
  if (example !== undefined) schema.examples = [example];
  const options = pick(field, 'enum', 'options', 'choices', 'values', 'allowedvalues');
  if (Array.isArray(options) && options.length > 0)
    schema.enum = options.map((option) =>
      isObject(option) ? (pick(option, 'value', 'id', 'name', 'label') ?? null) : option,
    );
  const items = pick(field, 'items', 'itemtype');
  if (items !== undefined && schema.type === 'array')
    schema.items =
      typeof items === 'string' ? (typeSchema(items) ?? {}) : isObject(items) ? fieldSchema(items) : {};
  const properties = pick(field, 'properties', 'fields');
  if (schema.type === 'object' && schema.properties === undefined && properties !== undefined) {
    const inner = Array.isArray(properties)
      ? fieldList(properties)
      : isObject(properties)
        ? fieldTable(properties)
        : undefined;
    if (isObject(inner?.schema)) Object.assign(schema, inner.schema);
  }
  return schema;
}

const TYPES: Readonly<Record<string, UnknownObject>> = {
  ...types({ type: 'string' }, 'string str text textarea prompt password varchar uuid'),
  ...types({ type: 'string', format: 'uri' }, 'url uri'),
  ...types({ type: 'integer' }, 'integer int long int32 int64 count'),
  ...types({ type: 'number' }, 'number float double decimal numeric float32 float64 slider'),
  ...types({ type: 'boolean' }, 'boolean bool checkbox switch toggle flag'),
  ...types({ type: 'object' }, 'object dict map json record'),
  ...types({ type: 'array' }, 'array list tuple'),
  ...types({}, 'any enum select choice dropdown'),
  ...types({ type: 'null' }, 'null'),
};

function types(schema: UnknownObject, names: string): Record<string, UnknownObject> {
  return Object.fromEntries(names.split(' ').map((name) => [name, schema]));
}

/** A media object of section 2.2, marked with its kind for the form. */
export function mediaObjectSchema(mediaType: string): UnknownObject {
  return {
    type: 'object',
    'x-media-type': mediaType,
    properties: {
      media_ref: {
        type: 'string',
        minLength: 1,
        ...(mediaType !== 'file' && { contentMediaType: `${mediaType}/*` }),
      },
      filename: { type: 'string' },
    },
    required: ['media_ref'],
  };
}

/** A type's name as a schema: "string", "int", "image", "image[]", "list[string]", "string|null". */
function typeSchema(name: string): UnknownObject | undefined {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/[?!]$/, '')
    .replace(/\s*\|\s*null$/, '');
  const item =
    /^(.+?)\[\]$/.exec(plain)?.[1] ??
    /^(?:array|list)\s*(?:<|\[|\(|of\s)\s*([^>\])]+?)\s*(?:>|\]|\))?$/.exec(plain)?.[1];
  if (item !== undefined) {
    const items = typeSchema(item);
    return items === undefined ? undefined : { type: 'array', items };
  }
  const media = /^(image|audio|video|file|media|document|upload)(?:ref|object|file|upload)?$/.exec(
    plainName(plain),
  )?.[1];
  if (media !== undefined) return mediaObjectSchema(/image|audio|video/.test(media) ? media : 'file');
  return TYPES[plainName(plain)];
}

/** The schema of which a value is an example: its types, nothing required, anything else allowed. */
export function schemaOfExample(value: unknown, depth = 0): JsonSchema {
  if (depth > MOST_DEPTH || value === null || value === undefined) return {};
  if (Array.isArray(value))
    return value.length === 0
      ? { type: 'array' }
      : { type: 'array', items: schemaOfExample(value[0], depth + 1) };
  if (isObject(value)) {
    const properties = Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, schemaOfExample(item, depth + 1)]),
    );
    return { type: 'object', properties, ...(depth === 0 && { examples: [value] }) };
  }
  // An example of 1 does not say that 0.5 is wrong.
  return { type: typeof value };
}
