import { type OutputUnit, type Schema as ValidatorSchema, validate } from '@cfworker/json-schema';
import type { Json } from '../../domain/json';
import type { CompiledSchema, Schema } from './node';

/** The validator's findings; undefined when it failed (nested too deep, or text that is not Unicode). */
export function findings(
  compiled: CompiledSchema,
  schema: Schema,
  value: Json,
  mode: 'all' | 'first',
): readonly OutputUnit[] | undefined {
  try {
    const lookup = compiled.lookup as Record<string, ValidatorSchema | boolean>;
    return validate(value, schema as ValidatorSchema | boolean, '2020-12', lookup, mode === 'first').errors;
  } catch {
    return undefined;
  }
}

/** Whether a value matches a schema; a value that cannot be checked counts as matching, and the service decides. */
export function matches(compiled: CompiledSchema, schema: Schema, value: Json): boolean {
  return (findings(compiled, schema, value, 'first') ?? []).length === 0;
}
