import type { JsonSchema } from '../../domain/json';
import type { Shape } from '../../domain/model';
import { isObject, type UnknownObject } from '../../domain/value';
import { words } from '../../domain/words';
import { shapeOfFields, shapeOfFieldTable } from './fieldLists';
import { firstOf, parsedJson, pick } from './records';

// An input contract: JSON Schema of any draft, a list of fields, a table of types, or a bare example. All become
// JSON Schema; `origin` says from what.

const SCHEMA_TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const MOST_DEPTH = 12;

/** The shape that a value describes; undefined when it describes none. */
export function readShape(value: unknown, depth = 0): Shape | undefined {
  if (depth > 4) return undefined;
  if (value === true) return { schema: true, origin: 'declared' };
  if (typeof value === 'string')
    return /^\s*[[{]/.test(value) ? readShape(parsedJson(value), depth + 1) : undefined;
  if (Array.isArray(value)) return shapeOfFields(value);
  if (!isObject(value) || Object.keys(value).length === 0) return undefined;
  if (isSchema(value)) return { schema: value, origin: 'declared' };
  // {schema: {...}}, {fields: [...]}, {example: {...}}: the name says what is inside.
  const named =
    firstOf(words('jsonschema schema inputschema'), (name) => readShape(pick(value, name), depth + 1)) ??
    firstOf(words('fields properties parameters inputs arguments'), (name) =>
      shapeOfFields(pick(value, name)),
    );
  if (named !== undefined) return named;
  const example = pick(value, 'example', 'sample');
  if (isObject(example)) return { schema: schemaOfExample(example), origin: 'example' };
  return shapeOfFieldTable(value) ?? { schema: schemaOfExample(value), origin: 'example' };
}

/** Keywords of JSON Schema. */
const KEYWORDS =
  /^(?:type|title|description|default|examples?|enum|const|format|items|required|additionalProperties|pattern|nullable|\$.*|x-.*|m(?:in|ax).*|exclusiveM.*|content.*|unevaluated.*|prefixItems|contains|uniqueItems|multipleOf|propertyNames|patternProperties|dependent.*|if|then|else|not|definitions|readOnly|writeOnly|deprecated)$/;

/** Whether a record is a JSON Schema, and not data that happens to have a `type`. */
export function isSchema(value: UnknownObject): boolean {
  const { type, properties } = value;
  if (typeof value.$schema === 'string' || typeof value.$ref === 'string') return true;
  const areSchemas = (items: readonly unknown[]) =>
    items.every((item) => isObject(item) || typeof item === 'boolean');
  if (isObject(properties) && areSchemas(Object.values(properties)))
    return type === undefined || isSchemaType(type);
  const combines = ['anyOf', 'oneOf', 'allOf'].map((word) => value[word]);
  if (combines.some((parts) => Array.isArray(parts) && parts.every((part) => isObject(part)))) return true;
  // {type: "string"} alone, or with other keywords, describes; with other names it is a field called `type`.
  return isSchemaType(type) && Object.keys(value).every((key) => KEYWORDS.test(key));
}

function isSchemaType(type: unknown): boolean {
  return Array.isArray(type)
    ? type.length > 0 && type.every((item) => SCHEMA_TYPES.has(item as string))
    : typeof type === 'string' && SCHEMA_TYPES.has(type);
}

/** The schema of which a value is an example: its types, nothing required, anything else allowed. */
function schemaOfExample(value: unknown, depth = 0): JsonSchema {
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
  // An example of 1 does not mean that 0.5 is wrong.
  return { type: typeof value };
}
