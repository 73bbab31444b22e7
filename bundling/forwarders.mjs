// What esbuild leaves of modules that `hostChunks.mjs` puts into shared chunks.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

const STATEMENTS = /(?:import(?:\{([^{}]*)\}from)?"\.\/([\w.-]+)";|export\{([^{}]*)\};)\s*/y;

/**
 * A lazy module that shared chunks have as a whole is a file of a line, which names what of a chunk it exports. Whoever
 * imports it does that itself instead: such a file takes 330 bytes of the package, and as long to load as any other.
 *
 * @type {import('esbuild').Plugin}
 */
export const withoutForwarders = {
  name: 'without-forwarders',
  setup(build) {
    build.onEnd(({ metafile }) => {
      const { outputs } = /** @type {import('esbuild').Metafile} */ (metafile);
      const banner = build.initialOptions.banner?.js ?? '';
      for (const [file, { entryPoint, inputs }] of Object.entries(outputs)) {
        const isEmpty = Object.values(inputs).every(({ bytesInOutput }) => bytesInOutput === 0);
        const instead =
          entryPoint?.startsWith('lazy') && isEmpty && forwarded(readFileSync(file, 'utf8'), banner);
        if (!instead) continue;
        for (const [importer, { imports }] of Object.entries(outputs)) {
          if (!imports.some(({ kind, path }) => kind === 'dynamic-import' && path === file)) continue;
          const calls = new RegExp(`import\\("(\\./(?:\\w+/)?)${basename(file)}"\\)`, 'g');
          const source = readFileSync(importer, 'utf8');
          if (!calls.test(source)) throw new Error(`${importer} does not import ${file} as expected`);
          writeFileSync(
            importer,
            source.replaceAll(
              calls,
              (_, folder) => `import("${folder}${instead.chunk}").then(e=>(${instead.exports}))`,
            ),
          );
        }
        rmSync(file);
      }
    });
  },
};

/** What a forwarder exports, as an object of the exports `e` of the one chunk that it names; undefined for another file. */
function forwarded(/** @type {string} */ source, /** @type {string} */ banner) {
  if (!source.startsWith(banner)) return undefined;
  const code = source.slice(banner.length).trim();
  /** @type {Map<string, string>} */
  const names = new Map();
  /** @type {string[]} */
  const chunks = [];
  let exports = '';
  STATEMENTS.lastIndex = 0;
  for (let at = 0; at < code.length; at = STATEMENTS.lastIndex) {
    const [, imported, chunk, exported] = STATEMENTS.exec(code) ?? [];
    if (exported !== undefined) exports = exported;
    else if (chunk === undefined) return undefined;
    else if (imported !== undefined) {
      chunks.push(chunk);
      for (const [theirs, ours] of aliases(imported)) names.set(ours, theirs);
    }
  }
  if (chunks.length !== 1) return undefined;
  const members = aliases(exports).map(([ours, shown]) => names.has(ours) && `${shown}:e.${names.get(ours)}`);
  if (members.includes(false)) return undefined;
  return { chunk: chunks[0], exports: `{${members.join()}}` };
}

/** "a as b,c": pairs of names. @returns {[string, string][]} */
const aliases = (/** @type {string} */ list) =>
  list.split(',').map((one) => {
    const [from, to = from] = one.trim().split(' as ');
    return [from, to];
  });
