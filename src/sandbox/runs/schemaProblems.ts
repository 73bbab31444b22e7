import { Validator } from '@cfworker/json-schema';
import type { Detail } from '../http/errors';
import type { Schema } from '../models/schema';

const validators = new WeakMap<Schema, Validator>();

/** Keywords whose error only repeats that of a nested keyword. */
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
  const seen = new Set<string>();
  return (specific.length > 0 ? specific : errors).flatMap(({ instanceLocation, error }) => {
    const path = `${base}${instanceLocation.replace(/^#/, '')}`;
    const once = `${path}\n${error}`;
    if (seen.has(once)) return [];
    seen.add(once);
    return [{ path, message: error }];
  });
}
