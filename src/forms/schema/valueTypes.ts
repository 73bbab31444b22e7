import type { Json } from '../../domain/json';
import { pointerOf } from '../../domain/pointer';
import { getAt } from '../../domain/value';
import { flatten, formType } from './flatten';
import { type CompiledSchema, nodeTypes, type Schema, type SchemaNode, schemaList, schemaMap } from './node';

/** A type of JSON Schema but for null. */
export type ValueType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';

/**
 * The types that a schema allows at a place of a value, those of all its variants together.
 * @param value the current value, which conditions of the schema look at
 * @param place names and indexes on the way to it
 * @returns undefined where the schema does not say
 */
export function valueTypes(
  compiled: CompiledSchema,
  value: Json | undefined,
  place: readonly string[],
): ReadonlySet<ValueType> | undefined {
  return typesAt(compiled, compiled.root, value, place, 0);
}

/** Variants inside variants: deeper ones say nothing. */
const DEEPEST = 20;

function typesAt(
  compiled: CompiledSchema,
  schema: Schema,
  value: Json | undefined,
  place: readonly string[],
  depth: number,
): ReadonlySet<ValueType> | undefined {
  if (depth > DEEPEST) return undefined;
  const { node } = flatten(compiled, schema, value);
  const [name, ...rest] = place;
  if (name === undefined) {
    const own = ownTypes(node);
    if (own) return own;
  } else {
    const child = childOf(node, name);
    if (child !== undefined)
      return typesAt(compiled, child, getAt(value, pointerOf([name])), rest, depth + 1);
  }
  const variants = [...schemaList(node.anyOf), ...schemaList(node.oneOf)];
  const all = variants.map((variant) => typesAt(compiled, variant, value, place, depth + 1));
  if (name === undefined && all.includes(undefined)) return undefined;
  const known = all.filter((types) => types !== undefined);
  return known.length === 0 ? undefined : new Set(known.flatMap((types) => [...types]));
}

function childOf(node: SchemaNode, name: string): Schema | undefined {
  const properties = schemaMap(node.properties);
  if (Object.hasOwn(properties, name)) return properties[name];
  if (/^\d+$/.test(name)) {
    const item = schemaList(node.prefixItems)[Number(name)] ?? node.items;
    if (item !== undefined) return item as Schema;
  }
  const { additionalProperties } = node;
  return typeof additionalProperties === 'object' ? (additionalProperties as Schema) : undefined;
}

function ownTypes(node: SchemaNode): ReadonlySet<ValueType> | undefined {
  const named = nodeTypes(node);
  const listed = Array.isArray(node.enum)
    ? (node.enum as Json[])
    : 'const' in node
      ? [node.const as Json]
      : undefined;
  const options = listed?.flatMap((option) => valueType(option) ?? []);
  const implied =
    named.length > 0 ? named : (options ?? [formType(node)].filter((type) => type !== undefined));
  // A schema may name no type of JSON at all.
  const types = implied.filter((type): type is ValueType =>
    /^(?:string|number|integer|boolean|array|object)$/.test(type),
  );
  return types.length === 0 ? undefined : new Set(types);
}

function valueType(value: Json): ValueType | undefined {
  if (value === null) return undefined;
  if (Array.isArray(value)) return 'array';
  return typeof value as 'string' | 'number' | 'boolean' | 'object';
}
