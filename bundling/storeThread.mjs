// The thread of the store as an entry of the host's bundle (`hostChunks.mjs` says how that one is split).
import { resolve } from 'node:path';
import esbuild from 'esbuild';
import { reached } from './hostChunks.mjs';
import { root } from './root.mjs';

/**
 * The thread loads what activation and the command line have in common, of which it needs little: a chunk of that little
 * would be one more file at activation.
 *
 * @param {import('esbuild').BuildOptions} settings of the host's bundle
 * @param {readonly string[]} common modules that the command line shares with the extension
 * @returns {Promise<import('esbuild').Plugin>}
 */
export async function storeThread(settings, common) {
  const { extension, storeWorker } = /** @type {Record<string, string>} */ (settings.entryPoints);
  const alone = { ...settings, entryPoints: { extension }, write: false, metafile: true };
  const { metafile } = await esbuild.build(/** @type {import('esbuild').BuildOptions} */ (alone));
  const atActivation = reached(extension, (file) =>
    metafile?.inputs[file]?.imports.filter(({ kind }) => kind !== 'dynamic-import'),
  );
  const imports = [
    resolve(storeWorker),
    ...common.filter((file) => atActivation.has(file)).map((file) => resolve(file)),
  ];
  return {
    name: 'store-thread',
    setup(build) {
      build.onResolve({ filter: /worker\.ts$/ }, ({ path, kind }) =>
        kind === 'entry-point' && resolve(path) === resolve(storeWorker)
          ? { path: resolve(path), namespace: 'store-thread' }
          : undefined,
      );
      build.onLoad({ filter: /./, namespace: 'store-thread' }, () => ({
        contents: imports.map((file) => `import ${JSON.stringify(file)};`).join('\n'),
        resolveDir: root,
      }));
    },
  };
}
