// What is data in a bundle is a file beside it, packed with Brotli and read when it is first used: a package packs base64
// badly (a network's weights, WebAssembly), and everything else a seventh worse than Brotli.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const require = createRequire(import.meta.url);

/**
 * @param {string} name of the file, without its ending `.br`
 * @param {RegExp} script that has the data, or reads it
 * @param {(script: string) => Uint8Array | string} dataOf
 * @param {(script: string, reading: string) => string} contents of that script instead, with an expression that reads
 *   the data
 * @returns {import('esbuild').Plugin}
 */
function beside(name, script, dataOf, contents) {
  const reading = `require('node:zlib').brotliDecompressSync(require('node:fs').readFileSync(require.resolve(require('${name}.br'))))`;
  /** @type {string} */
  let found;
  return {
    name: `${name}-beside`,
    setup(build) {
      build.onLoad({ filter: script, namespace: 'file' }, ({ path }) => {
        found = path;
        return { contents: contents(path, reading), loader: 'js' };
      });
      build.onResolve({ filter: new RegExp(`^${name}\\.br$`) }, ({ path }) => ({ path, namespace: name }));
      build.onLoad({ filter: /./, namespace: name }, () => ({
        contents: brotliCompressSync(dataOf(found)),
        loader: 'file',
      }));
    },
  };
}

/** The text of a script with one passage replaced. */
function replaced(/** @type {string} */ script, /** @type {RegExp} */ passage, /** @type {string} */ by) {
  const source = readFileSync(script, 'utf8');
  if (!passage.test(source)) throw new Error(`${script} is not written as expected`);
  return source.replace(passage, () => by);
}

export const webpDecoderBeside = beside(
  'webp-decoder',
  /@cwasm[\\/]webp[\\/]index\.js$/,
  (script) => readFileSync(join(dirname(script), 'webp.wasm')),
  (script, reading) => replaced(script, /fs\.readFileSync\(path\.join\(__dirname, 'webp\.wasm'\)\)/, reading),
);

export const httpParserBeside = beside(
  'http-parser',
  /llhttp-wasm\.js$/,
  (script) => require(script),
  (_, reading) => `module.exports = ${reading};`,
);

/** lande's weights, of which each row is `<scale>|<base64>`: a line of JSON with their lengths instead, then their bytes. */
export const languageWeightsBeside = beside(
  'language-weights',
  /lande[\\/]standalone[\\/]t50-options\.js$/,
  (script) => {
    const rows = [];
    const source = readFileSync(script, 'utf8').replace(/^export default |;?\s*$/g, '');
    const options = JSON.stringify(JSON.parse(source), (_, value) => {
      if (typeof value !== 'string' || !value.includes('|')) return value;
      const [scale, base64] = value.split('|');
      rows.push(Buffer.from(base64, 'base64'));
      return `${scale}|${rows.at(-1).length}`;
    });
    return Buffer.concat([Buffer.from(`${options}\n`), ...rows]);
  },
  (_, reading) => `const packed = ${reading};
let at = packed.indexOf('\\n');
export default JSON.parse(packed.toString('utf8', 0, at++), (_, value) => {
  if (typeof value !== 'string' || !value.includes('|')) return value;
  const [scale, length] = value.split('|');
  return scale + '|' + packed.toString('base64', at, (at += Number(length)));
});`,
);

const LEXICON = /(?<=\.lexicon=)\{(?:[^{}"]|"(?:[^"\\]|\\.)*")*\}/;

/** VADER's lexicon, `{word: value}`: the words by their value, in order. */
export const lexiconBeside = beside(
  'sentiment-lexicon',
  /vader-sentiment[\\/]build[\\/]vaderSentiment\.bundle\.js$/,
  (script) => {
    const [lexicon] = LEXICON.exec(readFileSync(script, 'utf8'));
    /** @type {Map<number, string[]>} */
    const byValue = new Map();
    for (const [word, value] of Object.entries(Function(`return ${lexicon}`)()).sort())
      byValue.set(value, [...(byValue.get(value) ?? []), word]);
    return JSON.stringify([...byValue].sort(([a], [b]) => a - b).map(([value, words]) => [value, ...words]));
  },
  (script, reading) =>
    replaced(
      script,
      LEXICON,
      `Object.fromEntries(JSON.parse(${reading}).flatMap(([value, ...words]) => words.map((word) => [word, value])))`,
    ),
);
