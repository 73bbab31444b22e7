import type { JsonSchema } from '../../domain/json';
import type { Shape } from '../../domain/model';
import { isObject, type UnknownObject } from '../../domain/value';
import { words } from '../../domain/words';
import { fieldSchema, isRequired, schemaIn, typeOf } from './fieldSchema';
import { asText, members, pick, pickText } from './records';
import { schemaOfTypeName } from './typeNames';

// Input contracts that are a list of fields or a table of types, as JSON Schema.

type Field = readonly [name: string, schema: JsonSchema, required: boolean];

/** More fields than that are data. */
const MOST_FIELDS = 2000;

/** The shape of a list of fields, or of a table of them; undefined for anything else. */
export function shapeOfFields(value: unknown): Shape | undefined {
  if (Array.isArray(value)) return shapeOfFieldList(value);
  return isObject(value) ? (shapeOfGroups(value) ?? shapeOfFieldTable(value)) : undefined;
}

/** [{name: "text", type: "string", required: true}, ...] or ["text", "language"]. */
function shapeOfFieldList(list: readonly unknown[]): Shape | undefined {
  if (list.length > MOST_FIELDS) return undefined;
  const fields = list.filter(isOfBody).map((entry): Field | undefined => {
    if (!isObject(entry)) {
      const text = asText(entry);
      return text === undefined ? undefined : fieldOfText(text);
    }
    const field = nameOf(entry) === undefined ? unwrapped(entry) : entry;
    const name = field && nameOf(field);
    return field && name !== undefined ? [name, fieldSchema(field), isRequired(field)] : undefined;
  });
  return fields.includes(undefined) ? undefined : shapeOf(fields as Field[]);
}

const NAMES = words('name parametername key field id param parameter slug variable');

function nameOf(field: UnknownObject): string | undefined {
  // Gradio: a parameter of a function has but a label.
  return pickText(field, ...NAMES) ?? (typeOf(field) === undefined ? undefined : pickText(field, 'label'));
}

/** Discovery and OpenAPI documents describe parameters in addresses and headers the same way. */
function isOfBody(field: unknown): boolean {
  return !isObject(field) || !/^(?:query|path|header|cookie)$/.test(String(pick(field, 'location', 'in')));
}

/** Dify: {"text-input": {variable: "topic", required: true}}, where the only name is that of the type. */
function unwrapped(entry: UnknownObject): UnknownObject | undefined {
  const [only, ...others] = members(entry);
  if (only === undefined || others.length > 0) return undefined;
  const [type, field] = only;
  return isObject(field) && schemaOfTypeName(type) !== undefined ? { type, ...field } : undefined;
}

/** "text", or "text: string" as in a signature. */
function fieldOfText(text: string): Field {
  const [, name = text, mark, type] = /^([\w-]{1,100})([?*]?)\s*:\s*(\S.*)$/.exec(text) ?? [];
  const schema = type === undefined ? undefined : schemaOfTypeName(type);
  return schema === undefined ? [text, {}, false] : [name, schema, mark === '*'];
}

/** ComfyUI: {required: {seed: ["INT", {...}]}, optional: {...}, hidden: {...}}. */
function shapeOfGroups(groups: UnknownObject): Shape | undefined {
  const { required, optional } = groups;
  if (!members(groups).every(([key]) => /^(?:required|optional|hidden)$/.test(key))) return undefined;
  const fields = [required, optional].flatMap((group, index) =>
    isObject(group)
      ? members(group).map(([name, value]): Field => [name, schemaOfEntry(value), index === 0])
      : [],
  );
  return shapeOf(fields);
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
  return shapeOf(
    entries.map(([rawName, value]): Field => {
      // "text?" and "text*" are how hand-written tables mark the optional and the required.
      const name = rawName.replace(/[?*]$/, '');
      const required = rawName.endsWith('*') || (isObject(value) && isRequired(value));
      return [name, schemaOfEntry(value), required];
    }),
  );
}

/** The schema of an entry of a table: a field, the name of a type, or a pair of a type and its bounds. */
function schemaOfEntry(value: unknown): JsonSchema {
  if (isObject(value)) return fieldSchema(value);
  if (!Array.isArray(value)) return schemaOfTypeName(String(value)) ?? {};
  const [type, bounds] = value as unknown[];
  const described = isObject(bounds) ? bounds : {};
  return fieldSchema(Array.isArray(type) ? { ...described, enum: type } : { ...described, type });
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

/** Whether a record describes fields, though none that stand in a list or table, and is no example of an input. */
export function isAboutFields(record: UnknownObject): boolean {
  return describesField(record) || members(record).every(([, each]) => !isOfBody(each));
}

/** {name, type: "string", description} */
function describesField(record: UnknownObject): boolean {
  const type = pick(record, 'type', 'datatype');
  return (
    typeof type === 'string' &&
    TYPE_ONLY.test(type) &&
    nameOf(record) !== undefined &&
    pick(record, 'description', 'default', 'required', 'options') !== undefined
  );
}

function isDescription(value: unknown): boolean {
  if (typeof value === 'string') return schemaOfTypeName(value) !== undefined;
  if (!isObject(value) || pick(value, 'mediaref') !== undefined) return false;
  return typeOf(value) !== undefined || schemaIn(value) !== undefined;
}

/** Type names that are hardly ever values; "text" or "image" may be the value of an example. */
const TYPE_ONLY =
  /^(?:string|str|integer|int|float|double|number|boolean|bool)\b|\[\]$|^(?:list|array|optional)\W/i;

function isSurelyDescription(value: unknown): boolean {
  return typeof value === 'string' ? TYPE_ONLY.test(value.trim()) : isObject(value);
}
