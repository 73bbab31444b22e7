import type { JsonSchema } from '../../domain/json';
import type { Shape } from '../../domain/model';
import { isObject, type UnknownObject } from '../../domain/value';
import { asText, pick, pickText } from './records';
import { schemaOfTypeName } from './typeNames';

// Input contracts that are a list of fields or a table of types, as JSON Schema.

type Field = readonly [name: string, schema: JsonSchema, required: boolean];

/** The shape of a list of fields, or of a table of them; undefined for anything else. */
export function shapeOfFields(value: unknown): Shape | undefined {
  if (Array.isArray(value)) return shapeOfFieldList(value);
  return isObject(value) ? shapeOfFieldTable(value) : undefined;
}

/** [{name: "text", type: "string", required: true}, ...] or ["text", "language"]. */
function shapeOfFieldList(list: readonly unknown[]): Shape | undefined {
  const fields = list.map((entry): Field | undefined => {
    if (!isObject(entry)) {
      const name = asText(entry);
      return name === undefined ? undefined : [name, {}, false];
    }
    const name = pickText(entry, 'name', 'key', 'field', 'id', 'param', 'parameter', 'slug');
    return name === undefined ? undefined : [name, fieldSchema(entry), isRequired(entry)];
  });
  return fields.includes(undefined) ? undefined : shapeOf(fields as Field[]);
}

/** {text: "string", top_k: {type: "integer", default: 10}}: a table, unless most entries read as plain values. */
export function shapeOfFieldTable(table: UnknownObject): Shape | undefined {
  const entries = Object.entries(table);
  const described = entries.filter(([, value]) => isDescription(value));
  const isTable =
    described.length === entries.length ||
    (described.length * 2 > entries.length && described.some(([, value]) => isSurelyDescription(value)));
  if (!isTable) return undefined;
  return shapeOf(
    entries.map(([rawName, value]): Field => {
      // "text?" and "text*" are how hand-written tables mark the optional and the required.
      const name = rawName.replace(/[?*]$/, '');
      const required = rawName.endsWith('*') || (isObject(value) && isRequired(value));
      return [name, isObject(value) ? fieldSchema(value) : (schemaOfTypeName(String(value)) ?? {}), required];
    }),
  );
}

function shapeOf(fields: readonly Field[]): Shape | undefined {
  if (fields.length === 0) return undefined;
  const properties = Object.fromEntries(fields.map(([name, schema]) => [name, schema]));
  const required = fields.filter((field) => field[2]).map(([name]) => name);
  return {
    schema: { type: 'object', properties, ...(required.length > 0 && { required }) },
    origin: 'fields',
  };
}

function isDescription(value: unknown): boolean {
  if (typeof value === 'string') return schemaOfTypeName(value) !== undefined;
  return isObject(value) && pick(value, 'mediaref') === undefined && typeOf(value) !== undefined;
}

/** Type names that are hardly ever values; "text" or "image" may be the value of an example. */
const TYPE_ONLY =
  /^(?:string|str|integer|int|float|double|number|boolean|bool)\b|\[\]$|^(?:list|array|optional)\W/i;

function isSurelyDescription(value: unknown): boolean {
  return typeof value === 'string' ? TYPE_ONLY.test(value.trim()) : isObject(value);
}

/** The schema of a field's type: one name, or a list of a name and "null". */
function typeOf(field: UnknownObject, ...more: readonly string[]): UnknownObject | undefined {
  const type = pick(field, 'type', 'datatype', ...more);
  if (typeof type === 'string') return schemaOfTypeName(type);
  if (!Array.isArray(type)) return undefined;
  const names = type.filter((name) => typeof name === 'string' && name !== 'null');
  const schema = names.length === 1 ? schemaOfTypeName(names[0]) : undefined;
  return schema === undefined ? undefined : { ...schema, ...(type.length > 1 && { nullable: true }) };
}

function isRequired(field: UnknownObject): boolean {
  const required = pick(field, 'required', 'isrequired', 'mandatory');
  if (typeof required === 'boolean') return required;
  return pick(field, 'optional', 'isoptional') === false;
}

type Keyword = readonly [keyword: string, names: readonly string[], type: 'number' | 'string' | 'boolean'];

/** JSON Schema keywords and their names in field descriptions, of one value and, in a list, of each item. */
const VALUE_KEYWORDS: readonly Keyword[] = [
  ['minimum', ['minimum', 'min', 'ge', 'minvalue'], 'number'],
  ['maximum', ['maximum', 'max', 'le', 'maxvalue'], 'number'],
  ['exclusiveMinimum', ['exclusiveminimum', 'gt'], 'number'],
  ['exclusiveMaximum', ['exclusivemaximum', 'lt'], 'number'],
  ['multipleOf', ['multipleof', 'step'], 'number'],
  ['minLength', ['minlength'], 'number'],
  ['maxLength', ['maxlength'], 'number'],
  ['pattern', ['pattern', 'regex'], 'string'],
  ['format', ['format'], 'string'],
];

/** The same, of the field as a whole. */
const FIELD_KEYWORDS: readonly Keyword[] = [
  ['minItems', ['minitems'], 'number'],
  ['maxItems', ['maxitems', 'maxcount'], 'number'],
  ['title', ['title', 'label', 'displayname'], 'string'],
  ['description', ['description', 'help', 'helptext', 'hint', 'doc'], 'string'],
  ['nullable', ['nullable'], 'boolean'],
  ['x-advanced', ['advanced', 'isadvanced'], 'boolean'],
];

/** One field's description as a schema. */
function fieldSchema(field: UnknownObject): JsonSchema {
  const nested = pick(field, 'schema');
  if (isObject(nested) && Object.keys(nested).length > 0) return nested;
  const typed = typeOf(field, 'kind') ?? {};
  const value: UnknownObject = {
    ...typed,
    ...keywordsOf(field, VALUE_KEYWORDS),
    ...optionsOf(field),
    ...acceptOf(field),
    ...combinationsOf(field),
  };
  const isList = typed.type !== 'array' && pick(field, 'multiple', 'ismultiple', 'islist', 'many') === true;
  const fallback = pick(field, 'default', 'defaultvalue');
  const example = pick(field, 'example', 'placeholder');
  return {
    ...(isList ? { type: 'array', items: value } : { ...value, ...partsOf(field, value.type) }),
    ...keywordsOf(field, FIELD_KEYWORDS),
    ...(fallback !== undefined && { default: fallback }),
    ...(example !== undefined && { examples: [example] }),
  };
}

function keywordsOf(field: UnknownObject, keywords: readonly Keyword[]): UnknownObject {
  return Object.fromEntries(
    keywords.flatMap(([keyword, names, type]) => {
      const value = pick(field, ...names);
      return typeof value === type ? [[keyword, value]] : [];
    }),
  );
}

/** `anyOf` and the like, which only JSON Schema has. */
function combinationsOf(field: UnknownObject): UnknownObject {
  return Object.fromEntries(
    Object.entries(field).filter(([key]) => /^(?:anyOf|oneOf|allOf|\$ref)$/.test(key)),
  );
}

/** The allowed values, with the labels that a contract gives all of them. */
function optionsOf(field: UnknownObject): UnknownObject {
  const options = pick(field, 'enum', 'options', 'choices', 'values', 'allowedvalues');
  if (!Array.isArray(options) || options.length === 0) return {};
  const values = options.map((option: unknown) =>
    isObject(option) ? (pick(option, 'value', 'id', 'name', 'label') ?? null) : option,
  );
  const labels = options.map((option: unknown) =>
    isObject(option) ? pickText(option, 'label', 'title', 'displayname', 'name') : undefined,
  );
  return { enum: values, ...(!labels.includes(undefined) && { enumNames: labels }) };
}

/** The MIME types that a file field takes. */
function acceptOf(field: UnknownObject): UnknownObject {
  const accept = pick(field, 'accept', 'accepts', 'acceptedtypes', 'mimetypes');
  return typeof accept === 'string' || Array.isArray(accept) ? { accept } : {};
}

/** The items of a list and the members of an object. */
function partsOf(field: UnknownObject, type: unknown): UnknownObject {
  if (type === 'array') {
    const items = pick(field, 'items', 'itemtype');
    if (typeof items === 'string') return { items: schemaOfTypeName(items) ?? {} };
    return items === undefined ? {} : { items: isObject(items) ? fieldSchema(items) : {} };
  }
  if (type !== 'object') return {};
  const schema = shapeOfFields(pick(field, 'properties', 'fields'))?.schema;
  return isObject(schema) ? schema : {};
}
