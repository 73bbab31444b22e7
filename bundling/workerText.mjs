// `import text from './worker.ts?text'`: the script of a worker, bundled, as a text. A page may start a worker of a text
// that it has, and of no address: it reaches no network.
import { resolve } from 'node:path';
import esbuild from 'esbuild';

/** Inputs of the workers' bundles, for the notices and the bill of materials. @type {import('esbuild').Metafile[]} */
export const workerMetafiles = [];

/** @type {import('esbuild').Plugin} */
export const workerText = {
  name: 'worker-text',
  setup(build) {
    const { minify, target, define, tsconfigRaw } = build.initialOptions;
    build.onResolve({ filter: /\.ts\?text$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.replace(/\?text$/, '')),
      namespace: 'worker-text',
    }));
    build.onLoad({ filter: /./, namespace: 'worker-text' }, async ({ path }) => {
      const { outputFiles, metafile } = await esbuild.build({
        ...{ minify, target, define, tsconfigRaw },
        // Packages have other files where there is no document.
        conditions: ['worker'],
        entryPoints: [path],
        platform: 'browser',
        format: 'iife',
        bundle: true,
        write: false,
        metafile: true,
        legalComments: 'none',
      });
      workerMetafiles.push(metafile);
      const watchFiles = Object.keys(metafile.inputs).map((file) => resolve(file));
      return { contents: outputFiles[0].text, loader: 'text', watchFiles };
    });
  },
};
