import { Validator } from '@cfworker/json-schema';
import type { Detail } from '../http/errors';
import type { Schema } from '../models/schema';

const validators = new WeakMap<Schema, Validator>();

/** Keywords with an error that only repeats that of a nested keyword. */
const CONTAINERS = new Set(['properties', 'items', 'additionalItems', 'prefixItems', '$ref', 'allOf']);

/** The places where a value violates a schema; `base` is the pointer to the value. */
export function schemaProblems(schema: Schema, value: unknown, base: string): Detail[] {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = new Validator(schema, '2020-12', false);
    validators.set(schema, validator);
  }
  const { errors } = validator.validate(value);
  const specific = errors.filter(({ keyword }) => !CONTAINERS.has(keyword));
  const problems = (specific.length > 0 ? specific : errors).map(({ instanceLocation, error }) => ({
    path: `${base}${instanceLocation.replace(/^#/, '')}`,
    message: error,
  }));
  // Each once.
  return [...new Map(problems.map((problem) => [`${problem.path}\n${problem.message}`, problem])).values()];
}
