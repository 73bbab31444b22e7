import type { JsonSchema } from '../../domain/json';
import { isObject, type UnknownObject } from '../../domain/value';
import { words } from '../../domain/words';
import { shapeOfFields } from './fieldLists';
import { members, overlaid, pick, pickText } from './records';
import { isSchema } from './shape';
import { schemaOfTypeName } from './typeNames';

// One field of a hand-written contract, as JSON Schema.

const TYPE_NAMES = words('type datatype dtype ftype fieldtype valuetype inputtype parametertype pythontype');

/** The schema of a field's type: one name, a list of a name and "null", or a schema. */
export function typeOf(field: UnknownObject, ...more: readonly string[]): UnknownObject | undefined {
  for (const name of [...TYPE_NAMES, ...more]) {
    const found = typeIn(pick(field, name));
    if (found !== undefined) return found;
  }
  return undefined;
}

function typeIn(type: unknown): UnknownObject | undefined {
  if (typeof type === 'string') return schemaOfTypeName(type);
  // Gradio: type {"type": "string"} beside python_type {"type": "str"}.
  if (isObject(type)) return namedType(type) ?? (isSchema(type) ? type : typeIn(pick(type, 'type')));
  if (!Array.isArray(type)) return undefined;
  const names = type.filter((name) => typeof name === 'string' && name !== 'null');
  const schema = names.length === 1 ? schemaOfTypeName(names[0] as string) : undefined;
  return schema === undefined ? undefined : { ...schema, ...(type.length > 1 && { nullable: true }) };
}

/** Avro and CWL: {type: "enum", symbols: [...]} and {type: "array", items: "int"}, where JSON Schema has the same words. */
function namedType({ type, symbols, items, values, fields }: UnknownObject): UnknownObject | undefined {
  if (type === 'enum' && Array.isArray(symbols)) return { type: 'string', enum: symbols };
  if (type === 'array' && (typeof items === 'string' || Array.isArray(items)))
    return { type: 'array', items: typeIn(items) ?? {} };
  if (type === 'map') return { type: 'object', additionalProperties: typeIn(values) ?? {} };
  const record = type === 'record' ? shapeOfFields(fields)?.schema : undefined;
  return isObject(record) ? record : undefined;
}

export function isRequired(field: UnknownObject): boolean {
  const required = pick(field, 'required', 'isrequired', 'mandatory');
  if (typeof required === 'boolean') return required;
  return pick(field, 'optional', 'isoptional', 'parameterhasdefault') === false;
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

const TEXT_KEYWORDS: readonly Keyword[] = [
  ['title', ['title', 'label', 'displayname', 'questionname'], 'string'],
  [
    'description',
    ['description', 'help', 'helptext', 'hint', 'doc', 'info', 'tooltip', 'questiondescription'],
    'string',
  ],
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
  'typeoptions',
  'modeltyperangeinfo',
];
/** A field whose only type is one of these takes one or several of its options. */
const SEVERAL =
  /^(?!multiplechoice$)(?:multi|multiple)(?:select|choice|options|ple)?s?$|^checkbox(?:es|group)$|^tags$/i;

/** The schema of a field that stands in the record about it: OGC API, openEO, Airflow. */
export function schemaIn(field: UnknownObject): UnknownObject | undefined {
  const schema = pick(field, 'schema', 'jsonschema');
  return isObject(schema) && (isSchema(schema) || members(schema).length > 0) ? schema : undefined;
}

/** OGC API: an input that may occur several times is a list, or also one value where it need not. */
function severalOf(field: UnknownObject, schema: UnknownObject): UnknownObject {
  const [least, most] = [pick(field, 'minoccurs'), pick(field, 'maxoccurs')];
  const bounds = {
    ...(typeof least === 'number' && least > 0 && { minItems: least }),
    ...(typeof most === 'number' && { maxItems: most }),
  };
  if (most !== 'unbounded' && !(typeof most === 'number' && most > 1)) return schema;
  const { title, description, ...items } = schema;
  const list = { type: 'array', items, ...bounds };
  const texts = { ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
  return typeof least === 'number' && least > 1 ? { ...texts, ...list } : { ...texts, anyOf: [list, items] };
}

/** One field's description as a schema. */
export function fieldSchema(given: UnknownObject): JsonSchema {
  const nested = schemaIn(given);
  if (nested !== undefined) return severalOf(given, { ...keywordsOf(given, TEXT_KEYWORDS), ...nested });
  const field = withBounds(given);
  const typed = typeOf(field, 'kind', 'component', 'widget') ?? {};
  const value: UnknownObject = {
    ...typed,
    ...keywordsOf(field, VALUE_KEYWORDS),
    ...optionsOf(field, typed),
    ...acceptOf(field),
    ...combinationsOf(field),
  };
  const fallback = defaultOf(field, typed);
  const example = pick(field, 'example', 'placeholder', 'exampleinput');
  const examples = pick(field, 'examples');
  return {
    ...(isList(field, typed)
      ? { type: 'array', items: value }
      : shaped({ ...value, ...partsOf(field, value.type) }, pick(field, 'shape', 'dims'))),
    ...keywordsOf(field, FIELD_KEYWORDS),
    ...(fallback !== undefined && { default: fallback }),
    ...(Array.isArray(examples) ? { examples } : example !== undefined && { examples: [example] }),
  };
}

/** Empty text is no default of a number, but what a table has where it has none. */
function defaultOf(field: UnknownObject, { type }: UnknownObject): unknown {
  const fallback = pick(field, 'default', 'defaultvalue', 'parameterdefault');
  return fallback === '' && (type === 'integer' || type === 'number') ? undefined : fallback;
}

/** The field with the bounds that stand in a record of their own; `range` may be a pair. */
function withBounds(field: UnknownObject): UnknownObject {
  const bounds = BOUNDS.map((name) => pick(field, name)).map((value) =>
    Array.isArray(value) && value.length === 2 ? { min: value[0], max: value[1] } : value,
  );
  const records = bounds.filter(isObject);
  return records.length === 0 ? field : overlaid([...records.toReversed(), field]);
}

function isList(field: UnknownObject, typed: UnknownObject): boolean {
  if (typed.type === 'array') return false;
  const type = pick(field, ...TYPE_NAMES);
  if (typeof type === 'string' && SEVERAL.test(type)) return true;
  return pick(field, 'multiple', 'ismultiple', 'islist', 'many', 'multiplevalues', 'list') === true;
}

/** Triton and KServe: {datatype: "FP32", shape: [-1, 4]} is a list of lists. */
function shaped(value: UnknownObject, shape: unknown): UnknownObject {
  if (!Array.isArray(shape) || shape.length > 6 || value.type === 'array' || value.type === undefined)
    return value;
  return shape.reduceRight<UnknownObject>((items, length: unknown) => {
    const fixed = typeof length === 'number' && length > 0 && length <= 1000 ? length : undefined;
    return { type: 'array', items, ...(fixed !== undefined && { minItems: fixed, maxItems: fixed }) };
  }, value);
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
  return Object.fromEntries(members(field).filter(([key]) => /^(?:anyOf|oneOf|allOf|\$ref)$/.test(key)));
}

/** The allowed values, with the labels that a contract gives all of them. */
function optionsOf(field: UnknownObject, typed: UnknownObject): UnknownObject {
  const written = pick(
    field,
    'enum',
    'options',
    'choices',
    'values',
    'allowedvalues',
    'allowed',
    'modeltypeenumoptions',
  );
  // AWX: one on each line.
  const isText = typeof written === 'string' && written.includes('\n');
  const options: unknown = isText ? written.split('\n').filter((line) => line !== '') : written;
  if (typed.type === 'object' || typed.type === 'array') return {};
  if (isObject(options)) {
    const labels = members(options).map(([, label]) => label);
    const isTable = labels.length > 0 && labels.every((label) => typeof label === 'string');
    return isTable ? { enum: members(options).map(([value]) => value), enumNames: labels } : {};
  }
  if (!Array.isArray(options) || options.length === 0) return {};
  // Pairs of a value and a label stand in either order: which one is sent is not known.
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
function partsOf(field: UnknownObject, type: unknown): UnknownObject {
  if (type === 'array') {
    const items = pick(field, 'items', 'itemtype');
    if (typeof items === 'string') return { items: schemaOfTypeName(items) ?? {} };
    return items === undefined ? {} : { items: isObject(items) ? fieldSchema(items) : {} };
  }
  if (type !== 'object' && type !== undefined) return {};
  // Without a type only what can be nothing but fields of its own; {options: [...]} may be values.
  const names =
    type === 'object' ? ['properties', 'fields', 'children', 'options'] : ['properties', 'fields'];
  const schema = shapeOfFields(pick(field, ...names))?.schema;
  return isObject(schema) ? schema : {};
}
