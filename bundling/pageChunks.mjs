// Which file of `dist/webview` has which module. esbuild makes a chunk for each set of pages and lazy modules that share
// code: by itself some thirty for a run panel, each of which takes its way through VS Code's service worker.
import { dirname, relative, resolve, sep } from 'node:path';
import esbuild from 'esbuild';
import { loadedWith, reached } from './hostChunks.mjs';
import { root } from './root.mjs';

// A module is in the chunk of all that import it. When each page imports everything that it shares with the same
// others, and each lazy module uses modules that those pages have loaded, one chunk has all of them.

/** Less than this that some pages share is not worth a file: all pages have it. In bytes. */
const WORTH_A_FILE = 10_000;

/**
 * @typedef {object} Shared modules that several pages, or a page and its lazy modules, have in common
 * @property {readonly string[]} users entries and lazy modules that load all of them
 * @property {readonly string[]} modules
 */

/**
 * @param {readonly Shared[]} shared
 * @returns {import('esbuild').Plugin}
 */
export function sharedChunks(shared) {
  const importsOf = (/** @type {string} */ file) =>
    shared
      .flatMap(({ users }, at) => (users.includes(inMetafile(file)) ? [at] : []))
      .map((at) => `import 'shared:${at}';`);
  return {
    name: 'shared-chunks',
    setup(build) {
      build.initialOptions.logOverride = { 'ignored-bare-import': 'silent' };
      build.onResolve({ filter: /./ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if ((kind !== 'dynamic-import' && kind !== 'entry-point') || pluginData === sharedChunks)
          return undefined;
        const found = await build.resolve(kind === 'entry-point' ? `./${path}` : path, {
          ...{ kind, importer, resolveDir, pluginData: sharedChunks },
        });
        return { ...found, namespace: 'with-shared' };
      });
      build.onLoad({ filter: /./, namespace: 'with-shared' }, ({ path }) => ({
        // Its own imports come first: the order of styles stays.
        contents: [`export * from ${JSON.stringify(path)};`, ...importsOf(path)].join('\n'),
        resolveDir: dirname(path),
      }));
      build.onResolve({ filter: /^shared:/ }, ({ path }) => ({ path: path.slice(7), namespace: 'shared' }));
      build.onLoad({ filter: /./, namespace: 'shared' }, ({ path }) => ({
        contents: shared[Number(path)].modules
          .map((file) => `import ${JSON.stringify(resolve(root, file))};`)
          .join('\n'),
        resolveDir: root,
      }));
    },
  };
}

/** A path as the metafile has it, on every system. @param {string} file absolute */
function inMetafile(file) {
  return relative(root, file).replaceAll(sep, '/');
}

/**
 * Builds once without writing, to find the shared modules of chunks.
 *
 * @param {import('esbuild').BuildOptions} settings of the pages, without `sharedChunks`
 * @returns {Promise<readonly Shared[]>}
 */
export async function sharedByPages(settings) {
  const { metafile } = await esbuild.build({ ...settings, write: false, metafile: true });
  const { inputs, outputs } = /** @type {import('esbuild').Metafile} */ (metafile);
  const pages = Object.values(/** @type {Record<string, string>} */ (settings.entryPoints));
  const entries = Object.keys(outputs).filter((file) => file.endsWith('.js') && outputs[file].entryPoint);
  const modulesOf = (/** @type {string} */ entry) =>
    [...reached(entry, loadedWith(outputs))]
      .filter((file) => outputs[file].entryPoint === undefined)
      .flatMap((file) => Object.entries(outputs[file].inputs))
      .filter(([file]) => file in inputs && /\.(?:[cm]?[jt]s|css)$/.test(file) && !/^[\w-]+:/.test(file));
  const hasStyles = (/** @type {string} */ module) =>
    [...reached(module, (file) => inputs[file]?.imports)].some((file) => file.endsWith('.css'));

  /** @type {Map<string, Set<string>>} */
  const users = new Map();
  /** @type {Map<string, number>} */
  const bytes = new Map();
  for (const entry of entries) {
    const page = outputs[entry].entryPoint;
    if (pages.includes(page))
      for (const [file, { bytesInOutput }] of modulesOf(entry)) {
        users.set(file, (users.get(file) ?? new Set()).add(page));
        bytes.set(file, bytesInOutput);
      }
  }
  /** Modules by who uses them. @type {Map<string, string[]>} */
  const groups = new Map();
  const add = (/** @type {string} */ key, /** @type {string} */ file) =>
    groups.set(key, [...(groups.get(key) ?? []), file]);
  for (const [file, pagesOfIt] of users) add([...pagesOfIt].sort().join('\n'), file);
  const everyPage = [...pages].sort().join('\n');
  for (const [key, modules] of [...groups]) {
    if (key === everyPage || modules.reduce((sum, file) => sum + bytes.get(file), 0) >= WORTH_A_FILE)
      continue;
    groups.delete(key);
    // A page gets no styles that it did not ask for.
    for (const file of modules) add(hasStyles(file) ? key : everyPage, file);
  }
  const importsOf = (/** @type {string} */ file) =>
    inputs[file]?.imports.filter(({ kind }) => kind !== 'dynamic-import');
  const keyOf = new Map([...groups].flatMap(([key, modules]) => modules.map((file) => [file, key])));
  /** The groups that a lazy module loads: those it uses, and those that all modules of these use in turn. */
  const keysOf = (/** @type {string} */ entry) => {
    // Every page has the modules that all share: lazy modules find them there.
    const keys = new Set([everyPage, ...modulesOf(entry).flatMap(([file]) => keyOf.get(file) ?? [])]);
    for (const key of keys)
      for (const module of groups.get(key))
        for (const file of reached(module, importsOf)) if (keyOf.has(file)) keys.add(keyOf.get(file));
    return keys;
  };
  const lazy = entries
    .filter((entry) => !pages.includes(outputs[entry].entryPoint))
    .map((entry) => ({ module: outputs[entry].entryPoint, keys: keysOf(entry) }));
  return [...groups].map(([key, modules]) => {
    const later = lazy.filter(({ keys }) => keys.has(key)).map(({ module }) => module);
    return { users: [...key.split('\n'), ...later], modules };
  });
}
