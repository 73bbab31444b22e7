import { parsedJson } from '../domain/exactNumbers';
import type { JsonSchema } from '../domain/json';
import type { Shape } from '../domain/model';
import { isObject } from '../domain/value';
import { members, pick } from '../readers/records';
import { pickRecord, shapeOfFields, withRequired } from './fields';
import { isSchema } from './jsonSchema';
import { limitsAsNumbers } from './limits';

// An input contract: JSON Schema of any draft, a list of fields, a table of types, or a bare example. All become JSON
// Schema; `origin` names the source.

const MOST_DEPTH = 12;
/** Larger examples are described in part. */
const MOST_VALUES = 2000;
/** Longer texts are not parsed: the largest OpenAPI documents of models are below it. */
const LONGEST_TEXT = 1_500_000;

/** A value, or that of the JSON text in its place. */
export function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > LONGEST_TEXT || !/^\s*[[{]/.test(value)) return value;
  return limitsAsNumbers(parsedJson(value)) ?? value;
}

/** The shape that a value describes; undefined when it describes none. */
export function readShape(value: unknown, depth = 0): Shape | undefined {
  if (depth > 4) return undefined;
  if (value === true) return { schema: true, origin: 'declared' };
  if (typeof value === 'string') {
    const parsed = jsonOf(value);
    return typeof parsed === 'string' ? undefined : readShape(parsed, depth + 1);
  }
  if (Array.isArray(value)) return shapeOfFields(value);
  if (!isObject(value) || members(value).length === 0) return undefined;
  if (isSchema(value)) return { schema: value, origin: 'declared' };
  // {schema: {...}}, {fields: [...]}, {example: {...}}: the name gives the kind of the value.
  const named =
    readShape(pick(value, 'schema', 'jsonschema'), depth + 1) ??
    withRequired(shapeOfFields(pick(value, 'fields', 'properties', 'parameters')), pick(value, 'required'));
  if (named !== undefined) return named;
  const example = pickRecord(value, 'example');
  const fields = example === undefined ? shapeOfFields(value) : undefined;
  return fields ?? { schema: schemaOfExample(example ?? value), origin: 'example' };
}

/** The schema of which a value is an example: its types, without required members, and with any others. */
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
