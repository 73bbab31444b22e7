import type { JsonSchema } from '../../domain/json';
import type { Shape } from '../../domain/model';
import { isObject, type UnknownObject } from '../../domain/value';
import { words } from '../../domain/words';
import { isAboutFields, shapeOfFields } from './fieldLists';
import { limitsAsNumbers } from './limits';
import { firstOf, members, parsedJson, pick } from './records';
import { isTypeDefinition, schemaOfTypeDefinition } from './typeDefinition';

// An input contract: JSON Schema of any draft, a list of fields, a table of types, or a bare example. All become
// JSON Schema; `origin` says from what.

const SCHEMA_TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const MOST_DEPTH = 12;
/** Larger examples are described in part. */
const MOST_VALUES = 2000;

/** Read once: several readers ask for that of one value. */
const shapes = new WeakMap<object, { readonly shape: Shape | undefined }>();

/** The shape that a value describes; undefined when it describes none. */
export function readShape(value: unknown): Shape | undefined {
  if (typeof value !== 'object' || value === null) return shapeOf(value, 0);
  const known = shapes.get(value) ?? { shape: shapeOf(value, 0) };
  shapes.set(value, known);
  return known.shape;
}

function shapeOf(value: unknown, depth: number): Shape | undefined {
  if (depth > 4) return undefined;
  if (value === true) return { schema: true, origin: 'declared' };
  if (typeof value === 'string')
    return /^\s*[[{]/.test(value) ? shapeOf(limitsAsNumbers(parsedJson(value)), depth + 1) : undefined;
  if (Array.isArray(value)) return shapeOfFields(value);
  if (!isObject(value) || members(value).length === 0) return undefined;
  if (isTypeDefinition(value)) return { schema: schemaOfTypeDefinition(value), origin: 'declared' };
  if (isSchema(value)) return { schema: value, origin: 'declared' };
  if (isUpperCase(value)) return { schema: withLowerTypes(value, { values: 20_000 }), origin: 'declared' };
  // {schema: {...}}, {fields: [...]}, {example: {...}}: the name says what is inside.
  const named =
    firstOf(words('jsonschema schema inputschema'), (name) => shapeOf(pick(value, name), depth + 1)) ??
    firstOf(words('fields properties parameters inputs arguments'), (name) =>
      shapeOfFields(pick(value, name)),
    );
  if (named !== undefined) return named;
  const example = pick(value, 'example', 'sample');
  if (isObject(example)) return { schema: schemaOfExample(example), origin: 'example' };
  return (
    shapeOfFields(value) ??
    (isAboutFields(value) ? undefined : { schema: schemaOfExample(value), origin: 'example' })
  );
}

/** Keywords of JSON Schema. */
const KEYWORDS =
  /^(?:type|title|description|default|examples?|enum|const|format|items|required|additionalProperties|pattern|nullable|\$.*|x-.*|m(?:in|ax).*|exclusiveM.*|content.*|unevaluated.*|prefixItems|contains|uniqueItems|multipleOf|propertyNames|patternProperties|dependent.*|if|then|else|not|definitions|readOnly|writeOnly|deprecated)$/;

const COMBINES = /^(?:anyOf|oneOf|allOf)$/;

/** A document's own schema may stand under `$schema` as well. */
const DRAFT = /json-schema\.org\//;

/** Whether a record is a JSON Schema, and not data that happens to have a `type`. */
export function isSchema(value: UnknownObject): boolean {
  const { type, properties } = value;
  if (typeof value.$ref === 'string') return true;
  const areSchemas = (items: readonly unknown[]) =>
    items.every((item) => isObject(item) || typeof item === 'boolean');
  if (isObject(properties) && areSchemas(members(properties).map(([, each]) => each)))
    return type === undefined ? members(properties).some(([, each]) => describes(each)) : isSchemaType(type);
  if (typeof value.$schema === 'string' && DRAFT.test(value.$schema)) return true;
  const combines = ['anyOf', 'oneOf', 'allOf'].map((word) => value[word]);
  if (combines.some((parts) => Array.isArray(parts) && parts.every((part) => isObject(part)))) return true;
  // {type: "string"} alone, or with other keywords, describes; with other names it is a field called `type`.
  return isSchemaType(type) && members(value).every(([key]) => KEYWORDS.test(key));
}

/** Whether a member of `properties` is a schema, and not data in a record that is called so as well. */
function describes(member: unknown): boolean {
  if (!isObject(member)) return true;
  const names = members(member).map(([key]) => key);
  return (
    names.length === 0 ||
    names.some((key) => key === 'properties' || COMBINES.test(key) || KEYWORDS.test(key))
  );
}

function isSchemaType(type: unknown): boolean {
  return Array.isArray(type)
    ? type.length > 0 && type.every((item) => SCHEMA_TYPES.has(item as string))
    : typeof type === 'string' && SCHEMA_TYPES.has(type);
}

/** Gemini and Vertex AI write types as the names of an enumeration: {type: "OBJECT", properties: {...}}. */
function isUpperCase({ type, properties }: UnknownObject): boolean {
  return (
    typeof type === 'string' &&
    /^[A-Z]+$/.test(type) &&
    isSchemaType(type.toLowerCase()) &&
    isObject(properties)
  );
}

function withLowerTypes(schema: UnknownObject, budget: { values: number }): UnknownObject {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (budget.values-- <= 0) return [key, value];
      if (key === 'type' && typeof value === 'string') return [key, value.toLowerCase()];
      if (Array.isArray(value))
        return [key, value.map((item: unknown) => (isObject(item) ? withLowerTypes(item, budget) : item))];
      return [key, isObject(value) ? withLowerTypes(value, budget) : value];
    }),
  );
}

/** The schema of which a value is an example: its types, nothing required, anything else allowed. */
function schemaOfExample(value: unknown, depth = 0, budget = { values: MOST_VALUES }): JsonSchema {
  if (depth > MOST_DEPTH || budget.values-- <= 0 || value === null || value === undefined) return {};
  if (Array.isArray(value))
    return value.length === 0
      ? { type: 'array' }
      : { type: 'array', items: schemaOfExample(value[0], depth + 1, budget) };
  if (isObject(value)) {
    const properties = Object.fromEntries(
      members(value).map(([key, item]) => [key, schemaOfExample(item, depth + 1, budget)]),
    );
    return { type: 'object', properties, ...(depth === 0 && { examples: [value] }) };
  }
  // An example of 1 does not mean that 0.5 is wrong.
  return { type: typeof value };
}
