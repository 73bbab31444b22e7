import type { Shape } from '../domain/model';
import { isObject, type UnknownObject } from '../domain/value';
import { members } from '../readers/records';
import { withDefinitions } from './definitions';
import type { Evidence } from './evidence';

// Chooses the most informative evidence.

/**
 * The best evidence: a schema or fields before an example, a restricting one before one that allows every value, the
 * clearer name, then the nearer place.
 */
export function best(evidence: readonly Evidence[]): Evidence | undefined {
  const rank = ({ shape, weight, place }: Evidence) =>
    substance(shape) * 1000 + weight * 100 - Math.min(place.cost, 99);
  let chosen = evidence[0];
  for (const each of evidence) if (chosen === undefined || rank(each) > rank(chosen)) chosen = each;
  return chosen;
}

/** Whether fields have names and perhaps words about them, but no types: those may be the names of anything. */
function isOfNames({ schema, origin }: Shape): boolean {
  if (origin !== 'fields' || !isObject(schema)) return false;
  const { properties } = schema as UnknownObject;
  return isObject(properties) && members(properties).every(([, each]) => isOpen(each));
}

function isOpen(schema: unknown): boolean {
  return isObject(schema) && members(schema).every(([key]) => key === 'title' || key === 'description');
}

/** The shape, with all that its references name. */
export function completeShape({ shape, around }: Pick<Evidence, 'shape' | 'around'>): Shape {
  return { ...shape, schema: withDefinitions(shape.schema, around) };
}

/** 3: restricts the value; 2: allows any value; 1: only an example. */
export function substance({ schema, origin }: Shape): number {
  if (origin === 'example') return 1;
  if (!isObject(schema)) return 2;
  const { properties, type } = schema as UnknownObject;
  if (isOfNames({ schema, origin })) return 2;
  if (isObject(properties) && members(properties).length > 0) return 3;
  const says = ['$ref', 'allOf', 'anyOf', 'oneOf', 'additionalProperties', 'patternProperties'];
  return says.some((key) => key in schema) || (type !== undefined && type !== 'object') ? 3 : 2;
}
