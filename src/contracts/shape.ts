import type { JsonSchema } from '../domain/json';
import type { Shape } from '../domain/model';
import { isObject } from '../domain/value';
import { words } from '../domain/words';
import { firstOf, members, parsedJson, pick } from '../readers/records';
import { isAboutFields, shapeOfFields } from './fields';
import { isSchema } from './jsonSchema';
import { limitsAsNumbers } from './limits';
import { shapeOfGroups, withRequired } from './requiredFields';

// An input contract: JSON Schema of any draft, a list of fields, a table of types, or a bare example. All become JSON
// Schema; `origin` names the source.

const MOST_DEPTH = 12;
/** Larger examples are described in part. */
const MOST_VALUES = 2000;

/** Read once: several readers ask for that of one value. */
const shapes = new WeakMap<object, { readonly shape: Shape | undefined }>();

/** The shape that a value describes; undefined when it describes none. */
export function readShape(value: unknown): Shape | undefined {
  if (typeof value !== 'object' || value === null) return readShapeAt(value, 0);
  const known = shapes.get(value) ?? { shape: readShapeAt(value, 0) };
  shapes.set(value, known);
  return known.shape;
}

function readShapeAt(value: unknown, depth: number): Shape | undefined {
  if (depth > 4) return undefined;
  if (value === true) return { schema: true, origin: 'declared' };
  if (typeof value === 'string')
    return /^\s*[[{]/.test(value) ? readShapeAt(limitsAsNumbers(parsedJson(value)), depth + 1) : undefined;
  if (Array.isArray(value)) return shapeOfFields(value);
  if (!isObject(value) || members(value).length === 0) return undefined;
  if (isSchema(value)) return { schema: value, origin: 'declared' };
  // {schema: {...}}, {fields: [...]}, {example: {...}}: the name gives the kind of the value.
  const named =
    firstOf(words('jsonschema schema inputschema'), (name) => readShapeAt(pick(value, name), depth + 1)) ??
    firstOf(words('fields properties parameters inputs arguments'), (name) =>
      withRequired(shapeOfFields(pick(value, name)), pick(value, 'required')),
    ) ??
    shapeOfGroups(value);
  if (named !== undefined) return named;
  const example = pick(value, 'example', 'sample');
  if (isObject(example)) return { schema: schemaOfExample(example), origin: 'example' };
  return (
    shapeOfFields(value) ??
    (isAboutFields(value) ? undefined : { schema: schemaOfExample(value), origin: 'example' })
  );
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
