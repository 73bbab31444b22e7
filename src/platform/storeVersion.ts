import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The database and its write-ahead log. */
const FILES = ['model-bench.db', 'model-bench.db-wal'];

/** Differs when a store in the extension's folder may have changed; undefined: there is none. Reads no content. */
export async function storeVersionIn(folder: string): Promise<string | undefined> {
  const stores = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith('store-'));
  const files = stores.flatMap((store) => FILES.map((name) => join(folder, store, name)));
  const versions = await Promise.all(files.map(versionOf));
  return versions.some((version) => version !== '') ? versions.join() : undefined;
}

/** A log without content is the same as none. */
async function versionOf(file: string): Promise<string> {
  const facts = await stat(file).catch(() => undefined);
  return facts && facts.size > 0 ? `${facts.size} ${facts.mtimeMs}` : '';
}
