import { isObject } from '../../domain/value';

/** A schema after `compileSchema`: well formed, every keyword of the type that the validator expects. */
export interface SchemaNode {
  readonly [keyword: string]: unknown;
}
export type Schema = boolean | SchemaNode;

export const MEDIA_MARK = 'x-modelBench-media';

/** What `compileSchema` writes under `MEDIA_MARK` on a node that takes a media object of section 2.2. */
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
export function childSchema(node: SchemaNode, key: string, isItem: boolean): Schema | undefined {
  const named = schemaMap(node.properties);
  if (Object.hasOwn(named, key)) return named[key];
  const item = isItem ? (schemaList(node.prefixItems)[Number(key)] ?? node.items) : undefined;
  if (item !== undefined) return item as Schema;
  const patterns = Object.entries(schemaMap(node.patternProperties));
  const matching = patterns.find(([pattern]) => new RegExp(pattern, 'u').test(key));
  return matching?.[1] ?? ((node.additionalProperties ?? node.unevaluatedProperties) as Schema | undefined);
}

export function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/** The types a node names, without null. */
export function typesOf(node: SchemaNode): readonly string[] {
  const types = typeof node.type === 'string' ? [node.type] : strings(node.type);
  return types.filter((type) => type !== 'null');
}
