import type { Json } from '../../domain/json';
import { isObject, sameJson } from '../../domain/value';
import { words } from '../../domain/words';
import { type Schema, type SchemaNode, schemaMap, strings } from './node';

type Rule = (a: unknown, b: unknown) => unknown;

/** How a keyword of two schemas that both apply becomes one; other keywords keep the first schema's value. */
const RULES: Readonly<Record<string, Rule>> = {
  required: (a, b) => [...new Set([...strings(a), ...strings(b)])],
  properties: mergeProperties,
  patternProperties: mergeProperties,
  items: (a, b) => both(a as Schema, b as Schema),
  type: commonTypes,
  enum: (a, b) => {
    const common = (a as Json[]).filter((x) => (b as Json[]).some((y) => sameJson(x, y)));
    return common.length > 0 ? common : a;
  },
  ...forAll('minimum exclusiveMinimum minLength minItems minProperties', tighter(Math.max)),
  ...forAll('maximum exclusiveMaximum maxLength maxItems maxProperties', tighter(Math.min)),
  ...forAll('uniqueItems deprecated readOnly', (a, b) => a === true || b === true),
};

function forAll(keywords: string, rule: Rule): Record<string, Rule> {
  return Object.fromEntries(words(keywords).map((keyword) => [keyword, rule]));
}

/**
 * One node for two that both apply, for the form: annotations of `a` win, constraints narrow. The validator uses the
 * schemas themselves, so rules that cannot be merged (two patterns) are still enforced.
 */
export function mergeNodes(a: SchemaNode, b: SchemaNode): SchemaNode {
  const merged: Record<string, unknown> = { ...a };
  for (const [key, value] of Object.entries(b)) {
    if (!(key in merged)) merged[key] = value;
    else if (key === 'oneOf' || key === 'anyOf') {
      // Two choices at one place: the second goes under the other keyword.
      const free = ['anyOf', 'oneOf'].find((other) => !(other in merged) && !(other in b));
      if (free !== undefined && !sameJson(merged[key] as Json, value as Json)) merged[free] = value;
    } else {
      const rule = RULES[key];
      if (rule) merged[key] = rule(merged[key], value);
    }
  }
  return merged;
}

function mergeProperties(a: unknown, b: unknown): Record<string, Schema> {
  const first = schemaMap(a);
  const second = schemaMap(b);
  const entries = Object.entries(first).map(([key, schema]): [string, Schema] => {
    const other = Object.hasOwn(second, key) ? second[key] : undefined;
    return [key, other === undefined ? schema : both(schema, other)];
  });
  const added = Object.entries(second).filter(([key]) => !Object.hasOwn(first, key));
  return Object.fromEntries([...entries, ...added]);
}

function both(a: Schema, b: Schema): Schema {
  if (a === b || b === true) return a;
  if (a === true) return b;
  return { allOf: [a, b] };
}

function commonTypes(a: unknown, b: unknown): unknown {
  const first = typeof a === 'string' ? [a] : strings(a);
  const second = typeof b === 'string' ? [b] : strings(b);
  const common = first.flatMap((type) => {
    if (second.includes(type)) return [type];
    if (type === 'number' && second.includes('integer')) return ['integer'];
    return type === 'integer' && second.includes('number') ? ['integer'] : [];
  });
  if (common.length === 0) return a;
  return common.length === 1 ? common[0] : common;
}

function tighter(of: (a: number, b: number) => number): Rule {
  return (a, b) => (typeof a === 'number' && typeof b === 'number' ? of(a, b) : a);
}

/** Whether a schema only requires or forbids, and describes nothing that a form could show. */
export function isOnlyConstraint(schema: Schema): boolean {
  if (!isObject(schema)) return true;
  return Object.keys(schema).every((key) =>
    /^(required|not|minProperties|maxProperties|title|description)$/.test(key),
  );
}
