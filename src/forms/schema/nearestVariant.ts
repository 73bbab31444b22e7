import type { Json } from '../../domain/json';
import { leastOf } from '../../domain/many';
import { isObject, sameJson } from '../../domain/value';
import { Evaluation } from '../evaluation/evaluation';
import { flatten, formType } from './flatten';
import { type CompiledSchema, type Schema, schemaMap, strings } from './node';

/** The index of the schema that a value matches, or would match with the fewest changes. */
export function nearestVariant(compiled: CompiledSchema, variants: readonly Schema[], value: Json): number {
  const { evaluate } = new Evaluation(compiled);
  const outcomes = variants.map((schema) => evaluate(schema, value));
  for (const verdict of ['valid', 'unknown'] as const) {
    const exact = outcomes.findIndex((outcome) => outcome.verdict === verdict);
    if (exact >= 0) return exact;
  }
  const distances = variants.map(
    (schema, index) => distance(compiled, schema, value) + (outcomes[index]?.findings.length ?? 0) / 100,
  );
  return distances.indexOf(leastOf(distances));
}

function distance(compiled: CompiledSchema, schema: Schema, value: Json): number {
  const { node } = flatten(compiled, schema, value);
  const type = formType(node);
  const actual = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  const fits = type === undefined || type === actual || (type === 'integer' && actual === 'number');
  // "Only null is allowed" is no help where another kind is, too.
  let far = fits ? 0 : type === 'null' ? 1001 : 1000;
  if (isObject(value)) {
    const named = schemaMap(node.properties);
    for (const [key, item] of Object.entries(value)) {
      const member = Object.hasOwn(named, key)
        ? flatten(compiled, named[key] as Schema, item).node
        : undefined;
      if (member === undefined) far += 10;
      // A tag of another variant (`type: "b"`).
      else if ('const' in member && !sameJson(member.const as Json, item)) far += 100;
      else if (
        Array.isArray(member.enum) &&
        !(member.enum as Json[]).some((option) => sameJson(option, item))
      )
        far += 50;
    }
    far += strings(node.required).filter((key) => !Object.hasOwn(value, key)).length * 5;
  }
  return far;
}
