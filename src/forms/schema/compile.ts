import * as l10n from '@vscode/l10n';
import type { JsonSchema } from '../../domain/json';
import { childPointer } from '../../domain/pointer';
import { isObject } from '../../domain/value';
import { dependenciesOf, exclusiveBounds, isMarkedRequired, knownTypes, withNull } from './dialects';
import { isMediaListName, mediaMarkOf, singular } from './mediaHints';
import { type CompiledSchema, MEDIA_MARK, type Schema, type SchemaNode, type SchemaNote } from './node';
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
    result = { ...ANYTHING, notes: [{ pointer: '', message }] };
  }
  compiled.set(schema, result);
  return result;
}

class Compilation {
  private readonly notes: SchemaNote[] = [];
  private readonly references: References;
  /** Raw targets of references and the name each gets; upgraded one after another. */
  private readonly names = new Map<object, string>();
  private readonly pending: { raw: SchemaNode; name: string; at: string; resource: unknown }[] = [];
  private readonly root: SchemaNode;

  constructor(document: SchemaNode) {
    this.references = new References(document);
    this.root = inputOfOpenApi(document) ?? document;
    this.names.set(this.root, '#');
  }

  result(): CompiledSchema {
    const lookup: Record<string, Schema> = { '#': this.schema(this.root, '', '', this.root) };
    for (let next = this.pending.shift(); next; next = this.pending.shift())
      lookup[next.name] = this.schema(next.raw, next.at, '', next.resource);
    for (const name of breakLoops(lookup))
      this.note(name, l10n.t('Part of the schema refers only to itself and is not checked here.'));
    return { root: lookup['#'] ?? true, lookup, notes: this.notes };
  }

  private note(pointer: string, message: string): void {
    this.notes.push({ pointer, message });
  }

  private schema(raw: unknown, at: string, name: string, resource: unknown): Schema {
    if (typeof raw === 'boolean') return raw;
    if (!isObject(raw)) return true;
    const within = typeof raw.$id === 'string' ? raw : resource;
    const node: Record<string, unknown> = {};
    this.annotations(raw, node);
    this.constraints(raw, node, at);
    this.children(raw, node, at, within, name);
    this.reference(raw, node, at, within);
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

  private constraints(raw: SchemaNode, node: Record<string, unknown>, at: string): void {
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
      const pattern = usablePattern(raw.pattern);
      if (pattern === undefined) this.unusablePattern(raw.pattern, childPointer(at, 'pattern'));
      else node.pattern = pattern;
    }
    const required = Array.isArray(raw.required) ? raw.required.filter((key) => typeof key === 'string') : [];
    const late = isObject(raw.properties) ? Object.entries(raw.properties).filter(isMarkedRequired) : [];
    const keys = [...new Set([...required, ...late.map(([key]) => key)])];
    if (keys.length > 0) node.required = keys;
  }

  private unusablePattern(pattern: string, at: string): void {
    this.note(at, l10n.t('Only the service checks the pattern {0}.', pattern.slice(0, 60)));
  }

  private children(
    raw: SchemaNode,
    node: Record<string, unknown>,
    at: string,
    within: unknown,
    name: string,
  ): void {
    const child = (key: string, value: unknown, of = '') =>
      this.schema(value, childPointer(at, key), of, within);
    for (const key of ONE_SCHEMA) {
      if (isObject(raw[key]) || typeof raw[key] === 'boolean') node[key] = child(key, raw[key]);
    }
    for (const key of LISTS) {
      const list = raw[key];
      if (!Array.isArray(list) || list.length === 0) continue;
      node[key] = list.map((item, index) =>
        this.schema(item, childPointer(childPointer(at, key), index), name, within),
      );
    }
    this.items(raw, node, child, name);
    if (isObject(raw.properties))
      node.properties = this.map(raw.properties, childPointer(at, 'properties'), within);
    if (isObject(raw.patternProperties))
      node.patternProperties = this.patterns(raw.patternProperties, at, within);
    const { required, schemas } = dependenciesOf(raw);
    if (Object.keys(required).length > 0) node.dependentRequired = required;
    if (Object.keys(schemas).length > 0)
      node.dependentSchemas = this.map(schemas, childPointer(at, 'dependentSchemas'), within);
  }

  private items(
    raw: SchemaNode,
    node: Record<string, unknown>,
    child: (key: string, value: unknown, of?: string) => Schema,
    name: string,
  ): void {
    const tuple = Array.isArray(raw.prefixItems)
      ? raw.prefixItems
      : Array.isArray(raw.items)
        ? raw.items
        : [];
    if (tuple.length > 0) node.prefixItems = tuple.map((item) => child('prefixItems', item));
    const rest = Array.isArray(raw.items) ? raw.additionalItems : raw.items;
    const itemName = isMediaListName(name) ? singular(name) : '';
    if (isObject(rest) || typeof rest === 'boolean') node.items = child('items', rest, itemName);
    else if (itemName !== '' && tuple.length === 0 && knownTypes(raw.type) === 'array')
      node.items = child('items', {}, itemName);
  }

  private map(raw: SchemaNode, at: string, within: unknown): Record<string, Schema> {
    return Object.fromEntries(
      Object.entries(raw).map(([key, value]) => [
        key,
        this.schema(value, childPointer(at, key), key, within),
      ]),
    );
  }

  private patterns(raw: SchemaNode, at: string, within: unknown): Record<string, Schema> {
    const entries = Object.entries(raw).flatMap(([pattern, value]): [string, Schema][] => {
      const usable = usablePattern(pattern);
      const place = childPointer(childPointer(at, 'patternProperties'), pattern);
      if (usable === undefined) this.unusablePattern(pattern, place);
      return usable === undefined ? [] : [[usable, this.schema(value, place, '', within)]];
    });
    return Object.fromEntries(entries);
  }

  private reference(raw: SchemaNode, node: Record<string, unknown>, at: string, within: unknown): void {
    const recursive = raw.$recursiveRef === '#' ? '#' : undefined;
    const reference = [raw.$ref, raw.$dynamicRef, recursive].find((ref) => typeof ref === 'string');
    if (typeof reference !== 'string') return;
    const target = this.references.resolve(reference, within);
    if (target === undefined || (!isObject(target.schema) && typeof target.schema !== 'boolean')) {
      this.note(
        at,
        l10n.t(
          'The schema does not contain {0}, which it refers to. That part is not checked here.',
          reference,
        ),
      );
      return;
    }
    if (target.schema === true) return;
    if (target.schema === false) node.not = {};
    else node.$ref = this.nameOf(target.schema as SchemaNode, reference, target.resource);
  }

  private nameOf(raw: SchemaNode, reference: string, resource: unknown): string {
    const known = this.names.get(raw);
    if (known !== undefined) return known;
    const name = `#/$defs/${this.names.size}`;
    this.names.set(raw, name);
    this.pending.push({ raw, name, at: reference.replace(/^#/, ''), resource });
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
