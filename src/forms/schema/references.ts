import { segmentsOf } from '../../domain/pointer';

type Raw = Record<string, unknown>;

/** Where a `$ref` leads: the raw schema, and the resource (`$id`) whose pointers it uses in turn. */
export interface Target {
  readonly schema: unknown;
  readonly resource: unknown;
}

/**
 * Finds what a `$ref` of a raw schema points at: JSON pointers, `$anchor`s and `$id`s of any draft, inside this
 * schema. Nothing is ever fetched.
 */
export class References {
  private readonly byId = new Map<string, unknown>();
  private readonly byAnchor = new Map<string, Target>();

  constructor(private readonly root: unknown) {
    this.index(root, root, new Set());
  }

  /** The target of a reference made inside `resource`, or undefined when it is not in this schema. */
  resolve(reference: string, resource: unknown): Target | undefined {
    const hash = reference.indexOf('#');
    const address = hash < 0 ? reference : reference.slice(0, hash);
    const fragment = hash < 0 ? '' : reference.slice(hash + 1);
    const resources = address === '' ? [resource, this.root] : [this.resourceAt(address)];
    for (const base of resources) {
      const found = base === undefined ? undefined : this.inside(base, fragment);
      if (found) return found;
    }
    return undefined;
  }

  private resourceAt(address: string): unknown {
    const exact = this.byId.get(address);
    if (exact !== undefined) return exact;
    // A relative reference: the one resource whose $id ends so.
    const tail = `/${address.replace(/^(\.?\/)+/, '')}`;
    const ids = [...this.byId.keys()].filter((id) => id.endsWith(tail));
    return ids.length === 1 ? this.byId.get(ids[0] as string) : undefined;
  }

  private inside(resource: unknown, fragment: string): Target | undefined {
    if (fragment === '') return { schema: resource, resource };
    if (!fragment.startsWith('/')) return this.byAnchor.get(fragment);
    for (const pointer of [fragment, decoded(fragment)]) {
      let at: unknown = resource;
      let within = resource;
      for (const key of segmentsOf(pointer)) {
        at = isContainer(at) && Object.hasOwn(at, key) ? (at as Raw)[key] : undefined;
        if (isContainer(at) && typeof at.$id === 'string') within = at;
      }
      if (at !== undefined) return { schema: at, resource: within };
    }
    return undefined;
  }

  private index(node: unknown, resource: unknown, seen: Set<unknown>): void {
    if (!isContainer(node) || seen.has(node)) return;
    seen.add(node);
    const id = typeof node.$id === 'string' ? node.$id : typeof node.id === 'string' ? node.id : undefined;
    let within = resource;
    if (id?.startsWith('#')) this.byAnchor.set(id.slice(1), { schema: node, resource });
    else if (id !== undefined) {
      if (typeof node.$id === 'string') within = node;
      this.byId.set(id.replace(/#$/, ''), node);
    }
    for (const anchor of [node.$anchor, node.$dynamicAnchor]) {
      if (typeof anchor === 'string' && !this.byAnchor.has(anchor))
        this.byAnchor.set(anchor, { schema: node, resource: within });
    }
    for (const child of Object.values(node)) this.index(child, within, seen);
  }
}

function isContainer(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
