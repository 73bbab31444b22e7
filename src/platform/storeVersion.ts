import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The database and its write-ahead log. */
const FILES = ['store/model-bench.db', 'store/model-bench.db-wal'];

/** Differs when the store in a folder may have changed; undefined: there is none. Reads no content. */
export async function storeVersionIn(folder: string): Promise<string | undefined> {
  const versions = await Promise.all(FILES.map((name) => versionOf(join(folder, name))));
  return versions.some((version) => version !== '') ? versions.join() : undefined;
}

/** A log without content is the same as none. */
async function versionOf(file: string): Promise<string> {
  const facts = await stat(file).catch(() => undefined);
  return facts && facts.size > 0 ? `${facts.size} ${facts.mtimeMs}` : '';
}
