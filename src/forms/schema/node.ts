import { isObject } from '../../domain/value';
import { matchesPattern } from '../patterns/pattern';
import type { CheckLimit } from '../work';

/** A schema after `compileSchema`: well formed, every keyword of the type that the validator expects. */
export interface SchemaNode {
  readonly [keyword: string]: unknown;
}
export type Schema = boolean | SchemaNode;

export const MEDIA_MARK = 'x-modelBench-media';

/** On a node that is not checked in full: the target of its reference is missing, or a keyword is malformed. */
export const UNCHECKED = 'x-modelBench-unchecked';
/** Keywords of a node without a certain meaning in its draft (true: all of them): they never reject a value. */
export const SOFT = 'x-modelBench-soft';

/** The address of the resource that contains a node, in a document that has several. */
export const RESOURCE = 'x-modelBench-resource';
/** On a node with a `$dynamicRef` to a target that depends on the way to it: see `DynamicTargets`. */
export const DYNAMIC = 'x-modelBench-dynamic';
/** By resource the target that a dynamic reference has if that is the outermost resource on the way which has one. */
export type DynamicTargets = ReadonlyMap<string, string>;

/** The mark of `compileSchema` under `MEDIA_MARK` on a node that takes a media object of section 2.2. */
export interface MediaMark {
  /** MIME types or wildcards ("image/*"); empty: any file. */
  readonly accept: readonly string[];
  /** The schema also takes a bare string, which may be a media_ref or an address. */
  readonly text: boolean;
}

/** A schema of any draft, normalized for the validator and the form: see `compileSchema`. */
export interface CompiledSchema {
  readonly root: Schema;
  /** The targets of the `$ref`s inside (`#`, `#/$defs/0`, …). */
  readonly lookup: Readonly<Record<string, Schema>>;
  /** The parts that are not checked, in sentences for the user. */
  readonly notes: readonly string[];
  /** The work that is left: renewed for each form and each check, so that no schema blocks the page. */
  readonly work: CheckLimit;
  /** Whether `unevaluatedProperties` or `unevaluatedItems` occurs anywhere. */
  readonly tracksEvaluated: boolean;
  /** Whether an item found by `contains` counts as evaluated, as since draft 2020-12. */
  readonly containsEvaluates: boolean;
}

/** The schemas of a keyword that holds a list of them. */
export function schemaList(value: unknown): readonly Schema[] {
  return Array.isArray(value) ? (value as Schema[]) : [];
}

/** The schemas of a keyword that holds a map of them. */
export function schemaMap(value: unknown): Readonly<Record<string, Schema>> {
  return isObject(value) ? (value as Record<string, Schema>) : {};
}

/** The schema that a node has for a member or an item; undefined where it has none. */
export function childSchema(
  { work }: CompiledSchema,
  node: SchemaNode,
  key: string,
  isItem: boolean,
): Schema | undefined {
  const named = schemaMap(node.properties);
  if (Object.hasOwn(named, key)) return named[key];
  const item = isItem ? (schemaList(node.prefixItems)[Number(key)] ?? node.items) : undefined;
  if (item !== undefined) return item as Schema;
  const patterns = Object.entries(schemaMap(node.patternProperties));
  const matching = patterns.find(([pattern]) => !work.isUsedUp && matchesPattern(pattern, key, work));
  return matching?.[1] ?? ((node.additionalProperties ?? node.unevaluatedProperties) as Schema | undefined);
}

export function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/** The types a node names, without null. */
export function nodeTypes(node: SchemaNode): readonly string[] {
  const types = typeof node.type === 'string' ? [node.type] : strings(node.type);
  return types.filter((type) => type !== 'null');
}
