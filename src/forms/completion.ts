import * as l10n from '@vscode/l10n';
import type { Json, JsonSchema } from '../domain/json';
import { childPointer, segmentsOf } from '../domain/pointer';
import { getAt, isObject, sameJson } from '../domain/value';
import { beginning } from '../domain/words';
import { enumOptions } from './fields/scalars';
import { initialValue, schemaDefault } from './initialValue';
import { compileSchema } from './schema/compile';
import { flatten, formType } from './schema/flatten';
import { nearestVariant } from './schema/nearestVariant';
import {
  type CompiledSchema,
  childSchema,
  MEDIA_MARK,
  type Schema,
  type SchemaNode,
  schemaList,
  schemaMap,
  strings,
} from './schema/node';

/** One completion item of the JSON tab. */
export interface Completion {
  readonly label: string;
  /** JSON text to insert: for a name the quoted name, `: ` and a value to start with; for a value the value. */
  readonly insert: string;
  /** Type or "required". */
  readonly detail?: string;
  /** Markdown, from the service: render it as untrusted. */
  readonly documentation?: string;
}

/**
 * Names that can be added to the object at `pointer`, required ones first, in the order of the form.
 *
 * @param value the last value that was valid JSON
 * @param pointer of the object, relative to the schema's root
 */
export function nameCompletions(schema: JsonSchema, value: Json | undefined, pointer: string): Completion[] {
  const compiled = compileSchema(schema);
  compiled.work.renew();
  const at = getAt(value, pointer);
  const present = isObject(at) ? at : {};
  const named = [...namedMembers(compiled, value, pointer)].filter(([key]) => !Object.hasOwn(present, key));
  const entries = named.toSorted(([, a], [, b]) => Number(b.required) - Number(a.required));
  return entries.map(([key, member]) => {
    const { node } = flatten(compiled, member.schema, undefined);
    const start = schemaDefault(node) ?? initialValue(compiled, member.schema);
    return {
      label: key,
      insert: `${JSON.stringify(key)}: ${JSON.stringify(start)}`,
      detail: [member.required ? l10n.t('required') : '', typeText(compiled, member.schema)]
        .filter(Boolean)
        .join(', '),
      ...words(node.description),
    };
  });
}

/** The names that the schema has for members of the object at `pointer`, whether or not they are there. */
export function memberNames(schema: JsonSchema, value: Json | undefined, pointer: string): string[] {
  return [...namedMembers(compileSchema(schema), value, pointer).keys()];
}

function namedMembers(compiled: CompiledSchema, value: Json | undefined, pointer: string) {
  const named = new Map<string, { readonly schema: Schema; readonly required: boolean }>();
  for (const part of schemasAt(compiled, value, pointer)) {
    const { node } = flatten(compiled, part, getAt(value, pointer));
    const required = strings(node.required);
    for (const [key, schema] of Object.entries(schemaMap(node.properties)))
      if (schema !== false && !named.has(key)) named.set(key, { schema, required: required.includes(key) });
  }
  return named;
}

/** Values for the place at `pointer`: listed ones, true and false, the default, examples, or an empty value. */
export function valueCompletions(schema: JsonSchema, value: Json | undefined, pointer: string): Completion[] {
  const compiled = compileSchema(schema);
  compiled.work.renew();
  const values: { readonly value: Json; readonly detail?: string; readonly documentation?: string }[] = [];
  for (const part of schemasAt(compiled, value, pointer)) {
    const { node, nullable } = flatten(compiled, part, undefined);
    const preset = schemaDefault(node);
    if (preset !== undefined) values.push({ value: preset, detail: l10n.t('default') });
    if ('const' in node) values.push({ value: node.const as Json });
    for (const option of enumOptions(node)) {
      const detail = option.label === option.value ? {} : { detail: option.label };
      values.push({ value: option.value, ...detail, ...words(option.description) });
    }
    if (formType(node) === 'boolean') values.push({ value: true }, { value: false });
    for (const example of Array.isArray(node.examples) ? (node.examples as Json[]) : [])
      values.push({ value: example, detail: l10n.t('example') });
    const opens = ['object', 'array'].includes(formType(node) ?? '') || MEDIA_MARK in node;
    if (opens) values.push({ value: initialValue(compiled, part) });
    if (nullable) values.push({ value: null });
  }
  const unique = values.filter(
    (one, index) => values.findIndex((other) => sameJson(other.value, one.value)) === index,
  );
  return unique.map(({ value: one, ...rest }) => {
    const text = JSON.stringify(one);
    return { label: beginning(text, 80), insert: text, ...rest };
  });
}

/** The schema's title, description, type and bounds at `pointer`, as Markdown from the service. */
export function hoverAt(schema: JsonSchema, value: Json | undefined, pointer: string): string | undefined {
  const compiled = compileSchema(schema);
  compiled.work.renew();
  const [part] = schemasAt(compiled, value, pointer);
  if (part === undefined) return undefined;
  const { node } = flatten(compiled, part, getAt(value, pointer));
  const title = typeof node.title === 'string' ? `**${node.title.replace(/[*_`[\]<>\\]/g, '\\$&')}**` : '';
  const description = typeof node.description === 'string' ? node.description : '';
  const lines = [title, description, factsText(compiled, part, node)].filter(Boolean);
  return lines.length > 0 ? lines.join('\n\n') : undefined;
}

/**
 * The members of a schema's object in words, for a terminal, in the order of the schema. Choices are JSON; without any,
 * each value of its type will do.
 */
export function memberTexts(schema: JsonSchema) {
  const compiled = compileSchema(schema);
  compiled.work.renew();
  return [...namedMembers(compiled, undefined, '')].map(([name, member]) => {
    const { node } = flatten(compiled, member.schema, undefined);
    const { documentation: description } = words(node.description);
    return {
      name,
      required: member.required,
      facts: factsText(compiled, member.schema, node),
      choices: enumOptions(node).map(({ value }) => JSON.stringify(value)),
      ...(description !== undefined && { description }),
    };
  });
}

/** "integer, default 5, 1 to 10" */
function factsText(compiled: CompiledSchema, schema: Schema, node: SchemaNode): string {
  const preset = schemaDefault(node);
  const facts = [
    typeText(compiled, schema),
    preset === undefined || preset === null ? '' : l10n.t('default {0}', JSON.stringify(preset)),
    ...bounds(node),
    node.deprecated === true ? l10n.t('deprecated') : '',
  ];
  return facts.filter(Boolean).join(', ');
}

/** The schemas that apply at a place: one, or all variants where the value does not determine which. */
function schemasAt(compiled: CompiledSchema, value: Json | undefined, pointer: string): Schema[] {
  let at: Json | undefined = value;
  let schemas = variantsFor(compiled, compiled.root, at);
  for (const key of segmentsOf(pointer)) {
    const parent = at;
    at = getAt(parent, childPointer('', key));
    schemas = schemas
      .flatMap((schema) => {
        const { node } = flatten(compiled, schema, parent);
        const child = childSchema(compiled, node, key, Array.isArray(parent) || /^\d+$/.test(key));
        return isObject(child) ? [child] : [];
      })
      .flatMap((schema) => variantsFor(compiled, schema, at));
  }
  return schemas;
}

/** The cost of looking into a variant, in steps. */
const VARIANT = 1000;

/** A schema and, where it is a choice, its variant nearest to the value; without a value, all its variants. */
function variantsFor(compiled: CompiledSchema, schema: Schema, value: Json | undefined): Schema[] {
  const { node } = flatten(compiled, schema, value);
  const variants = [...schemaList(node.oneOf), ...schemaList(node.anyOf)];
  if (variants.length === 0 || MEDIA_MARK in node || !compiled.work.spend(VARIANT)) return [schema];
  const empty = value === undefined || (isObject(value) && Object.keys(value).length === 0);
  const near = empty ? variants : [variants[nearestVariant(compiled, variants, value)] as Schema];
  // Ends: a variant is one level deeper in the schema, and reference loops are removed on compiling.
  return [schema, ...near.flatMap((variant) => variantsFor(compiled, variant, value))];
}

function typeText(compiled: CompiledSchema, schema: Schema): string {
  const { node, nullable } = flatten(compiled, schema, undefined);
  const type = MEDIA_MARK in node ? l10n.t('media') : (formType(node) ?? '');
  return [type, nullable ? 'null' : ''].filter(Boolean).join(' | ');
}

function bounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: SchemaNode): string[] {
  if (typeof minimum === 'number' && typeof maximum === 'number')
    return [l10n.t('{0} to {1}', minimum, maximum)];
  return [
    typeof minimum === 'number' ? l10n.t('{0} or more', minimum) : '',
    typeof exclusiveMinimum === 'number' ? l10n.t('more than {0}', exclusiveMinimum) : '',
    typeof maximum === 'number' ? l10n.t('{0} or less', maximum) : '',
    typeof exclusiveMaximum === 'number' ? l10n.t('less than {0}', exclusiveMaximum) : '',
  ];
}

function words(description: unknown): { documentation?: string } {
  return typeof description === 'string' && description !== '' ? { documentation: description } : {};
}
