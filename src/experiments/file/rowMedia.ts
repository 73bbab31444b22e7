import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Json } from '../../domain/json';
import { checkedType, headAt } from '../../intake/fileCheck';
import type { AcceptOf, ItemFault, ItemFile } from './items';
import { itemFile, ownFile, unreadableFault } from './ownFile';

/** A file that a cell of a table names, at its place in the request. */
interface PlacedFile {
  readonly pointer: string;
  readonly file: ItemFile;
  readonly value: Json;
}

/** Of Linux, the longest of all systems. */
const LONGEST_PATH = 4_096;
/** Characters of an address, which may be a whole picture. */
const SHOWN = 100;

function isAddress(text: string): boolean {
  return /^\s*(?:[a-z][a-z\d+.-]*:\/\/|data:)/i.test(text);
}

/** The files that cells of a table name. Each is read once, however many rows name it. */
export class RowMedia {
  readonly #known = new Map<string, Promise<ItemFile | ItemFault>>();

  constructor(
    private readonly folder: string,
    private readonly media: readonly (readonly [string, string])[],
    private readonly acceptOf: AcceptOf,
  ) {}

  /** Of one row; a blank cell leaves out its field. */
  async read(values: Readonly<Record<string, Json>>): Promise<PlacedFile[] | ItemFault> {
    const placed: PlacedFile[] = [];
    for (const [pointer, name] of this.media) {
      const path = values[name.normalize('NFC')] ?? '';
      if (typeof path !== 'string') return { fault: 'notAFile', path: JSON.stringify(path) };
      if (path.trim() === '') continue;
      if (isAddress(path) || path.length > LONGEST_PATH)
        return { fault: 'address', path: path.slice(0, SHOWN) };
      const key = `${pointer} ${path}`;
      const reading = this.#known.get(key) ?? this.#read(path.trim(), this.acceptOf(pointer));
      this.#known.set(key, reading);
      const file = await reading;
      if ('fault' in file) return file;
      placed.push({ pointer, file, value: { media_ref: file.uri, filename: file.filename } });
    }
    return placed;
  }

  async #read(name: string, accept: readonly string[]): Promise<ItemFile | ItemFault> {
    const path = await ownFile(name, this.folder);
    if (typeof path !== 'string') return path;
    try {
      const [{ size: sizeBytes }, head] = [await stat(path), await headAt(path)];
      const checked = checkedType({ filename: basename(path), sizeBytes, head }, accept);
      return 'fault' in checked ? { ...checked, path: name } : await itemFile(path, sizeBytes);
    } catch (error) {
      return unreadableFault(name, error);
    }
  }
}
