import { percentDecoded } from '../../domain/percentDecoded';
import { segmentsOf } from '../../domain/pointer';
import { type Dialect, declaredDialect, schemaDialect } from './drafts';

type Raw = { readonly [key: string]: unknown };

/** The platform's: in Node.js and in pages. */
declare const URL: { parse(address: string, base: string): { readonly href: string } | null };

/** The base of a document without an address of its own. */
const NOWHERE = 'https://schema.invalid/';

/** A schema with an identity of its own: the whole document, or a part of it with `$id`. */
export interface Resource {
  readonly address: string;
  readonly root: unknown;
  readonly dialect: Dialect;
  readonly anchors: Map<string, unknown>;
  /** Those of `$dynamicAnchor`; "" for `$recursiveAnchor: true`. */
  readonly dynamic: Set<string>;
}

/** Where a `$ref` leads: the raw schema, and the resource that contains it. */
export interface Target {
  readonly schema: unknown;
  readonly resource: Resource;
}

/** Keywords that contain a value and not a schema: an `$id` in it has no meaning. */
const VALUES = new Set(['enum', 'const', 'default', 'example', 'examples']);
/** Keywords with members under names of the author's choice. */
const MAPS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

/**
 * Finds the targets of the references of a raw schema: JSON pointers, anchors and ids of any draft, inside this
 * document. It never fetches a document.
 */
export class References {
  readonly root: Resource;
  /** Undefined: two schemas claim the address, and which is meant is not known. */
  private readonly byAddress = new Map<string, Resource | undefined>();
  private readonly byNode = new Map<unknown, Resource>();
  /** By anchor: the same for all references to it. */
  private readonly dynamicTargets = new Map<string, readonly Target[]>();

  constructor(document: Raw) {
    const dialect = schemaDialect(document);
    const id = schemaId(document, dialect);
    this.root = this.begin(document, absoluteAddress(id?.address ?? '', NOWHERE), dialect);
    this.index(document, this.root, false);
  }

  /** The resource that contains a schema. */
  resourceOf(schema: unknown): Resource {
    return this.byNode.get(schema) ?? this.root;
  }

  /** The target of a reference made inside `resource`, or undefined when it is not in this document. */
  resolve(reference: string, resource: Resource): Target | undefined {
    const { address, fragment } = splitReference(reference);
    const target = address === '' ? resource : this.byAddress.get(absoluteAddress(address, resource.address));
    if (!target) return undefined;
    const node = this.inside(target, fragment);
    // Parts of an OpenAPI document may have ids and still point into the whole document.
    return node ?? (address === '' && resource !== this.root ? this.inside(this.root, fragment) : undefined);
  }

  /**
   * The targets that a `$dynamicRef` or `$recursiveRef` may have: that of the outermost resource on the way to it which
   * has the anchor. One target where it is the same on every way.
   */
  resolveDynamic(reference: string, resource: Resource): readonly Target[] {
    const target = this.resolve(reference, resource);
    const anchor = splitReference(reference).fragment;
    if (!target?.resource.dynamic.has(anchor)) return target ? [target] : [];
    let targets = this.dynamicTargets.get(anchor);
    if (!targets) {
      const outermost = this.root.dynamic.has(anchor) ? [this.root] : [...this.byAddress.values()];
      targets = outermost.flatMap((each) =>
        each?.dynamic.has(anchor) ? (this.inside(each, anchor) ?? []) : [],
      );
      this.dynamicTargets.set(anchor, targets);
    }
    return targets;
  }

  /** Whether the document has parts with an identity of their own. */
  get isDivided(): boolean {
    return this.byAddress.size > 1;
  }

  private inside(resource: Resource, fragment: string): Target | undefined {
    if (fragment === '') return { schema: resource.root, resource };
    if (!fragment.startsWith('/')) {
      const schema = resource.anchors.get(percentDecoded(fragment));
      return schema === undefined ? undefined : { schema, resource };
    }
    for (const pointer of [percentDecoded(fragment), fragment]) {
      let at: unknown = resource.root;
      let within = resource;
      for (const key of segmentsOf(pointer)) {
        at = isContainer(at) && Object.hasOwn(at, key) ? (at as Raw)[key] : undefined;
        within = this.byNode.get(at) ?? within;
      }
      if (at !== undefined) return { schema: at, resource: within };
    }
    return undefined;
  }

  private begin(root: unknown, address: string, dialect: Dialect): Resource {
    const resource = { address, root, dialect, anchors: new Map(), dynamic: new Set<string>() };
    this.byAddress.set(address, this.byAddress.has(address) ? undefined : resource);
    return resource;
  }

  private index(node: unknown, outer: Resource, areNames: boolean): void {
    if (!isContainer(node) || this.byNode.has(node)) return;
    const resource = areNames || Array.isArray(node) ? outer : this.enter(node as Raw, outer);
    this.byNode.set(node, resource);
    for (const [key, child] of Object.entries(node))
      if (areNames || !VALUES.has(key)) this.index(child, resource, !areNames && MAPS.has(key));
  }

  /** The resource of a schema, with its anchors noted. */
  private enter(node: Raw, outer: Resource): Resource {
    const declared = typeof node.$schema === 'string' ? declaredDialect(node.$schema) : outer.dialect;
    const id = node === outer.root ? undefined : schemaId(node, declared);
    const resource = id?.address
      ? this.begin(node, absoluteAddress(id.address, outer.address), declared)
      : outer;
    const legacy = schemaId(node, declared)?.fragment;
    for (const anchor of [legacy, node.$anchor, node.$dynamicAnchor])
      if (typeof anchor === 'string' && anchor !== '' && !resource.anchors.has(anchor))
        resource.anchors.set(anchor, node);
    if (typeof node.$dynamicAnchor === 'string') resource.dynamic.add(node.$dynamicAnchor);
    if (node.$recursiveAnchor === true && node === resource.root) resource.dynamic.add('');
    return resource;
  }
}

/** The `$id` of a schema (`id` up to draft 4), unless a `$ref` beside it makes it meaningless. */
function schemaId(node: Raw, { draft, besideRef }: Dialect): ReturnType<typeof splitReference> | undefined {
  if (besideRef === 'ignored' && typeof node.$ref === 'string') return undefined;
  const isOld = draft !== undefined && draft <= 4;
  const isPlain = draft === undefined && typeof node.id === 'string' && node.id.startsWith('#');
  const id = isOld || isPlain ? node.id : node.$id;
  return typeof id === 'string' ? splitReference(id) : undefined;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A reference split at its "#"; the fragment is "" without one. */
function splitReference(reference: string): { readonly address: string; readonly fragment: string } {
  const [address = '', ...fragment] = reference.split('#');
  return { address, fragment: fragment.join('#') };
}

/** The absolute address of a reference made at `base`, both without a fragment. */
function absoluteAddress(address: string, base: string): string {
  return address === '' ? base : (URL.parse(address, base)?.href ?? address);
}
