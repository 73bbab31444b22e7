// Which file of `dist/host` has which module. esbuild makes a chunk for each set of entries and lazy modules that share
// code: by itself some 230, of which an extension host takes 2 ms to load each, and which compress badly.
import { dirname, resolve } from 'node:path';
import esbuild from 'esbuild';
import { root } from './root.mjs';

// When all later modules import the extension's entry (which has run by then), they share all modules of the
// activation: one chunk, and one of modules that the command line has too. In the same way, modules shared by several
// of them are one chunk, which the first of them loads, and one of modules that the command line has too.

/** Rooms that know VS Code: the command line has none of them. */
const KNOWS_VSCODE = /[\\/]src[\\/](features|platform|connection|vscode|extension|openServices)/;

/**
 * @typedef {{ readonly common: readonly string[], readonly own: readonly string[] }} SharedModules Modules that more
 * than one chunk would have: those that the command line has too, and those of the extension alone.
 */

/**
 * @param {SharedModules} [shared] left out: a chunk for each set, as while one develops
 * @returns {import('esbuild').Plugin}
 */
export function lazyModules(shared) {
  return {
    name: 'lazy-modules',
    setup(build) {
      const { extension: entry } = /** @type {Record<string, string>} */ (build.initialOptions.entryPoints);
      const extension = resolve(entry);
      // A module without side effects needs no place among the shared ones.
      build.initialOptions.logOverride = { 'ignored-bare-import': 'silent' };
      build.onResolve({ filter: /./ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (kind !== 'dynamic-import' || pluginData === lazyModules) return undefined;
        const knowsVSCode = KNOWS_VSCODE.test(importer);
        if (!knowsVSCode && shared === undefined) return undefined;
        const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: lazyModules });
        return found.external ? found : { ...found, namespace: knowsVSCode ? 'lazy' : 'lazy-everywhere' };
      });
      const load = (/** @type {string} */ namespace, /** @type {readonly string[]} */ imports) =>
        build.onLoad({ filter: /./, namespace }, ({ path }) => ({
          contents: [
            `export * from ${JSON.stringify(path)};`,
            // `export *` leaves out a package's default export.
            /node_modules/.test(path) ? `export { default } from ${JSON.stringify(path)};` : '',
            ...imports.map((one) => `import ${JSON.stringify(one)};`),
          ].join('\n'),
          resolveDir: dirname(path),
          loader: 'ts',
        }));
      load('lazy', [extension, ...(shared ? ['shared:common', 'shared:own'] : [])]);
      load('lazy-everywhere', ['shared:common']);
      build.onResolve({ filter: /^shared:/ }, ({ path }) => ({ path: path.slice(7), namespace: 'shared' }));
      build.onLoad({ filter: /./, namespace: 'shared' }, ({ path }) => ({
        contents: shared?.[/** @type {keyof SharedModules} */ (path)]
          .map((file) => `import ${JSON.stringify(resolve(file))};`)
          .join('\n'),
        resolveDir: root,
      }));
    },
  };
}

/**
 * Builds once without writing, to find the shared modules of chunks.
 *
 * @param {import('esbuild').BuildOptions} settings with `lazyModules` without shared ones, and `cli` among its
 * entries
 * @returns {Promise<SharedModules>}
 */
export async function sharedModules(settings) {
  const { metafile } = await esbuild.build({ ...settings, write: false, metafile: true });
  const { inputs, outputs } = /** @type {import('esbuild').Metafile} */ (metafile);
  const { extension, cli } = /** @type {Record<string, string>} */ (settings.entryPoints);
  const ofCommandLine = reached(cli, (file) => inputs[file]?.imports);
  const activation = Object.keys(outputs).find((file) => outputs[file].entryPoint === extension);
  const atActivation = new Set(
    [...reached(activation, loadedWith(outputs))].flatMap((file) => Object.keys(outputs[file].inputs)),
  );
  const shared = Object.values(outputs)
    .filter(({ entryPoint }) => entryPoint === undefined)
    .flatMap((chunk) => Object.keys(chunk.inputs))
    .filter((file) => file in inputs && !/^[\w-]+:/.test(file));
  return {
    common: shared.filter((file) => ofCommandLine.has(file)),
    own: shared.filter((file) => !ofCommandLine.has(file) && !atActivation.has(file)),
  };
}

/** The files that are loaded with a file. */
export const loadedWith =
  (/** @type {import('esbuild').Metafile['outputs']} */ outputs) => (/** @type {string} */ file) =>
    outputs[file]?.imports.filter(({ kind }) => kind === 'import-statement');

/**
 * All that can be reached from a file, with it.
 *
 * @param {string} from
 * @param {(file: string) => readonly { path: string, external?: boolean }[] | undefined} importsOf
 */
export function reached(from, importsOf) {
  const all = new Set([from]);
  for (const file of all)
    for (const { path, external } of importsOf(file) ?? []) if (!external) all.add(path);
  return all;
}
