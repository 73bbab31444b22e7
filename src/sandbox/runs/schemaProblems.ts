import { Validator } from '@cfworker/json-schema';
import type { Detail } from '../http/errors';
import type { Schema } from '../models/model';

const validators = new WeakMap<Schema, Validator>();

/** Keywords whose error only says that something below is wrong. */
const CONTAINERS = new Set(['properties', 'items', 'additionalItems', 'prefixItems', '$ref', 'allOf']);

/** Where a value breaks a schema; `base` is the pointer of the value itself. Empty: it does not. */
export function schemaProblems(schema: Schema, value: unknown, base: string): Detail[] {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = new Validator(schema, '2020-12', false);
    validators.set(schema, validator);
  }
  const { errors } = validator.validate(value);
  const telling = errors.filter(({ keyword }) => !CONTAINERS.has(keyword));
  const seen = new Set<string>();
  return (telling.length > 0 ? telling : errors).flatMap(({ instanceLocation, error }) => {
    const path = `${base}${instanceLocation.replace(/^#/, '')}`;
    const once = `${path}\n${error}`;
    if (seen.has(once)) return [];
    seen.add(once);
    return [{ path, message: error }];
  });
}
