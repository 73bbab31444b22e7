import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path, { join } from 'node:path';
import esbuild from 'esbuild';
import { openStore, type Store, type StoreOptions } from '../../../src/store/store';
import { outFolder, root } from '../paths';

/** The worker as the product has it: bundled. */
export const worker = path.join(outFolder, 'test/store/worker.mjs');
await esbuild.build({
  entryPoints: [path.join(root, 'src/store/worker.ts')],
  outfile: worker,
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'esm',
  logLevel: 'warning',
});

/** A folder of a test and what it opened in it, closed and removed after each. */
export function useStoreFolder() {
  const opened: Store[] = [];
  const use = {
    folder: '',
    open: async (options: Partial<StoreOptions> = {}, folder = join(use.folder, 'store')) => {
      const store = await openStore(folder, { worker, ...options });
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
