import type { Json, JsonSchema } from '../domain/json';
import { percentDecoded } from '../domain/percentDecoded';
import { segmentsOf } from '../domain/pointer';
import { getAt, isContainer, isObject, ownOf, setOwn, type UnknownObject } from '../domain/value';
import { firstOf, members } from '../readers/records';

// References of a schema into the body around it: their targets are copied to the place in the schema where they
// point. References to another document stay unresolved: none is fetched.

/** References and values to look at; those of a hostile schema beyond that stay unresolved. */
const MOST_REFERENCES = 1500;
const MOST_VALUES = 20_000;
/** Longer ones are no references. */
const LONGEST_REFERENCE = 500;

/**
 * A schema that holds all that its local references name, from the records around it. Without such references it is
 * returned as is.
 *
 * @param around the records around the schema, the nearest first
 */
export function withDefinitions(schema: JsonSchema, around: readonly UnknownObject[]): JsonSchema {
  if (!isObject(schema)) return schema;
  const budget = { values: MOST_VALUES };
  const pending = referencesIn(schema, budget);
  const whole = { ...(schema as UnknownObject) };
  let isWhole = true;
  const own = new WeakSet<object>();
  /** Records that are there only as the way to one of their parts: still incomplete. */
  const ways = new WeakSet<object>();
  for (const pointer of pending) {
    if (pending.size > MOST_REFERENCES) break;
    const known = getAt(whole as Json, pointer);
    const target = firstOf(around, (record) => getAt(record as Json, pointer));
    if (!isObject(target) || (known !== undefined && !ways.has(known as object))) continue;
    const segments = segmentsOf(pointer);
    let home: Record<string, unknown> = whole;
    for (const segment of segments.slice(0, -1)) {
      const inner = ownOf(home, segment);
      const copy: object =
        isContainer(inner) && own.has(inner) ? inner : Object.assign(Array.isArray(inner) ? [] : {}, inner);
      if (!isContainer(inner)) ways.add(copy);
      own.add(copy);
      setOwn(home, segment, copy);
      home = copy as Record<string, unknown>;
    }
    setOwn(home, segments.at(-1)!, target);
    isWhole = false;
    for (const further of referencesIn(target as UnknownObject, budget)) pending.add(further);
  }
  return (isWhole ? schema : whole) as JsonSchema;
}

/** The pointers of `#/…` references in a schema. */
function referencesIn(schema: UnknownObject, budget: { values: number }): Set<string> {
  const references = new Set<string>();
  const stack: unknown[] = [schema];
  while (stack.length > 0 && budget.values-- > 0) {
    const value = stack.pop();
    const entries = Array.isArray(value) ? value.entries() : isObject(value) ? members(value) : [];
    for (const [key, member] of entries) {
      if (isContainer(member)) stack.push(member);
      else if (key === '$ref' && typeof member === 'string' && member.length <= LONGEST_REFERENCE)
        if (member.startsWith('#/')) references.add(percentDecoded(member.slice(1)));
    }
  }
  return references;
}
