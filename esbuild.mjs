// Every bundle of the extension is a row of this table; `--production` minifies, `--watch` rebuilds, `--only=ROW
// --out=DIR` builds one row somewhere else.
import { copyFileSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import esbuild from 'esbuild';
import { lazyModules, sharedModules } from './bundling/hostChunks.mjs';
import { billOfMaterials, bundledPackages, thirdPartyNotices } from './bundling/notices.mjs';
import { sharedByPages, sharedChunks } from './bundling/pageChunks.mjs';
import { workerMetafiles, workerText } from './bundling/workerText.mjs';

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

// The transport, which is in a chunk of its own below `dist/host`, loads undici from a file of its own.
/** @type {import('esbuild').Plugin} */
const undiciBeside = {
  name: 'undici-beside',
  setup(build) {
    build.onResolve({ filter: /^undici$/ }, () => ({ path: '../undici.js', external: true }));
  },
};

// The server of the Model Context Protocol brings a second validator of JSON Schema, 150 kB: it takes the one that forms
// use, which needs no eval.
/** @type {import('esbuild').Plugin} */
const oneValidator = {
  name: 'one-validator',
  setup(build) {
    build.onLoad(
      { filter: /[\\/]@modelcontextprotocol[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/ },
      ({ path }) => ({
        contents: [
          `export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';`,
          `export { default as process } from 'node:process';`,
        ].join('\n'),
        resolveDir: dirname(path),
      }),
    );
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

const sandbox = {
  ...node,
  outdir: 'dist',
  // The WebP decoder reads its WebAssembly from beside its script.
  define: { __dirname: 'import.meta.dirname' },
};

/** @type {Record<string, import('esbuild').BuildOptions>} */
const bundles = {
  // The extension, the command line and their thread for data of others. Split, so that activation loads a small file and `await import(...)` loads
  // the rest on first use, and shared modules exist once. Node.js 20 is the oldest that the command line runs in.
  host: {
    ...node,
    target: 'node20',
    entryPoints: {
      extension: 'src/extension.ts',
      cli: 'src/cli/main.ts',
      worker: 'src/worker/main.ts',
    },
    outdir: 'dist',
    splitting: true,
    external: ['vscode'],
    // From a chunk below `dist/host`.
    define: { WORKER_FILE: JSON.stringify('../worker.js') },
    // Its ES module, which reads no files: each module that imports the other one has a line that adapts it.
    alias: { '@vscode/l10n': './node_modules/@vscode/l10n/dist/browser.js' },
    plugins: [undiciBeside, oneValidator, lazyModules()],
    chunkNames: 'host/[name]-[hash]',
  },
  undici: { ...node, entryPoints: { undici: 'undici' }, outdir: 'dist' },
  sandbox: { ...sandbox, entryPoints: { sandbox: 'src/sandbox/main.ts' } },
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
    plugins: [workerText, listChunks],
  },
  // The style of all pages, once.
  theme: {
    ...page,
    entryPoints: { theme: 'webview/shared/theme.css' },
    outdir: 'dist/webview',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
  },
};

// The sandbox as tests start it is no part of the product.
if (only === 'watchedSandbox')
  bundles[only] = { ...sandbox, entryPoints: { [only]: 'test/support/sandbox/program.ts' } };

/** Files that a bundle reads from beside it. */
const webp = ['node_modules/@cwasm/webp/webp.wasm'];
const besideBundle = { sandbox: webp, watchedSandbox: webp };

/** Tells tests when the sources of all bundles were read. */
const stamp = 'out/built';
const began = new Date();
if (only === undefined) for (const old of ['dist', stamp]) rmSync(old, { recursive: true, force: true });

/** Builds a bundle, or goes on building it. */
async function build(row, options) {
  /** @type {import('esbuild').BuildOptions} */
  const settings = {
    bundle: true,
    format: 'esm',
    legalComments: 'none',
    logLevel: 'warning',
    minify: production,
    metafile: true,
    sourcemap: production ? false : 'linked',
    ...options,
    define: { ...options.define, 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
    ...(out !== undefined && { outdir: out }),
  };
  for (const file of besideBundle[row] ?? []) {
    mkdirSync(settings.outdir, { recursive: true });
    copyFileSync(file, join(settings.outdir, basename(file)));
  }
  if (row === 'host' && production)
    settings.plugins = [undiciBeside, oneValidator, lazyModules(await sharedModules(settings))];
  if (row === 'pages' && production)
    settings.plugins = [
      workerText,
      sharedChunks(await sharedByPages({ ...settings, plugins: [workerText] })),
      listChunks,
    ];
  if (watch) await (await esbuild.context(settings)).watch();
  else return (await esbuild.build(settings)).metafile;
}

const wanted = Object.entries(bundles).filter(([row]) => only === undefined || row === only);
const metafiles = await Promise.all(wanted.map(([row, options]) => build(row, options)));
if (production && only === undefined) {
  const packages = bundledPackages([...metafiles, ...workerMetafiles]);
  const product = JSON.parse(readFileSync('package.json', 'utf8'));
  writeFileSync('dist/THIRD_PARTY_NOTICES.txt', thirdPartyNotices(packages));
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  writeFileSync(
    'dist/sbom.cdx.json',
    `${JSON.stringify(billOfMaterials(packages, product, lock), null, 2)}\n`,
  );
}
if (only === undefined && !watch) {
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, production ? 'production' : 'development');
  utimesSync(stamp, began, began);
}
