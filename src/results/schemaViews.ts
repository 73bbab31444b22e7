import type { Json, JsonSchema } from '../domain/json';
import { getAt, isObject, setOwn, type UnknownObject } from '../domain/value';
import { classifyResult } from './classify';
import { type ChosenViews, isViewKind, placePattern } from './viewKinds';

const DEEPEST = 5;
/** Parts of a schema that are gone through: a result has few places with views of their own. */
const MOST_PARTS = 1_000;

/** Members of a response around its result. */
const AROUND = /^\/(?:data|job|output|response|result|run)(?=\/|$)/;

/**
 * Views by the places of an output schema, as the classifier chooses them for a typical result. The schema may be that of
 * the response, so that a place counts without the members around the result too.
 */
export function schemaViews(schema: JsonSchema): ChosenViews {
  const { sections } = classifyResult(typicalOf({ root: schema, left: MOST_PARTS }, schema, 0));
  const views = new Map(
    sections.flatMap(({ pointer, part }) =>
      isViewKind(part.kind) ? [[placePattern(pointer), part.kind] as const] : [],
    ),
  );
  for (const [pattern, kind] of [...views]) {
    for (let rest = pattern.replace(AROUND, ''), last = pattern; rest !== last; ) {
      if (!views.has(rest)) views.set(rest, kind);
      last = rest;
      rest = rest.replace(AROUND, '');
    }
  }
  return views;
}

interface Reading {
  readonly root: JsonSchema;
  /** Parts that may still be read. */
  left: number;
}

/** A value that the schema allows, with numbers that are shares where it says so; null where it says nothing. */
function typicalOf(reading: Reading, schema: unknown, depth: number): unknown {
  reading.left -= 1;
  if (!isObject(schema) || depth > DEEPEST || reading.left < 0) return null;
  const { $ref, type, properties, items, additionalProperties } = schema as UnknownObject;
  if (typeof $ref === 'string')
    return $ref.startsWith('#')
      ? typicalOf(reading, getAt(reading.root as Json, $ref.slice(1)), depth + 1)
      : null;
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    const variants: unknown = (schema as UnknownObject)[keyword];
    if (Array.isArray(variants) && !properties)
      return (
        variants.map((one) => typicalOf(reading, one, depth + 1)).find((value) => value !== null) ?? null
      );
  }
  const [kind] = [type].flat().filter((one) => one !== 'null');
  if (kind === 'array' || items !== undefined) return typicalList(reading, schema as UnknownObject, depth);
  if (kind === 'object' || properties !== undefined) {
    const object: UnknownObject = {};
    const members = isObject(properties) ? Object.entries(properties as UnknownObject) : [];
    for (const [name, member] of members)
      setOwn(object as { [name: string]: unknown }, name, typicalOf(reading, member, depth + 1));
    const value = members.length === 0 ? typicalOf(reading, additionalProperties, depth + 1) : null;
    return value === null ? object : { one: value, other: value };
  }
  if (kind === 'string') return 'word';
  if (kind === 'boolean') return true;
  return kind === 'number' || kind === 'integer' ? typicalNumber(schema as UnknownObject, kind) : null;
}

function typicalList(reading: Reading, schema: UnknownObject, depth: number): unknown {
  const { items, type, maxItems } = schema;
  const item = typicalOf(reading, Array.isArray(items) ? (items as unknown[])[0] : items, depth + 1);
  // Cog's mark of a list whose strings are pieces of one text.
  if (item === 'word') return schema['x-cog-array-display'] === 'concatenate' ? ['a ', 'b ', 'c'] : null;
  return item === null && type !== 'array'
    ? null
    : Array.from({ length: maxItems === 1 ? 1 : 8 }, () => item);
}

function typicalNumber({ minimum, maximum }: UnknownObject, kind: string): number {
  if (minimum === 0 && maximum === 1) return kind === 'integer' ? 1 : 0.5;
  return typeof minimum === 'number' ? minimum + 1 : 2;
}
