import * as l10n from '@vscode/l10n';
import type { JsonSchema } from '../../domain/json';
import { isObject } from '../../domain/value';
import { isCheckable } from '../patterns/pattern';
import { CheckLimit } from '../work';
import { schemaDependencies, schemaType, withNull } from './dialects';
import { type Dialect, isTooNew } from './drafts';
import { addAnnotations, addConstraints, isAnnotation } from './keywords';
import { isKnownType, malformed } from './malformed';
import { isAddress, isMediaListName, readMediaMark, singular } from './mediaHints';
import {
  type CompiledSchema,
  DYNAMIC,
  type DynamicTargets,
  MEDIA_MARK,
  RESOURCE,
  type Schema,
  type SchemaNode,
  SOFT,
  UNCHECKED,
} from './node';
import { breakLoops } from './referenceLoops';
import { References, type Resource, type Target } from './references';

const ONE = ['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'additionalProperties'];
const ONE_SCHEMA = [...ONE, 'unevaluatedProperties', 'unevaluatedItems'];
const LISTS = ['allOf', 'anyOf', 'oneOf'];

/** A schema with more parts would hold the page for longer than a keystroke may take. */
const MOST_NODES = 8000;
class TooLarge extends Error {}

const compiled = new WeakMap<object, CompiledSchema>();

function onlyRoot(root: boolean, notes: readonly string[] = []): CompiledSchema {
  const work = new CheckLimit();
  return { root, lookup: { '#': root }, notes, work, tracksEvaluated: false, containsEvaluates: true };
}

/**
 * Normalizes a schema of draft 4 to 2020-12, OpenAPI or Cog to 2020-12: every `$ref` local and resolved, `nullable`
 * as a type, malformed keywords left out. Done once per schema object. Never throws: unusable parts are left out and
 * named in `notes`.
 */
export function compileSchema(schema: JsonSchema): CompiledSchema {
  if (typeof schema === 'boolean') return onlyRoot(schema);
  if (!isObject(schema)) return onlyRoot(true);
  const known = compiled.get(schema);
  if (known) return known;
  let result: CompiledSchema;
  try {
    result = new Compilation(schema).result();
  } catch (error) {
    const message =
      error instanceof TooLarge
        ? l10n.t(
            "The model's schema has more than {0} parts. Enter JSON; only the service checks it.",
            MOST_NODES,
          )
        : // Nested deeper than the stack, or not JSON.
          l10n.t("The model's schema could not be read. Only the service checks the input.");
    result = onlyRoot(true, [message]);
  }
  compiled.set(schema, result);
  return result;
}

class Compilation {
  private readonly notes = new Set<string>();
  private readonly references: References;
  /** Raw targets of references and the name each gets, by the field they are for; upgraded one after another. */
  private readonly names = new Map<object, Map<string, string>>();
  private readonly pending: { raw: SchemaNode; name: string; field: string }[] = [];
  private readonly dynamicNames = new Map<readonly Target[], DynamicTargets>();
  private readonly root: SchemaNode;
  private tracksEvaluated = false;
  private count = 0;
  private targets = 0;

  constructor(document: SchemaNode) {
    this.references = new References(document);
    this.root = inputOfOpenApi(document) ?? document;
    this.names.set(this.root, new Map([['', '#']]));
  }

  result(): CompiledSchema {
    const { dialect } = this.references.root;
    if (dialect.isForeign)
      this.notes.add(
        l10n.t(
          'The schema has a dialect of its own ({0}). Only the service checks the input.',
          String(this.root.$schema),
        ),
      );
    const lookup: Record<string, Schema> = { '#': this.schema(this.root, '') };
    for (let next = this.pending.shift(); next; next = this.pending.shift())
      lookup[next.name] = this.schema(next.raw, next.field);
    if (breakLoops(lookup))
      this.notes.add(l10n.t('Part of the schema refers only to itself and is not checked here.'));
    return {
      root: lookup['#'] ?? true,
      lookup,
      notes: [...this.notes],
      work: new CheckLimit(),
      tracksEvaluated: this.tracksEvaluated,
      containsEvaluates: dialect.draft !== 2019,
    };
  }

  /** @param about the description of a schema around this one for the same value */
  private schema(raw: unknown, name: string, about?: unknown): Schema {
    if (typeof raw === 'boolean') return raw;
    if (!isObject(raw)) return true;
    this.count += 1;
    if (this.count > MOST_NODES) throw new TooLarge();
    const resource = this.references.resourceOf(raw);
    const { dialect } = resource;
    const node: Record<string, unknown> = {};
    addAnnotations(raw, node);
    const isReference = typeof raw.$ref === 'string';
    if (!(isReference && dialect.besideRef === 'ignored')) {
      addConstraints(raw, node, dialect);
      this.noteUnchecked(raw);
      this.children(raw, node, name, dialect);
      if (malformed(raw)) node[UNCHECKED] = true;
      this.soften(raw, node, dialect);
    }
    this.reference(raw, node, resource, name);
    if (this.references.isDivided) node[RESOURCE] = resource.address;
    const mark = readMediaMark(name, typeof about === 'string' ? { description: about, ...raw } : raw);
    if (!mark) return withNull(raw, node);
    node[MEDIA_MARK] = mark;
    return withNull(raw, mark.text ? textOrMedia(node) : node);
  }

  /** Notes the keywords without a certain meaning in the schema's draft, so that they never reject a value. */
  private soften(raw: SchemaNode, node: Record<string, unknown>, dialect: Dialect): void {
    const keys = Object.keys(node).filter((key) => !isAnnotation(key));
    const isBesideRef = typeof raw.$ref === 'string' && dialect.besideRef === 'unknown';
    if (isBesideRef && keys.length > 0) {
      this.notes.add(
        l10n.t('Keywords beside a reference are not checked here, because the schema names no draft.'),
      );
    }
    if (dialect.isForeign) node[SOFT] = true;
    else if (isBesideRef) {
      // The reference itself holds in every draft.
      if (keys.length > 0) node[SOFT] = keys;
    } else {
      const newer = keys.filter((key) => key in raw && isTooNew(key, dialect));
      if (typeof raw.exclusiveMinimum === 'number' && dialect.draft === 4) newer.push('exclusiveMinimum');
      if (typeof raw.exclusiveMaximum === 'number' && dialect.draft === 4) newer.push('exclusiveMaximum');
      if ('type' in node && !isKnownType(raw.type)) newer.push('type');
      if (newer.length > 0) node[SOFT] = newer;
    }
  }

  private noteUnchecked(strings: SchemaNode): void {
    for (const note of uncheckedStrings(strings)) this.notes.add(note);
  }

  private children(raw: SchemaNode, node: Record<string, unknown>, name: string, { draft }: Dialect): void {
    for (const key of ONE_SCHEMA) {
      if (isObject(raw[key]) || typeof raw[key] === 'boolean') node[key] = this.schema(raw[key], '');
    }
    this.tracksEvaluated ||= 'unevaluatedProperties' in node || 'unevaluatedItems' in node;
    for (const key of LISTS) {
      const list = raw[key];
      if (Array.isArray(list) && list.length > 0)
        node[key] = list.map((item) => this.schema(item, name, raw.description));
    }
    if (draft === 3 && 'extends' in raw)
      node.allOf = [raw.extends].flat().map((part) => this.schema(part, name));
    this.items(raw, node, name);
    if (isObject(raw.properties)) node.properties = this.map(raw.properties);
    if (isObject(raw.patternProperties)) {
      node.patternProperties = this.map(raw.patternProperties);
      for (const pattern of Object.keys(raw.patternProperties)) this.noteUnchecked({ pattern });
    }
    const { required, schemas } = schemaDependencies(raw);
    if (Object.keys(required).length > 0) node.dependentRequired = required;
    if (Object.keys(schemas).length > 0) node.dependentSchemas = this.map(schemas);
  }

  private items(raw: SchemaNode, node: Record<string, unknown>, name: string): void {
    const tuple = [raw.prefixItems, raw.items].find((items) => Array.isArray(items)) ?? [];
    if (tuple.length > 0) node.prefixItems = tuple.map((item) => this.schema(item, ''));
    const rest = Array.isArray(raw.items) ? raw.additionalItems : raw.items;
    const itemName = isMediaListName(name) ? singular(name) : '';
    if (isObject(rest) || typeof rest === 'boolean') node.items = this.schema(rest, itemName);
    else if (itemName !== '' && tuple.length === 0 && schemaType(raw.type) === 'array')
      node.items = this.schema({}, itemName);
  }

  private map(raw: SchemaNode): Record<string, Schema> {
    return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, this.schema(value, key)]));
  }

  private reference(raw: SchemaNode, node: Record<string, unknown>, resource: Resource, field: string): void {
    const { $ref } = raw;
    if (typeof $ref === 'string') this.refer(node, $ref, this.references.resolve($ref, resource), field);
    const { $dynamicRef = raw.$recursiveRef } = raw;
    if (typeof $dynamicRef !== 'string') return;
    const targets = this.references.resolveDynamic($dynamicRef, resource);
    if (targets.length > 1) node[DYNAMIC] = this.dynamic(targets);
    else if (node.$ref === undefined) this.refer(node, $dynamicRef, targets[0]);
    else {
      const part = {};
      this.refer(part, $dynamicRef, targets[0]);
      node.allOf = [...((node.allOf as Schema[] | undefined) ?? []), part];
    }
  }

  /** One map for all references with the same targets: thousands of each would be millions of entries. */
  private dynamic(targets: readonly Target[]): DynamicTargets {
    let names = this.dynamicNames.get(targets);
    if (!names) {
      names = new Map(
        targets.map(({ schema, resource }) => [resource.address, this.nameOf(schema as SchemaNode)]),
      );
      this.dynamicNames.set(targets, names);
    }
    return names;
  }

  private refer(
    node: Record<string, unknown>,
    reference: string,
    target: Target | undefined,
    field = '',
  ): void {
    if (target === undefined || (!isObject(target.schema) && typeof target.schema !== 'boolean')) {
      node[UNCHECKED] = true;
      this.notes.add(
        l10n.t(
          'The schema does not contain {0}, which it refers to. That part is not checked here.',
          reference,
        ),
      );
    } else if (target.schema === false) node.$ref = this.nameOf({ not: {} });
    else if (target.schema !== true) node.$ref = this.nameOf(target.schema as SchemaNode, field);
  }

  private nameOf(raw: SchemaNode, asField = ''): string {
    const field = isAddress(raw) ? asField : '';
    const names = this.names.get(raw) ?? new Map<string, string>();
    this.names.set(raw, names);
    const known = names.get(field);
    if (known !== undefined) return known;
    const name = `#/$defs/${this.targets++}`;
    names.set(field, name);
    this.pending.push({ raw, name, field });
    return name;
  }
}

/** Cog publishes a whole OpenAPI document with the input's schema as its component `Input`. */
function inputOfOpenApi(document: SchemaNode): SchemaNode | undefined {
  const components = isObject(document.components) ? document.components : undefined;
  const schemas = isObject(components?.schemas) ? components.schemas : undefined;
  const isSchema = ['type', 'properties', '$ref', 'allOf', 'anyOf', 'oneOf'].some((key) => key in document);
  return !isSchema && isObject(schemas?.Input) ? schemas.Input : undefined;
}

const MEDIA_OBJECT: SchemaNode = {
  type: 'object',
  required: ['media_ref'],
  properties: { media_ref: { type: 'string', minLength: 1 }, filename: { type: 'string' } },
};

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

/** Formats for which the form has no hint. JSON Schema makes formats annotations, which refuse nothing. */
const UNCHECKED_FORMATS = new Set([
  ...['hostname', 'idn-hostname', 'ipv4', 'ipv6', 'uri-reference', 'iri', 'iri-reference', 'uri-template'],
  ...['json-pointer', 'relative-json-pointer', 'regex', 'duration'],
]);

/** Constraints of a schema on strings that only the service checks, in words. */
function uncheckedStrings({ pattern, format }: SchemaNode): string[] {
  const notes: string[] = [];
  if (typeof pattern === 'string' && !isCheckable(pattern))
    notes.push(l10n.t('Only the service checks the pattern {0}.', pattern.slice(0, 60)));
  if (typeof format === 'string' && UNCHECKED_FORMATS.has(format))
    notes.push(l10n.t('Only the service checks the format {0}.', format));
  return notes;
}
