import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store, type StoreOptions } from '../../../src/store/store';

/** A folder of a test and the stores opened in it, closed and removed after each. */
export function useStoreFolder() {
  const opened: Store[] = [];
  const use = {
    folder: '',
    open: async (options: Partial<StoreOptions> = {}, folder = join(use.folder, 'store')) => {
      const store = await openStore(folder, options);
      opened.push(store);
      return store;
    },
  };
  beforeEach(async () => {
    use.folder = await fs.mkdtemp(join(tmpdir(), 'store-'));
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
    await fs.rm(use.folder, { recursive: true, force: true });
  });
  return use;
}

/** Looks at every page of a store's file; returns the damage, a line each. */
export function damageOf({ database }: Store): string[] {
  const lines = database.all('PRAGMA quick_check(20)', (row) => String(row.quick_check));
  return lines.filter((line) => line !== 'ok');
}
