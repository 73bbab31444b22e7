import type { Json } from '../../domain/json';
import { childPointer, segmentsOf } from '../../domain/pointer';
import { getAt, isObject } from '../../domain/value';
import { flatten } from './flatten';
import { nearestVariant } from './nearestVariant';
import {
  type CompiledSchema,
  childSchema,
  type Schema,
  type SchemaNode,
  schemaList,
  schemaMap,
} from './node';

/** By `x-order` where given, else as declared. */
export function inOrder(
  compiled: CompiledSchema,
  named: Readonly<Record<string, Schema>>,
): [string, Schema][] {
  const ranked = Object.entries(named).map((entry) => {
    const order = flatten(compiled, entry[1], undefined).node['x-order'];
    return { entry, at: typeof order === 'number' ? order : Number.POSITIVE_INFINITY };
  });
  return ranked.toSorted((a, b) => (a.at === b.at ? 0 : a.at - b.at)).map(({ entry }) => entry);
}

interface Step {
  readonly node: SchemaNode;
  /** The place of each named member. */
  readonly members: ReadonlyMap<string, number>;
}

/**
 * Places in the order in which the form shows them, so that the first problem is the topmost; members that the schema
 * does not name come after those it names.
 *
 * @param base the beginning of the pointers
 */
export function inFormOrder<T extends { readonly pointer: string }>(
  compiled: CompiledSchema,
  value: Json,
  base: string,
  places: readonly T[],
): T[] {
  // Computed once for each object on the way, for any number of problems inside it.
  const steps = new Map<string, Step>();
  const stepAt = (pointer: string, schema: Schema, at: Json | undefined): Step => {
    const known = steps.get(pointer);
    if (known) return known;
    const { node } = flatten(compiled, schemaFor(compiled, schema, at), at);
    const members = Array.isArray(at) ? [] : inOrder(compiled, schemaMap(node.properties));
    const step = { node, members: new Map(members.map(([name], rank) => [name, rank])) };
    steps.set(pointer, step);
    return step;
  };
  const path = (pointer: string): number[] => {
    let schema: Schema = compiled.root;
    let at: Json | undefined = value;
    let here = '';
    return segmentsOf(pointer.slice(base.length)).map((key) => {
      const { node, members } = stepAt(here, schema, at);
      here = childPointer(here, key);
      schema = childSchema(compiled, node, key, Array.isArray(at)) ?? true;
      const parent = at;
      at = getAt(parent, childPointer('', key));
      if (Array.isArray(parent)) return Number(key);
      const others = isObject(parent) ? Object.keys(parent) : [];
      return members.get(key) ?? members.size + others.indexOf(key) + 1;
    });
  };
  const ranked = places.map((place) => ({ place, path: path(place.pointer) }));
  return ranked.toSorted((a, b) => compare(a.path, b.path)).map(({ place }) => place);
}

/** A schema, or for a choice its variant nearest to the value. */
function schemaFor(compiled: CompiledSchema, schema: Schema, value: Json | undefined): Schema {
  const { node } = flatten(compiled, schema, value);
  const variants = schemaList(node.oneOf ?? node.anyOf);
  if (variants.length === 0 || value === undefined || 'properties' in node) return schema;
  return variants[nearestVariant(compiled, variants, value)] ?? schema;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((rank, index) => rank !== b[index]);
  if (at < 0) return a.length - b.length;
  return (a[at] ?? 0) - (b[at] ?? -1);
}
