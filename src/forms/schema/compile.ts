import * as l10n from '@vscode/l10n';
import type { JsonSchema } from '../../domain/json';
import { isObject } from '../../domain/value';
import { dependenciesOf, exclusiveBounds, isMarkedRequired, knownTypes, withNull } from './dialects';
import { isMediaListName, mediaMarkOf, singular } from './mediaHints';
import { type CompiledSchema, MEDIA_MARK, type Schema, type SchemaNode } from './node';
import { usablePattern } from './patterns';
import { breakLoops } from './referenceLoops';
import { References } from './references';

const ONE = ['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'additionalProperties'];
const ONE_SCHEMA = [...ONE, 'unevaluatedProperties', 'unevaluatedItems'];
const LISTS = ['allOf', 'anyOf', 'oneOf'];
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];
const NUMBERS = ['minimum', 'maximum', ...COUNTS, 'minContains', 'maxContains'];
const PLAIN = ['title', 'description', 'default', 'const', 'format', 'deprecated', 'readOnly', 'writeOnly'];
const CONTENT = ['contentMediaType', 'contentEncoding', 'discriminator', 'enumNames', 'enumDescriptions'];
const ANNOTATIONS = [...PLAIN, ...CONTENT, 'advanced', 'group', 'accept'];

const MEDIA_OBJECT: SchemaNode = {
  type: 'object',
  required: ['media_ref'],
  properties: { media_ref: { type: 'string', minLength: 1 }, filename: { type: 'string' } },
};

const compiled = new WeakMap<object, CompiledSchema>();
const ANYTHING: CompiledSchema = { root: true, lookup: { '#': true }, notes: [] };

/**
 * Normalizes a schema of draft 4 to 2020-12, OpenAPI or Cog to 2020-12: every `$ref` local and resolved, `nullable` as
 * a type, malformed keywords left out. Done once per schema object. Never throws: what cannot be used is left out and
 * named in `notes`.
 */
export function compileSchema(schema: JsonSchema): CompiledSchema {
  if (typeof schema === 'boolean') return { root: schema, lookup: { '#': schema }, notes: [] };
  if (!isObject(schema)) return ANYTHING;
  const known = compiled.get(schema);
  if (known) return known;
  let result: CompiledSchema;
  try {
    result = new Compilation(schema).result();
  } catch {
    // Nested deeper than the stack, or not JSON.
    const message = l10n.t("The model's schema could not be read. Only the service checks the input.");
    result = { ...ANYTHING, notes: [message] };
  }
  compiled.set(schema, result);
  return result;
}

class Compilation {
  private readonly notes: string[] = [];
  private readonly references: References;
  /** Raw targets of references and the name each gets; upgraded one after another. */
  private readonly names = new Map<object, string>();
  private readonly pending: { raw: SchemaNode; name: string; resource: unknown }[] = [];
  private readonly root: SchemaNode;

  constructor(document: SchemaNode) {
    this.references = new References(document);
    this.root = inputOfOpenApi(document) ?? document;
    this.names.set(this.root, '#');
  }

  result(): CompiledSchema {
    const lookup: Record<string, Schema> = { '#': this.schema(this.root, '', this.root) };
    for (let next = this.pending.shift(); next; next = this.pending.shift())
      lookup[next.name] = this.schema(next.raw, '', next.resource);
    if (breakLoops(lookup))
      this.notes.push(l10n.t('Part of the schema refers only to itself and is not checked here.'));
    return { root: lookup['#'] ?? true, lookup, notes: this.notes };
  }

  private schema(raw: unknown, name: string, resource: unknown): Schema {
    if (typeof raw === 'boolean') return raw;
    if (!isObject(raw)) return true;
    const within = typeof raw.$id === 'string' ? raw : resource;
    const node: Record<string, unknown> = {};
    this.annotations(raw, node);
    this.constraints(raw, node);
    this.children(raw, node, within, name);
    this.reference(raw, node, within);
    const mark = mediaMarkOf(name, raw);
    if (!mark) return withNull(raw, node);
    node[MEDIA_MARK] = mark;
    return withNull(raw, mark.text ? textOrMedia(node) : node);
  }

  private annotations(raw: SchemaNode, node: Record<string, unknown>): void {
    for (const key of Object.keys(raw)) {
      if (ANNOTATIONS.includes(key) || key.startsWith('x-')) node[key] = raw[key];
    }
    if (typeof node.format !== 'string') delete node.format;
    const example = 'example' in raw ? [raw.example] : [];
    const examples = Array.isArray(raw.examples) ? raw.examples : example;
    if (examples.length > 0) node.examples = examples;
  }

  private constraints(raw: SchemaNode, node: Record<string, unknown>): void {
    const types = knownTypes(raw.type);
    if (types !== undefined) node.type = types;
    if (Array.isArray(raw.enum) && raw.enum.length > 0) node.enum = raw.enum;
    for (const key of NUMBERS) {
      if (Number.isFinite(raw[key])) node[key] = raw[key];
    }
    if (typeof raw.multipleOf === 'number' && raw.multipleOf > 0) node.multipleOf = raw.multipleOf;
    exclusiveBounds(raw, node);
    if (raw.uniqueItems === true) node.uniqueItems = true;
    if (typeof raw.pattern === 'string') {
      const pattern = this.pattern(raw.pattern);
      if (pattern !== undefined) node.pattern = pattern;
    }
    const required = Array.isArray(raw.required) ? raw.required.filter((key) => typeof key === 'string') : [];
    const late = isObject(raw.properties) ? Object.entries(raw.properties).filter(isMarkedRequired) : [];
    const keys = [...new Set([...required, ...late.map(([key]) => key)])];
    if (keys.length > 0) node.required = keys;
  }

  private pattern(pattern: string): string | undefined {
    const usable = usablePattern(pattern);
    if (usable === undefined)
      this.notes.push(l10n.t('Only the service checks the pattern {0}.', pattern.slice(0, 60)));
    return usable;
  }

  private children(raw: SchemaNode, node: Record<string, unknown>, within: unknown, name: string): void {
    for (const key of ONE_SCHEMA) {
      if (isObject(raw[key]) || typeof raw[key] === 'boolean') node[key] = this.schema(raw[key], '', within);
    }
    for (const key of LISTS) {
      const list = raw[key];
      if (Array.isArray(list) && list.length > 0)
        node[key] = list.map((item) => this.schema(item, name, within));
    }
    this.items(raw, node, within, name);
    if (isObject(raw.properties)) node.properties = this.map(raw.properties, within);
    if (isObject(raw.patternProperties))
      node.patternProperties = this.patterns(raw.patternProperties, within);
    const { required, schemas } = dependenciesOf(raw);
    if (Object.keys(required).length > 0) node.dependentRequired = required;
    if (Object.keys(schemas).length > 0) node.dependentSchemas = this.map(schemas, within);
  }

  private items(raw: SchemaNode, node: Record<string, unknown>, within: unknown, name: string): void {
    const tuple = [raw.prefixItems, raw.items].find((items) => Array.isArray(items)) ?? [];
    if (tuple.length > 0) node.prefixItems = tuple.map((item) => this.schema(item, '', within));
    const rest = Array.isArray(raw.items) ? raw.additionalItems : raw.items;
    const itemName = isMediaListName(name) ? singular(name) : '';
    if (isObject(rest) || typeof rest === 'boolean') node.items = this.schema(rest, itemName, within);
    else if (itemName !== '' && tuple.length === 0 && knownTypes(raw.type) === 'array')
      node.items = this.schema({}, itemName, within);
  }

  private map(raw: SchemaNode, within: unknown): Record<string, Schema> {
    return Object.fromEntries(
      Object.entries(raw).map(([key, value]) => [key, this.schema(value, key, within)]),
    );
  }

  private patterns(raw: SchemaNode, within: unknown): Record<string, Schema> {
    const entries = Object.entries(raw).flatMap(([pattern, value]): [string, Schema][] => {
      const usable = this.pattern(pattern);
      return usable === undefined ? [] : [[usable, this.schema(value, '', within)]];
    });
    return Object.fromEntries(entries);
  }

  private reference(raw: SchemaNode, node: Record<string, unknown>, within: unknown): void {
    const recursive = raw.$recursiveRef === '#' ? '#' : undefined;
    const reference = [raw.$ref, raw.$dynamicRef, recursive].find((ref) => typeof ref === 'string');
    if (typeof reference !== 'string') return;
    const target = this.references.resolve(reference, within);
    if (target === undefined || (!isObject(target.schema) && typeof target.schema !== 'boolean')) {
      this.notes.push(
        l10n.t(
          'The schema does not contain {0}, which it refers to. That part is not checked here.',
          reference,
        ),
      );
      return;
    }
    if (target.schema === true) return;
    if (target.schema === false) node.not = {};
    else node.$ref = this.nameOf(target.schema as SchemaNode, target.resource);
  }

  private nameOf(raw: SchemaNode, resource: unknown): string {
    const known = this.names.get(raw);
    if (known !== undefined) return known;
    const name = `#/$defs/${this.names.size}`;
    this.names.set(raw, name);
    this.pending.push({ raw, name, resource });
    return name;
  }
}

/** A string that may be a file: the string as described, or the media object of section 2.2. */
function textOrMedia(node: Record<string, unknown>): Record<string, unknown> {
  const { type: _type, format, pattern, minLength, maxLength, [MEDIA_MARK]: mark, ...rest } = node;
  const kept = Object.entries({ format, pattern, minLength, maxLength }).filter(
    ([, value]) => value !== undefined,
  );
  return {
    ...rest,
    [MEDIA_MARK]: mark,
    anyOf: [MEDIA_OBJECT, { type: 'string', ...Object.fromEntries(kept) }],
  };
}

/** Cog publishes a whole OpenAPI document whose component `Input` is the schema of the input. */
function inputOfOpenApi(document: SchemaNode): SchemaNode | undefined {
  const components = isObject(document.components) ? document.components : undefined;
  const schemas = isObject(components?.schemas) ? components.schemas : undefined;
  const isSchema = ['type', 'properties', '$ref', 'allOf', 'anyOf', 'oneOf'].some((key) => key in document);
  return !isSchema && isObject(schemas?.Input) ? schemas.Input : undefined;
}
