// Every bundle of the extension is a row of this table; `--production` minifies, `--watch` rebuilds, `--only=ROW
// --out=DIR` builds one row somewhere else.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import esbuild from 'esbuild';
import {
  httpParserBeside,
  languageWeightsBeside,
  lexiconBeside,
  webpDecoderBeside,
} from './bundling/besideBundle.mjs';
import { withoutForwarders } from './bundling/forwarders.mjs';
import { lazyModules, sharedModules } from './bundling/hostChunks.mjs';
import { usedIcons } from './bundling/icons.mjs';
import { writeTextLists } from './bundling/l10nLists.mjs';
import { billOfMaterials, bundledPackages, thirdPartyNotices } from './bundling/notices.mjs';
import { sharedByPages, sharedChunks } from './bundling/pageChunks.mjs';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');
const flagValue = (flag) => process.argv.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);
const only = flagValue('--only');
const out = flagValue('--out');

// Bundled CommonJS packages call require() for Node's built-ins; in an ES module it has to be made.
const requireBanner = {
  js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
};

// ES modules first: jsonc-parser's other build hides its imports from a bundler.
const node = {
  platform: 'node',
  target: 'node22',
  banner: requireBanner,
  mainFields: ['module', 'main'],
};
const page = { platform: 'browser', target: 'chrome128', conditions: ['browser'] };

/**
 * Leaves out modules of a package that nothing here uses, though it loads them.
 * @param {RegExp} filter of their paths
 * @returns {import('esbuild').Plugin}
 */
const without = (filter) => ({
  name: 'without',
  setup(build) {
    build.onResolve({ filter }, ({ path }) => ({ path, namespace: 'unused' }));
    build.onLoad({ filter: /./, namespace: 'unused' }, ({ path }) => ({
      contents: `module.exports = () => { throw new Error('${path} is not in this bundle'); };`,
    }));
  },
});

// The transport never asks for HTTP/2, and no body of it is a form.
const withoutOtherRequests = without(/(client-h2|web\/fetch\/body)\.js$/);
// The sandbox reads JPEG images and writes none.
const withoutJpegEncoder = without(/^\.\/lib\/encoder$/);

// Of undici the transport makes two kinds of dispatchers; its fetch, mocks, caches and web sockets would be a tenth of
// the whole package. The way through a proxy calls `connect`, which only undici's own entry gives to its dispatchers.
/** @type {import('esbuild').Plugin} */
const onlyDispatchers = {
  name: 'only-dispatchers-of-undici',
  setup(build) {
    build.onLoad({ filter: /./, namespace: 'dispatchers' }, () => ({
      contents: `exports.Agent = require('undici/lib/dispatcher/agent.js');
exports.ProxyAgent = require('undici/lib/dispatcher/proxy-agent.js');
require('undici/lib/dispatcher/dispatcher.js').prototype.connect = require('undici/lib/api/api-connect.js');`,
      resolveDir: import.meta.dirname,
    }));
    // The parser that every processor runs, and not the one for some of them as well.
    build.onResolve({ filter: /llhttp_simd-wasm\.js$/ }, ({ path, ...options }) =>
      build.resolve(path.replace('_simd', ''), options),
    );
    build.onResolve({ filter: /^dispatchers$/ }, () => ({ path: 'undici', namespace: 'dispatchers' }));
  },
};

// The transport, which is in a chunk of its own below `dist/host`, loads undici from a file of its own.
/** @type {import('esbuild').Plugin} */
const sharedDispatchers = {
  name: 'shared-dispatchers-of-undici',
  setup(build) {
    build.onResolve({ filter: /^undici$/ }, () => ({ path: '../undici.js', external: true }));
  },
};

// A page's HTML asks for the chunks of its script at once, not when the script has been read: through a webview's
// service worker that is 40 ms sooner.
/** @type {import('esbuild').Plugin} */
const listChunks = {
  name: 'list-chunks',
  setup(build) {
    const folder = build.initialOptions.outdir;
    build.onEnd(({ metafile }) => {
      const scripts = Object.entries(metafile?.outputs ?? {}).filter(([, { entryPoint }]) =>
        entryPoint?.endsWith('/main.ts'),
      );
      const chunks = scripts.map(([script, { imports }]) => [
        basename(script, '.js'),
        imports
          .filter(({ kind }) => kind === 'import-statement')
          .map(({ path }) => path.slice(`${folder}/`.length)),
      ]);
      writeFileSync(`${folder}/chunks.json`, JSON.stringify(Object.fromEntries(chunks)));
    });
  },
};

/** @type {Record<string, import('esbuild').BuildOptions>} */
const bundles = {
  // The extension and the command line. Split, so that activation loads a small file and `await import(...)` loads the
  // rest on first use, and what they share is there once. Node.js 20 is the oldest that the command line runs in.
  host: {
    ...node,
    target: 'node20',
    entryPoints: {
      extension: 'src/extension.ts',
      cli: 'src/cli/main.ts',
    },
    outdir: 'dist',
    splitting: true,
    external: ['vscode'],
    // Its ES module, which reads no files: each module that imports the other one has a line that adapts it.
    alias: { '@vscode/l10n': './node_modules/@vscode/l10n/dist/browser.js' },
    plugins: [sharedDispatchers, lazyModules()],
    chunkNames: 'host/[name]-[hash]',
  },
  undici: {
    ...node,
    entryPoints: { undici: 'dispatchers' },
    outdir: 'dist',
    assetNames: '[name]',
    plugins: [onlyDispatchers, withoutOtherRequests, httpParserBeside],
  },
  sandbox: {
    ...node,
    entryPoints: { sandbox: 'src/sandbox/main.ts' },
    outdir: 'dist',
    assetNames: '[name]',
    plugins: [withoutJpegEncoder, webpDecoderBeside, languageWeightsBeside, lexiconBeside],
  },
  pages: {
    ...page,
    entryPoints: {
      compare: 'webview/compare/main.ts',
      experiment: 'webview/experiment/main.ts',
      run: 'webview/run/main.ts',
      search: 'webview/search/main.ts',
      usage: 'webview/usage/main.ts',
    },
    outdir: 'dist/webview',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
    plugins: [listChunks, usedIcons],
  },
};

if (only === undefined) {
  rmSync('dist', { recursive: true, force: true });
  writeTextLists('l10n', 'dist/l10n');
}
const metafiles = [];
for (const options of only === undefined ? Object.values(bundles) : [bundles[only]]) {
  /** @type {import('esbuild').BuildOptions} */
  const settings = {
    bundle: true,
    format: 'esm',
    legalComments: 'none',
    logLevel: 'warning',
    minify: production,
    metafile: true,
    sourcemap: production ? false : 'linked',
    define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
    ...options,
    ...(out !== undefined && { outdir: out }),
  };
  if (options === bundles.host && production) {
    const shared = await sharedModules(settings);
    settings.plugins = [sharedDispatchers, lazyModules(shared), withoutForwarders];
  }
  if (options === bundles.pages && production)
    settings.plugins = [
      sharedChunks(await sharedByPages({ ...settings, plugins: [usedIcons] })),
      ...bundles.pages.plugins,
    ];
  if (watch) await (await esbuild.context(settings)).watch();
  else metafiles.push((await esbuild.build(settings)).metafile);
}
if (production && only === undefined) {
  const packages = bundledPackages(metafiles);
  const product = JSON.parse(readFileSync('package.json', 'utf8'));
  writeFileSync('dist/THIRD_PARTY_NOTICES.txt', thirdPartyNotices(packages));
  writeFileSync('dist/sbom.cdx.json', `${JSON.stringify(billOfMaterials(packages, product), null, 2)}\n`);
}
