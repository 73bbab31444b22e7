import type { Json } from '../../domain/json';
import type { CompiledSchema, Schema } from '../schema/node';
import { Evaluation } from './evaluation';

/** Whether a schema allows a value; where that is not known it counts as allowed, and the service decides. */
export function matches(compiled: CompiledSchema, schema: Schema, value: Json): boolean {
  return new Evaluation(compiled).evaluate(schema, value).verdict !== 'invalid';
}
