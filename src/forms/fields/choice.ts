import * as l10n from '@vscode/l10n';
import type { Json } from '../../domain/json';
import { isObject, ownOf, setOwn } from '../../domain/value';
import { matches } from '../evaluation/matches';
import type { ChoiceField, Field } from '../fieldTypes';
import { initialValue } from '../initialValue';
import { flatten, formType } from '../schema/flatten';
import { mergeNodes } from '../schema/merge';
import { nearestVariant } from '../schema/nearestVariant';
import {
  type CompiledSchema,
  type Schema,
  type SchemaNode,
  schemaList,
  schemaMap,
  strings,
} from '../schema/node';
import { asText, definedMembers, type FieldContext, once, shownText } from './context';
import { constOptions, enumField, numberField, textField } from './scalars';

/** The variants of a node (`oneOf`, else `anyOf`) and the keywords beside them. */
export function choiceVariants(
  node: SchemaNode,
): { readonly variants: readonly Schema[]; readonly rest: SchemaNode } | undefined {
  const keyword = schemaList(node.oneOf).length > 1 ? 'oneOf' : 'anyOf';
  const variants = schemaList(node[keyword]);
  if (variants.length < 2) return undefined;
  const { [keyword]: _variants, ...rest } = node;
  return { variants, rest };
}

/** A field for a choice: constants as options, strings or numbers as one control, the rest as variants. */
export function choiceField(context: FieldContext, variants: readonly Schema[], rest: SchemaNode): Field {
  const { compiled, base } = context;
  const resolve = (schema: Schema) => flatten(compiled, schema, undefined).node;
  const options = constOptions(variants, resolve);
  if (options) return enumField(context, options);
  const simple = oneControl(context, variants.map(resolve));
  if (simple) return simple;

  const { title: _t, description: _d, default: _p, examples: _e, 'x-order': _o, ...shared } = rest;
  const whole = variants.map((variant) => joined(compiled, variant, shared));
  const selected = selectedVariant(context, whole);
  const content = once(() => {
    const schema = selected < 0 ? undefined : whole[selected];
    return schema === undefined
      ? undefined
      : context.build(schema, base.value, { ...context.place, label: base.label });
  });
  return {
    ...base,
    kind: 'choice',
    variants: whole.map((schema, index) => ({
      label: variantLabel(resolve(schema), variants[index] as Schema, rest, index),
      initial: (entered) => begun(compiled, schema, entered),
      ...definedMembers({ description: shownText(resolve(variants[index] as Schema).description) }),
    })),
    selected,
    content,
  } satisfies ChoiceField;
}

/** The value with which a variant begins: its own, with those members of the entered one that it takes too. */
function begun(compiled: CompiledSchema, schema: Schema, entered: Json | undefined): Json {
  const initial = initialValue(compiled, schema);
  if (!isObject(initial) || !isObject(entered)) return initial;
  const named = schemaMap(flatten(compiled, schema, initial).node.properties);
  const value = { ...initial };
  for (const [name, member] of Object.entries(entered)) {
    const own = ownOf(named, name);
    if (own !== undefined && matches(compiled, own, member)) setOwn(value, name, member);
  }
  return value;
}

const joinedSchemas = new WeakMap<SchemaNode, { readonly shared: string; readonly joined: Schema }>();

/** A variant with the keywords beside all of them; the same object for the same parts, so that caches keyed by schema hit. */
function joined(compiled: CompiledSchema, variant: Schema, shared: SchemaNode): Schema {
  if (!isObject(variant) || Object.keys(shared).length === 0) return variant;
  const key = JSON.stringify(shared);
  const known = joinedSchemas.get(variant);
  if (known?.shared === key) return known.joined;
  const flat = flatten(compiled, variant, undefined);
  const merged: Schema = flat.dynamic ? { ...shared, allOf: [variant] } : mergeNodes(flat.node, shared);
  joinedSchemas.set(variant, { shared: key, joined: merged });
  return merged;
}

/** The index of the variant to show: the one the user chose, else the nearest to the value; -1 for none. */
function selectedVariant({ compiled, base, state }: FieldContext, whole: readonly Schema[]): number {
  const { value } = base;
  if (value === null) return -1;
  const byHand = state.choices?.get(base.pointer) ?? -1;
  if (whole[byHand] !== undefined) return byHand;
  return value === undefined ? -1 : nearestVariant(compiled, whole, value);
}

/** One control for strings with suggestions (`anyOf: [enum, string]`) and for mixed numbers. */
function oneControl(context: FieldContext, nodes: readonly SchemaNode[]): Field | undefined {
  const types = nodes.map(formType);
  const isPlainNumber = (node: SchemaNode) =>
    /^(integer|number)$/.test(formType(node) ?? '') && !('enum' in node);
  if (nodes.every(isPlainNumber)) return numberField(context, !types.includes('number'));
  const isText = (node: SchemaNode) => formType(node) === 'string' || isTextEnum(node);
  const plain = nodes.filter((node) => formType(node) === 'string' && !isTextEnum(node));
  if (!nodes.every(isText) || plain.length !== 1 || nodes.length === plain.length) return undefined;
  const suggestions = nodes
    .filter(isTextEnum)
    .flatMap((node) => strings('const' in node ? [node.const] : node.enum));
  return textField(
    { ...context, flat: { ...context.flat, node: { ...context.flat.node, ...plain[0] } } },
    suggestions,
  );
}

function isTextEnum(node: SchemaNode): boolean {
  const values = 'const' in node ? [node.const] : Array.isArray(node.enum) ? node.enum : [];
  return values.length > 0 && values.every((value) => typeof value === 'string');
}

function variantLabel(node: SchemaNode, variant: Schema, rest: SchemaNode, index: number): string {
  const own = isObject(variant) ? shownText(variant.title) : undefined;
  const title = own ?? (node.title === rest.title ? undefined : shownText(node.title));
  if (title) return title;
  const tags = [node, ...Object.values(schemaMap(node.properties))].map(onlyText);
  const tag = tags.find((text) => text !== undefined);
  if (tag !== undefined) return tag;
  const typed = TYPE_LABELS.get(formType(node))?.();
  if (typed !== undefined && formType(node) !== 'object') return typed;
  const isShared = (key: string) => strings(rest.required).includes(key);
  const names = [...strings(node.required), ...Object.keys(schemaMap(node.properties))];
  return names.find((key) => !isShared(key)) ?? typed ?? l10n.t('Variant {0}', index + 1);
}

/** The only string that a schema allows. */
function onlyText(schema: Schema): string | undefined {
  if (!isObject(schema)) return undefined;
  const listed = Array.isArray(schema.enum) && schema.enum.length === 1 ? schema.enum[0] : undefined;
  return asText(schema.const) ?? asText(listed);
}

const TYPE_LABELS = new Map<string | undefined, () => string>([
  ['string', () => l10n.t('Text')],
  ['integer', () => l10n.t('Whole number')],
  ['number', () => l10n.t('Number')],
  ['boolean', () => l10n.t('True or false')],
  ['array', () => l10n.t('List')],
  ['object', () => l10n.t('Object')],
]);
