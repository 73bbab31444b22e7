import type { JsonSchema } from '../domain/json';
import type { Shape } from '../domain/model';
import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import {
  asText,
  members,
  overlaid,
  pick,
  pickText,
  plainName,
  scalarText,
  valueWords,
} from '../readers/records';
import { isCombination, isSchema } from './jsonSchema';
import { schemaOfTypeName } from './typeNames';

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
  const fields = list.filter(isOfBody).map((entry): Field | undefined => {
    if (!isObject(entry)) {
      const text = asText(entry);
      return text === undefined ? undefined : fieldOfText(text);
    }
    const name = fieldName(entry);
    return name === undefined ? undefined : [name, fieldSchema(entry), isRequired(entry)];
  });
  return fields.includes(undefined) ? undefined : fieldsShape(fields as Field[]);
}

const NAMES = words('name key field id param parameter slug variable');

/** paramName, arg_type: names that repeat the word for a field. */
const REPEATED =
  /^(?:param|parameter|field|arg|argument|input|prop|property|attr|attribute|var|variable|column)(name|key|code|type|default)$/;

function fieldName(field: UnknownObject): string | undefined {
  return pickText(field, ...NAMES) ?? asText(repeated(field, 'name', 'key', 'code'));
}

function repeated(field: UnknownObject, ...parts: readonly string[]): unknown {
  return members(field).find(([name]) => parts.includes(REPEATED.exec(plainName(name))?.[1] ?? ''))?.[1];
}

/** Discovery and OpenAPI documents describe parameters in addresses and headers the same way. */
function isOfBody(field: unknown): boolean {
  return (
    !isObject(field) || !/^(?:query|path|header|cookie)$/.test(scalarText(pick(field, 'location', 'in')))
  );
}

/** "text", or "text: string" and "k: int = 5" as in a signature. */
function fieldOfText(text: string): Field {
  const [, name = text, mark, type, preset] = /^([\w-]{1,100})([?*]?)\s*:([^=]+)(?:=(.+))?$/.exec(text) ?? [];
  const schema = type === undefined ? undefined : schemaOfTypeName(type.trim());
  if (schema === undefined) return [text, {}, false];
  const fallback = preset?.trim().replace(/^(['"])(.*)\1$/, '$2');
  return [name, { ...schema, ...(fallback !== undefined && { default: fallback }) }, mark === '*'];
}

/** {text: "string", top_k: {type: "integer", default: 10}}: a table, unless most entries read as plain values. */
function shapeOfFieldTable(table: UnknownObject): Shape | undefined {
  if (members(table).length >= MOST_FIELDS) return undefined;
  const entries = members(table).filter(([, value]) => isOfBody(value));
  const described = entries.filter(([, value]) => isDescription(value));
  const isTable =
    described.length === entries.length ||
    (described.length * 2 > entries.length && described.some(([, value]) => isSurelyDescription(value)));
  if (!isTable) return undefined;
  return fieldsShape(
    entries.map(([rawName, value]): Field => {
      // "text?" and "text*" are how hand-written tables mark the optional and the required.
      const name = rawName.replace(/[?*]$/, '');
      const required = rawName.endsWith('*') || (isObject(value) && isRequired(value));
      return [name, schemaOfEntry(value), required];
    }),
  );
}

/** The schema of an entry of a table: a field, or the name of a type. */
function schemaOfEntry(value: unknown): JsonSchema {
  return isObject(value) ? fieldSchema(value) : (schemaOfTypeName(scalarText(value)) ?? {});
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

/** Whether a record describes fields outside of a list or table, and is no example of an input. */
export function isAboutFields(record: UnknownObject): boolean {
  return describesField(record) || members(record).every(([, each]) => !isOfBody(each));
}

/** {name, type: "string", description} */
function describesField(record: UnknownObject): boolean {
  const type = pick(record, 'type', 'datatype');
  return (
    typeof type === 'string' &&
    TYPE_ONLY.test(type) &&
    fieldName(record) !== undefined &&
    pick(record, 'description', 'default', 'required', 'options') !== undefined
  );
}

function isDescription(value: unknown): boolean {
  if (typeof value === 'string') return schemaOfTypeName(value) !== undefined;
  if (!isObject(value) || pick(value, 'mediaref') !== undefined) return false;
  return fieldType(value) !== undefined || schemaIn(value) !== undefined || isCombination(value);
}

/** Type names that are hardly ever values; "text" or "image" may be the value of an example. */
const TYPE_ONLY =
  /^(?:string|str|integer|int|float|double|number|boolean|bool)\b|\[\]$|^(?:list|array|optional)\W/i;

function isSurelyDescription(value: unknown): boolean {
  return typeof value === 'string' ? TYPE_ONLY.test(value.trim()) : isObject(value);
}

const TYPE_NAMES = words('type datatype dtype ftype valuetype');

/** The schema of a field's type: one name, a list of a name and "null", or a schema. */
function fieldType(field: UnknownObject, ...more: readonly string[]): UnknownObject | undefined {
  for (const name of [...TYPE_NAMES, ...more]) {
    const type = typeIn(pick(field, name));
    if (type !== undefined) return type;
  }
  return typeIn(repeated(field, 'type'));
}

function typeIn(type: unknown): UnknownObject | undefined {
  if (typeof type === 'string') return schemaOfTypeName(type);
  // Avro: {type: "array", items: "string"}
  if (isObject(type)) return isSchema(type) ? { ...type, ...itemsNamed(type) } : undefined;
  if (!Array.isArray(type)) return undefined;
  const names = type.filter((name) => typeof name === 'string' && name !== 'null');
  const schema = names.length === 1 ? schemaOfTypeName(names[0] as string) : undefined;
  return schema === undefined ? undefined : { ...schema, ...(type.length > 1 && { nullable: true }) };
}

function itemsNamed({ items }: UnknownObject): UnknownObject {
  return typeof items === 'string' ? { items: schemaOfTypeName(items) ?? {} } : {};
}

function isRequired(field: UnknownObject): boolean {
  const required = pick(field, 'required', 'isrequired', 'mandatory');
  if (required !== undefined && !Array.isArray(required)) return isYes(required);
  const optional = pick(field, 'optional', 'isoptional');
  if (optional !== undefined) return !isYes(optional);
  // String!
  return /\w[\]!]*!$/.test(pickText(field, ...TYPE_NAMES) ?? '');
}

/** true, and as databases and forms have it: 1, "yes", "Y", "required". */
function isYes(value: unknown): boolean {
  return (
    value === true || value === 1 || (typeof value === 'string' && /^(?:true|yes|y|1|required)$/i.test(value))
  );
}

type Keyword = readonly [keyword: string, names: readonly string[], type: 'number' | 'string' | 'boolean'];

/** JSON Schema keywords and their names in field descriptions, of one value and, in a list, of each item. */
const VALUE_KEYWORDS: readonly Keyword[] = [
  [
    'minimum',
    ['minimum', 'min', 'ge', 'minvalue', 'minimumvalue', 'minval', 'lowerbound', 'lower'],
    'number',
  ],
  [
    'maximum',
    ['maximum', 'max', 'le', 'maxvalue', 'maximumvalue', 'maxval', 'upperbound', 'upper'],
    'number',
  ],
  ['exclusiveMinimum', ['exclusiveminimum', 'gt'], 'number'],
  ['exclusiveMaximum', ['exclusivemaximum', 'lt'], 'number'],
  ['multipleOf', ['multipleof', 'step'], 'number'],
  ['minLength', ['minlength'], 'number'],
  ['maxLength', ['maxlength'], 'number'],
  ['pattern', ['pattern', 'regex'], 'string'],
  ['format', ['format'], 'string'],
];

const TEXT_KEYWORDS: readonly Keyword[] = [
  ['title', ['title', 'label', 'displayname'], 'string'],
  ['description', ['description', 'help', 'helptext', 'hint', 'doc', 'info', 'tooltip'], 'string'],
];

/** The same, of the field as a whole. */
const FIELD_KEYWORDS: readonly Keyword[] = [
  ['minItems', ['minitems'], 'number'],
  ['maxItems', ['maxitems', 'maxcount'], 'number'],
  ...TEXT_KEYWORDS,
  ['nullable', ['nullable'], 'boolean'],
  ['x-advanced', ['advanced', 'isadvanced'], 'boolean'],
];

/** Records inside a field that hold its bounds. */
const BOUNDS = [
  'constraints',
  'validation',
  'validators',
  'rules',
  'range',
  'bounds',
  'limits',
  'typeoptions',
];
/** A field with only one of these types takes one or several of its options. */
const SEVERAL =
  /^(?!multiplechoice$)(?:multi|multiple)(?:select|choice|options|ple)?s?$|^checkbox(?:es|group)$|^tags$/i;

/** The schema of a field inside the record about it. */
function schemaIn(field: UnknownObject): UnknownObject | undefined {
  const schema = pick(field, 'schema', 'jsonschema');
  return isObject(schema) && (isSchema(schema) || members(schema).length > 0) ? schema : undefined;
}

/** One field's description as a schema. */
function fieldSchema(given: UnknownObject): JsonSchema {
  const nested = schemaIn(given);
  if (nested !== undefined) return { ...keywordsOf(given, TEXT_KEYWORDS), ...nested };
  const field = withBounds(given);
  const typed = fieldType(field, 'kind', 'component', 'widget') ?? {};
  const value: UnknownObject = {
    ...typed,
    ...keywordsOf(field, VALUE_KEYWORDS),
    ...optionsOf(field, typed),
    ...acceptOf(field),
    ...combinationsOf(field),
  };
  const fallback = defaultOf(field, typed);
  const example = pick(field, 'example', 'placeholder');
  const examples = pick(field, 'examples');
  return {
    ...(isList(field, typed)
      ? { type: 'array', items: value }
      : { ...value, ...fieldParts(field, value.type) }),
    ...keywordsOf(field, FIELD_KEYWORDS),
    ...(fallback !== undefined && { default: fallback }),
    ...(Array.isArray(examples) ? { examples } : example !== undefined && { examples: [example] }),
  };
}

/** Empty text is no default of a number, but a table's sign for a missing one. Components of forms have a `value`. */
function defaultOf(field: UnknownObject, { type }: UnknownObject): unknown {
  const isTyped = pick(field, ...TYPE_NAMES, 'kind', 'component', 'widget') !== undefined;
  const fallback =
    pick(field, 'default', 'defaultvalue', 'initialvalue', ...(isTyped ? ['value'] : [])) ??
    repeated(field, 'default');
  return fallback === '' && (type === 'integer' || type === 'number') ? undefined : fallback;
}

/** The field with the bounds from a record of their own; `range` may be a pair. */
function withBounds(field: UnknownObject): UnknownObject {
  const bounds = BOUNDS.map((name) => pick(field, name)).map((value) =>
    Array.isArray(value) && value.length === 2 ? { min: value[0], max: value[1] } : value,
  );
  const records = bounds.filter(isObject);
  return records.length === 0 ? field : overlaid([...records.toReversed(), field]);
}

function isList(field: UnknownObject, typed: UnknownObject): boolean {
  if (typed.type === 'array') return false;
  const type = pick(field, ...TYPE_NAMES) ?? repeated(field, 'type');
  if (typeof type === 'string' && SEVERAL.test(type)) return true;
  return pick(field, 'multiple', 'ismultiple', 'islist', 'many', 'multiplevalues', 'list') === true;
}

function keywordsOf(field: UnknownObject, keywords: readonly Keyword[]): UnknownObject {
  return Object.fromEntries(
    keywords.flatMap(([keyword, names, type]) => {
      const written = pick(field, ...names);
      const value = type === 'number' && isNumberText(written) ? Number(written) : written;
      return typeof value === type ? [[keyword, value]] : [];
    }),
  );
}

/** Tables and forms write the numbers of a field as text. */
function isNumberText(value: unknown): boolean {
  return typeof value === 'string' && /^\s*-?\d+(?:\.\d+)?\s*$/.test(value);
}

/** `anyOf` and the like, which only JSON Schema has. */
function combinationsOf(field: UnknownObject): UnknownObject {
  return Object.fromEntries(
    members(field).filter(([key]) => /^(?:anyOf|oneOf|allOf|const|\$ref)$/.test(key)),
  );
}

/** The allowed values, with the labels that a contract gives all of them. */
function optionsOf(field: UnknownObject, typed: UnknownObject): UnknownObject {
  const written = pick(field, 'enum', 'options', 'choices', 'values', 'allowedvalues', 'allowed');
  const isList = typeof written === 'string' && typed.type === undefined && written.includes(',');
  const options = isList ? valueWords(written) : written;
  if (typed.type === 'object' || typed.type === 'array') return {};
  if (isObject(options)) {
    const labels = members(options).map(([, label]) => label);
    const isTable = labels.length > 0 && labels.every((label) => typeof label === 'string');
    return isTable ? { enum: members(options).map(([value]) => value), enumNames: labels } : {};
  }
  if (!Array.isArray(options) || options.length === 0) return {};
  // Pairs of a value and a label have either order, so the sent part is unknown.
  if (options.some(Array.isArray)) return {};
  const values = options.map((option: unknown) =>
    isObject(option) ? (pick(option, 'value', 'id', 'name', 'label') ?? null) : option,
  );
  const labels = options.map((option: unknown) =>
    isObject(option) ? pickText(option, 'label', 'title', 'displayname', 'name') : undefined,
  );
  return { enum: values, ...(!labels.includes(undefined) && { enumNames: labels }) };
}

/** The types, or the endings of names, that a file field takes. */
const ACCEPTED = words(`
  accept accepts acceptedtypes mimetypes
  extensions fileextensions allowedextensions acceptedextensions supportedextensions
`);

function acceptOf(field: UnknownObject): UnknownObject {
  const accept = pick(field, ...ACCEPTED);
  return typeof accept === 'string' || Array.isArray(accept) ? { accept } : {};
}

/** The items of a list and the members of an object. */
function fieldParts(field: UnknownObject, type: unknown): UnknownObject {
  if (type === 'array') {
    const items = pick(field, 'items', 'itemtype');
    if (typeof items === 'string') return { items: schemaOfTypeName(items) ?? {} };
    return items === undefined ? {} : { items: isObject(items) ? fieldSchema(items) : {} };
  }
  if (type !== 'object' && type !== undefined) return {};
  // Without a type only members that can only be fields of its own; {options: [...]} may be values.
  const names =
    type === 'object' ? ['properties', 'fields', 'children', 'options'] : ['properties', 'fields'];
  const schema = shapeOfFields(pick(field, ...names))?.schema;
  return isObject(schema) ? schema : {};
}
