import { absoluteAddress, NOWHERE, splitReference } from '../domain/addresses';
import type { Json } from '../domain/json';
import { percentDecoded } from '../domain/percentDecoded';
import { segmentsOf } from '../domain/pointer';
import { getAt, isObject, type UnknownObject } from '../domain/value';
import { members, recordsIn } from '../readers/records';

// References to another document, `common.json#/definitions/Size`: publishers split schemas over files, and bundle
// them in one body. They are not fetched.

/** The target of a reference to another document, and its place below the schema. */
export interface Found {
  readonly segments: readonly string[];
  readonly target: UnknownObject;
  readonly address: string;
}

/** The address of a schema by its own words, else that of its parent. */
export function schemaAddress(schema: UnknownObject, base: string): string {
  const id = schema.$id ?? (typeof schema.$schema === 'string' ? schema.id : undefined);
  return typeof id === 'string' ? absoluteAddress(splitReference(id).address, base) : base;
}

/** The documents in the records around a schema, the outermost first, for its references. */
export class Documents {
  private readonly own: ReadonlyMap<string, UnknownObject>;
  private readonly others: ReadonlyMap<string, UnknownObject>;

  constructor(
    schema: UnknownObject,
    around: readonly UnknownObject[],
    private readonly base: string,
  ) {
    this.own = documentsIn([schema], NOWHERE, false);
    this.others = documentsIn(around, base, true);
  }

  /** @param definition a definition of the body by its name: the last resort, as for references inside the document */
  find(reference: string, definition: (name: string) => unknown): Found | undefined {
    const { address, fragment } = splitReference(reference);
    if (address === this.base || this.own.has(address)) return undefined;
    const segments = segmentsOf(percentDecoded(fragment));
    const document = this.others.get(address) ?? this.others.get(fileOf(address));
    if (document !== undefined && has(document, fragment))
      return { segments: ['$defs', address], target: named(document, address), address };
    if (fragment !== '' && !fragment.startsWith('/')) return undefined;
    const name = segments.at(-1) ?? fileOf(address).replace(/\.[^.]*$/, '');
    const target = definition(name);
    if (!isObject(target)) return undefined;
    return {
      segments: ['$defs', address, ...segments],
      target: fragment === '' ? named(target, address) : (target as UnknownObject),
      address,
    };
  }
}

/** With its address under the keywords of every draft. */
function named(document: object, address: string): UnknownObject {
  return { ...document, $id: address, id: address };
}

function has(document: UnknownObject, fragment: string): boolean {
  return !fragment.startsWith('/') || getAt(document as Json, percentDecoded(fragment)) !== undefined;
}

/** The last part of an address: "common.json". */
function fileOf(address: string): string {
  return address.slice(address.lastIndexOf('/') + 1);
}

const FILE = /\.(?:json|ya?ml|schema|jsonschema)$/i;

/** Those with an address; on request also those under the name of a file. The outermost first. */
function documentsIn(
  records: readonly UnknownObject[],
  base: string,
  byFile: boolean,
): ReadonlyMap<string, UnknownObject> {
  const documents = new Map<string, UnknownObject>();
  const put = (address: string, document: UnknownObject) => {
    if (!documents.has(address)) documents.set(address, document);
  };
  for (const record of recordsIn(records)) {
    const address = schemaAddress(record, '');
    if (address !== '') put(absoluteAddress(address, NOWHERE), record);
    if (!byFile) continue;
    for (const [key, member] of members(record)) {
      if (!isObject(member) || !FILE.test(key)) continue;
      put(absoluteAddress(key, base), member as UnknownObject);
      put(fileOf(key), member as UnknownObject);
    }
  }
  return documents;
}
