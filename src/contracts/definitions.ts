import type { Json, JsonSchema } from '../domain/json';
import { percentDecoded } from '../domain/percentDecoded';
import { segmentsOf } from '../domain/pointer';
import { getAt, isObject, ownOf, setOwn, type UnknownObject } from '../domain/value';
import { firstOf, isContainer, members, recordsIn } from '../readers/records';

// References of a schema into the body around it: their targets are copied to the place in the schema where they
// point. References to another document stay unresolved: none is fetched.

/** References and values to look at; those of a hostile schema beyond that stay unresolved. */
const MOST_REFERENCES = 1500;
const MOST_VALUES = 20_000;
const TABLES = ['components', 'definitions', '$defs', 'schemas'];

/**
 * A schema that holds all that its local references name. They are looked for in the records around it, the nearest
 * first, then by their last name in any table of definitions in the body. Without such references it is returned as is.
 *
 * @param around the records around the schema, the nearest first
 */
export function withDefinitions(schema: JsonSchema, around: readonly UnknownObject[]): JsonSchema {
  if (!isObject(schema)) return schema;
  const budget = { values: MOST_VALUES };
  const search = new Search(schema as UnknownObject, around);
  const pending = [...referencesIn(schema, budget)];
  const seen = new Set(pending);
  for (const reference of pending) {
    if (seen.size > MOST_REFERENCES) break;
    const target = search.take(reference);
    if (target === undefined) continue;
    for (const further of referencesIn(target, budget)) {
      if (!seen.has(further)) pending.push(further);
      seen.add(further);
    }
  }
  return search.result();
}

/** Copies the targets of references from the body into the schema. */
class Search {
  private readonly added = made();

  constructor(
    private readonly schema: UnknownObject,
    private readonly around: readonly UnknownObject[],
  ) {}

  /** Undefined: the schema has it, or the body has not. */
  take(pointer: string): UnknownObject | undefined {
    const known = firstOf([this.schema, this.added], (record) => foundIn(record, pointer));
    // A value that is only on the way to one of its parts is still incomplete.
    if (known !== undefined && !isMade(known)) return undefined;
    const segments = segmentsOf(pointer);
    const target =
      firstOf(this.around, (record) => foundIn(record, pointer)) ?? this.definition(segments.at(-1) ?? '');
    if (!isObject(target)) return undefined;
    return put(this.added, segments, target) ? target : undefined;
  }

  result(): JsonSchema {
    const isWhole = Object.keys(this.added).length === 0;
    return (isWhole ? this.schema : merged(this.schema, this.added)) as JsonSchema;
  }

  /** From the outermost record inwards: JSON text in an outer one is a record of its own. */
  private definition(name: string): unknown {
    return firstOf(this.around.toReversed(), (record) => definitionsOf(record).get(name));
  }
}

function foundIn(record: UnknownObject, pointer: string): unknown {
  return getAt(record as Json, pointer);
}

/** Longer ones are no references. */
const LONGEST_REFERENCE = 500;

/** The pointers of `#/…` references in a schema. */
function referencesIn(schema: UnknownObject, budget: { values: number }): Set<string> {
  const references = new Set<string>();
  const stack: unknown[] = [schema];
  while (stack.length > 0 && budget.values-- > 0) {
    const value = stack.pop();
    if (Array.isArray(value)) {
      for (const item of value) if (isContainer(item)) stack.push(item);
    } else if (isObject(value)) {
      for (const [key, member] of members(value)) {
        if (key === '$ref' && typeof member === 'string') {
          if (member.startsWith('#/') && member.length <= LONGEST_REFERENCE)
            references.add(percentDecoded(member.slice(1)));
        } else if (isContainer(member)) stack.push(member);
      }
    }
  }
  return references;
}

/** Those of one body are looked for once. */
const definitions = new WeakMap<UnknownObject, ReadonlyMap<string, unknown>>();

function definitionsOf(body: UnknownObject): ReadonlyMap<string, unknown> {
  const known = definitions.get(body) ?? definitionsIn(body);
  definitions.set(body, known);
  return known;
}

/** Every definition in a body by its name, the outermost first. */
function definitionsIn(body: UnknownObject): ReadonlyMap<string, unknown> {
  const byName = new Map<string, unknown>();
  for (const record of recordsIn([body]))
    for (const table of TABLES) {
      const definitions = record[table];
      if (!isObject(definitions)) continue;
      for (const [name, definition] of members(definitions))
        if (isObject(definition) && !byName.has(name)) byName.set(name, definition);
    }
  return byName;
}

/** Puts a value at a place in a tree of our own; a body's own values are never changed. False: the place is taken. */
function put(
  tree: Record<string, unknown>,
  segments: readonly string[],
  value: UnknownObject | string,
): boolean {
  let home = tree;
  for (const segment of segments.slice(0, -1)) {
    const inner = ownOf(home, segment) ?? made();
    if (!isMade(inner)) return false;
    setOwn(home, segment, inner);
    home = inner;
  }
  const last = segments.at(-1);
  if (last === undefined) return false;
  const parts = ownOf(home, last);
  setOwn(home, last, isMade(parts) ? merged(value, parts) : value);
  return true;
}

/** Records that `put` made. */
const ours = new WeakSet<object>();

function made(): Record<string, unknown> {
  const record = {};
  ours.add(record);
  return record;
}

function isMade(value: unknown): value is Record<string, unknown> {
  return ours.has(value as object);
}

/** A value with added parts below it; only the way to added places is copied. */
function merged(known: unknown, added: unknown): unknown {
  if (!isMade(added)) return added;
  if (Array.isArray(known))
    return known.map((item: unknown, index) => (index in added ? merged(item, added[index]) : item));
  const parts = Object.entries(added).map(([key, value]) => [
    key,
    merged(isObject(known) ? ownOf(known, key) : undefined, value),
  ]);
  return { ...(known as object | undefined), ...Object.fromEntries(parts) };
}
