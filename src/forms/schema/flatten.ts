import type { Json } from '../../domain/json';
import { addAll } from '../../domain/many';
import { isObject } from '../../domain/value';
import { matches } from '../evaluation/matches';
import { isOnlyConstraint, mergeNodes } from './merge';
import {
  type CompiledSchema,
  MEDIA_MARK,
  nodeTypes,
  type Schema,
  type SchemaNode,
  schemaList,
  schemaMap,
  strings,
} from './node';

/** All that applies to one value, as one node without `$ref`, `allOf`, conditions or null. */
export interface Flat {
  readonly node: SchemaNode;
  readonly nullable: boolean;
  /** Every value is rejected here. */
  readonly never: boolean;
  /** Depends on the value (`if`, dependent schemas), so it is computed again when the value changes. */
  readonly dynamic: boolean;
}

const NEVER: Flat = { node: {}, nullable: false, never: true, dynamic: false };
const ANY: Flat = { node: {}, nullable: false, never: false, dynamic: false };
const APPLIED = /^(\$ref|allOf|if|then|else|dependentRequired|dependentSchemas)$/;
/** The cost of making one node, in steps. */
const FLATTENED = 40;
const kept = new WeakMap<CompiledSchema, WeakMap<SchemaNode, Flat>>();

/** The effective schema for a value (undefined: not set). Cached where it does not depend on the value. */
export function flatten(compiled: CompiledSchema, schema: Schema, value: Json | undefined): Flat {
  if (schema === false) return NEVER;
  if (!isObject(schema)) return ANY;
  let cache = kept.get(compiled);
  if (!cache) {
    cache = new WeakMap();
    kept.set(compiled, cache);
  }
  const known = cache.get(schema);
  if (known) return known;
  if (!compiled.work.spend(FLATTENED)) return { ...ANY, node: schema, dynamic: true };
  const named = withoutNull(compiled, combine(compiled, schema, value), value);
  // Named by one part, null may be ruled out by another; one that says nothing of types rules nothing out.
  const flat = { ...named, nullable: named.nullable && matches(compiled, schema, null) };
  if (!flat.dynamic) cache.set(schema, flat);
  return flat;
}

/** All that applies, with null still in types, enums and choices; nullable where a part of it names null. */
function combine(compiled: CompiledSchema, schema: SchemaNode, value: Json | undefined): Flat {
  const own = Object.fromEntries(Object.entries(schema).filter(([key]) => !APPLIED.test(key)));
  const { parts, required, dynamic } = applied(compiled, schema, value);
  const flats = parts.map((part) => flatten(compiled, part, value));
  const demanded: SchemaNode = required.length > 0 ? { required } : {};
  const base = mergeNodes(own, demanded);
  return {
    node: flats.reduce((node, flat) => mergeNodes(node, flat.node), base),
    nullable: namesNull(own) || flats.some((flat) => flat.nullable),
    never: flats.some((flat) => flat.never),
    dynamic: dynamic || flats.some((flat) => flat.dynamic),
  };
}

/** Whether the types or the options of a schema have null beside others. */
function namesNull({ type, enum: options }: SchemaNode): boolean {
  const has = (list: unknown, one: unknown) => Array.isArray(list) && list.length > 1 && list.includes(one);
  return has(type, 'null') || has(options, null);
}

function applied(compiled: CompiledSchema, schema: SchemaNode, value: Json | undefined) {
  const parts: Schema[] = [];
  const required: string[] = [];
  const target = typeof schema.$ref === 'string' ? compiled.lookup[schema.$ref] : undefined;
  if (target !== undefined) parts.push(target);
  addAll(parts, schemaList(schema.allOf));
  // A value that is not set is checked as an empty object, since conditions are usually about members.
  const judged = value === undefined ? {} : value;
  if ('if' in schema) {
    const branch = matches(compiled, schema.if as Schema, judged) ? schema.then : schema.else;
    if (isObject(branch)) parts.push(branch);
  }
  const present = isObject(value) ? value : {};
  for (const [key, names] of Object.entries(schemaMap(schema.dependentRequired)))
    if (Object.hasOwn(present, key)) addAll(required, strings(names));
  for (const [key, part] of Object.entries(schemaMap(schema.dependentSchemas)))
    if (Object.hasOwn(present, key)) parts.push(part);
  const dynamic = 'if' in schema || 'dependentRequired' in schema || 'dependentSchemas' in schema;
  return { parts, required, dynamic };
}

/** Takes null out of types, enums and choices, and a choice with one branch left becomes that branch. */
function withoutNull(compiled: CompiledSchema, combined: Flat, value: Json | undefined): Flat {
  let { node, nullable, dynamic } = combined;
  const types = typeof node.type === 'string' ? [node.type] : strings(node.type);
  const listed = Array.isArray(node.enum) ? (node.enum as Json[]) : undefined;
  if (types.includes('null') && types.length > 1) {
    const { enum: _enum, ...rest } = node;
    const others = types.filter((type) => type !== 'null');
    const options = listed?.filter((option) => option !== null);
    node = { ...rest, type: others.length === 1 ? others[0] : others, ...(options ? { enum: options } : {}) };
    nullable = true;
  } else if (listed && listed.length > 1 && listed.includes(null) && !types.includes('null')) {
    node = { ...node, enum: listed.filter((option) => option !== null) };
    nullable = true;
  }
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches = schemaList(node[keyword]);
    if (branches.length === 0 || MEDIA_MARK in node) continue;
    const { [keyword]: _branches, ...rest } = node;
    if (branches.every(isOnlyConstraint)) {
      node = rest;
      continue;
    }
    const others = branches.filter((branch) => !isNullSchema(compiled, branch) && branch !== false);
    if (others.length < branches.length && branches.some((branch) => isNullSchema(compiled, branch)))
      nullable = true;
    if (others.length === 1) {
      const flat = flatten(compiled, others[0] as Schema, value);
      node = mergeNodes(rest, flat.node);
      nullable ||= flat.nullable;
      dynamic ||= flat.dynamic;
    } else if (others.length < branches.length) node = { ...rest, [keyword]: others };
  }
  return { node, nullable, never: combined.never, dynamic };
}

function isNullSchema(compiled: CompiledSchema, schema: Schema): boolean {
  if (!isObject(schema)) return false;
  if (schema.type === 'null' || schema.const === null) return true;
  if (Array.isArray(schema.enum) && schema.enum.length === 1 && schema.enum[0] === null) return true;
  const target = typeof schema.$ref === 'string' ? compiled.lookup[schema.$ref] : undefined;
  return isObject(target) && target.type === 'null';
}

/** The type that a form shows: named, or implied by the keywords; undefined when none or several apply. */
export function formType(node: SchemaNode): string | undefined {
  const types = nodeTypes(node);
  if (types.length === 1) return types[0];
  if (types.length > 1)
    return types.every((type) => type === 'number' || type === 'integer') ? 'number' : undefined;
  const has = (...keys: string[]) => keys.some((key) => key in node);
  if (has('properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames'))
    return 'object';
  if (has('items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains')) return 'array';
  if (has('pattern', 'minLength', 'maxLength', 'format', 'contentMediaType')) return 'string';
  if (has('minimum', 'maximum', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum')) return 'number';
  return undefined;
}
