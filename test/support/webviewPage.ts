import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import esbuild from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { workerText } from '../../bundling/workerText.mjs';
import { type PageName, pageHtml } from '../../src/platform/pageHtml';
import { isBuilt } from '../run/build';
import { launchBrowser } from './browser';
import { WAIT_MS } from './eventually';
import { addWitness, keepIfFailed, type Witness } from './evidence';
import { outFolder, root } from './paths';
import { Steps } from './steps';

/** A panel's page in a plain browser, with the product's own HTML and content security policy; the test plays its host. */
export interface WebviewPage {
  readonly page: Page;
  /** Every message of the page, newest last. */
  readonly said: { readonly method: string; readonly params: unknown }[];
  /** Errors of the page, policy violations among them. */
  readonly errors: string[];
  /**
   * Resolves as soon as this holds, checked with each message of the page. It also resolves after 30 s, so that the
   * assertion that follows shows the actual state.
   */
  untilSaid(holds: () => boolean): Promise<void>;
  notify(method: string, params: unknown): Promise<void>;
  close(): Promise<void>;
}

export interface WebviewPageOptions {
  /** Which of the folders in webview/; with `source`: the name in the HTML. */
  readonly name: PageName;
  /** Source of another script than the page's own. */
  readonly source?: string;
  readonly width?: number;
  readonly height?: number;
  /** CSS with VS Code's variables; the dark theme's by default. */
  readonly theme?: string;
  /** A script that runs in the page before its own. */
  readonly before?: string;
  /** The test sets the time of the page. */
  readonly hasClock?: boolean | undefined;
  /** The call that the HTML itself makes. */
  readonly firstCall?: object;
  /** The host's sign that it is there; without this it gives one at once. */
  readonly pulse?: (() => unknown) | undefined;
  /** The host's response to a call. */
  readonly response: (method: string, params: unknown) => unknown;
}

const types: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.ttf': 'font/ttf',
};

/** VS Code's object for a page. */
const vscodeApi = `{
  let state;
  globalThis.acquireVsCodeApi = () => ({
    postMessage: (message) => globalThis.toHost(message),
    getState: () => state,
    setState: (next) => { state = next; },
  });
}`;

export async function openWebviewPage(browser: Browser, options: WebviewPageOptions): Promise<WebviewPage> {
  const { name, firstCall, width = 1000, height = 800 } = options;
  const folder = await bundled(name, options.source);
  const theme = options.theme ?? (await readFile(path.join(root, 'test/support/resultPage.css'), 'utf8'));
  const site = await siteOf(browser);
  const fileOf = (file: string) => readFile(path.join(folder, path.relative('/', `/${file}`)));
  // One bundle is the same for each page; a test's own source is not.
  const bundle = options.source === undefined ? site.serve(fileOf, name) : site.serve(fileOf);
  const html = pageHtml({
    name,
    title: name,
    language: 'en',
    origin: site.origin,
    address: (file) => `${bundle}/${file}`,
    chunks: [],
    firstCall,
  })
    .replace('<head>', '<head><link rel="stylesheet" href="theme.css">')
    .replace('<body>', '<body class="vscode-dark">');
  const own = site.serve((file) => (file === 'theme.css' ? theme : html));
  const page = await site.newPage();
  await page.setViewportSize({ width, height });
  if (options.hasClock) await page.clock.install();
  const steps = new Steps();
  await steps.recordIn(page);
  await page.addInitScript(vscodeApi);
  if (options.before !== undefined) await page.addInitScript(options.before);
  const said: WebviewPage['said'] = [];
  const hearers = new Set<() => void>();
  const errors: string[] = [];
  const witness: Witness = { page, steps, errors, logs: [] };
  const forget = addWitness(witness);
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  const post = (message: unknown) => page.evaluate((data) => window.postMessage(data, '*'), message);
  await page.exposeFunction(
    'toHost',
    async (message: { kind: string; id: number; method: string; params: unknown }) => {
      if (message.kind === 'pulse') {
        await options.pulse?.();
        return post({ kind: 'response', id: message.id });
      }
      if (message.kind !== 'call' && message.kind !== 'notify') return;
      said.push({ method: message.method, params: message.params });
      for (const hear of hearers) hear();
      if (message.kind === 'notify') return;
      try {
        const value = await options.response(message.method, message.params);
        for (const hear of hearers) hear();
        await post({ kind: 'response', id: message.id, value });
      } catch (error) {
        await post({ kind: 'error', id: message.id, message: String(error) });
      }
    },
  );
  await page.goto(`${own}/index.html`);
  return {
    page,
    said,
    errors,
    untilSaid: (holds) =>
      new Promise((resolve) => {
        const end = () => {
          hearers.delete(hear);
          clearTimeout(tooLong);
          resolve();
        };
        const tooLong = setTimeout(end, WAIT_MS);
        const hear = () => holds() && end();
        hearers.add(hear);
        hear();
      }),
    notify: (method, params) => post({ kind: 'notify', method, params }),
    async close() {
      await keepIfFailed(witness);
      forget();
      await page.close();
    },
  };
}

/**
 * For use at the top of a `describe`: one browser for its tests, and a function that opens a page in it. Pages are closed
 * after the test that opened them, and have no errors then.
 * @param finish for a page that is about to be closed
 */
export function usePages<Page extends Pick<WebviewPage, 'errors' | 'close'>, Args extends readonly unknown[]>(
  open: (browser: Browser, ...args: Args) => Promise<Page>,
  finish: (page: Page) => Promise<void> = async () => undefined,
): (...args: Args) => Promise<Page> {
  let browser: Browser;
  const opened: Page[] = [];
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser?.close());
  afterEach('closes the pages, which had no errors', async () => {
    for (const page of opened.splice(0)) {
      await finish(page).finally(() => page.close());
      assert.deepEqual(page.errors, []);
    }
  });
  return async (...args) => {
    const page = await open(browser, ...args);
    opened.push(page);
    return page;
  };
}

/** Where the pages of a browser come from: they share a process of it, and its copies of files and of compiled scripts. */
interface Site {
  readonly origin: string;
  /** Serves files, by their path, under an address that is returned: without a name, one that no other page knows. */
  serve(fileOf: (file: string) => Buffer | string | Promise<Buffer>, name?: string): string;
  /** An empty page, which this origin has opened. */
  newPage(): Promise<Page>;
}

const sites = new WeakMap<Browser, Promise<Site>>();

function siteOf(browser: Browser): Promise<Site> {
  const site = sites.get(browser) ?? startSite(browser);
  sites.set(browser, site);
  return site;
}

async function startSite(browser: Browser): Promise<Site> {
  // In each address: the server gives files only to these pages.
  const token = randomUUID();
  const served = new Map<string, Parameters<Site['serve']>[0]>();
  const server = createServer(async (request, response) => {
    const [, given, folder = '', ...rest] = new URL(request.url ?? '/', 'http://page').pathname.split('/');
    const fileOf = given === token ? served.get(folder) : undefined;
    if (!fileOf) return void response.writeHead(403).end();
    const file = rest.join('/');
    response.setHeader('Content-Type', types[path.extname(file)] ?? 'text/plain');
    response.setHeader('Cache-Control', 'max-age=86400');
    response.end(await Promise.resolve(fileOf(file)).catch(() => ''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  browser.once('disconnected', () => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  const serve: Site['serve'] = (fileOf, name = `own-${served.size}`) => {
    served.set(name, fileOf);
    return `${origin}/${token}/${name}`;
  };
  const context = await browser.newContext();
  const keeper = await context.newPage();
  await keeper.goto(`${serve(() => '')}/index.html`);
  return {
    origin,
    serve,
    async newPage() {
      const opened = context.waitForEvent('page');
      await keeper.evaluate(() => void window.open('about:blank'));
      return opened;
    },
  };
}

const bundles = new Map<string, Promise<string>>();
let areBuilt: boolean | undefined;

/** The page's bundle of the extension: the built one, or one that is made once a process; resolves to its folder. */
async function bundled(name: PageName, source?: string): Promise<string> {
  areBuilt ??= isBuilt();
  if (source === undefined && areBuilt) return path.join(root, 'dist/webview');
  const outdir = path.join(outFolder, source === undefined ? `${name}Page` : 'sourcePage');
  const known = source === undefined ? bundles.get(outdir) : undefined;
  if (known !== undefined) return known;
  mkdirSync(outdir, { recursive: true });
  const build = (entry: esbuild.BuildOptions) =>
    esbuild.build({
      ...entry,
      outdir,
      bundle: true,
      format: 'esm',
      splitting: true,
      target: 'chrome128',
      conditions: ['browser'],
      chunkNames: 'chunks/[name]-[hash]',
      loader: { '.ttf': 'file' },
      assetNames: '[name]',
      define: { 'process.env.NODE_ENV': '"production"' },
      tsconfigRaw: {},
      plugins: [workerText],
    });
  const building = Promise.all([
    build({ entryPoints: { theme: path.join(root, 'webview/shared/theme.css') } }),
    build(
      source === undefined
        ? { entryPoints: { [name]: path.join(root, `webview/${name}/main.ts`) } }
        : { stdin: { contents: source, resolveDir: root, loader: 'ts' }, entryNames: name },
    ),
  ]).then(() => outdir);
  bundles.set(outdir, building);
  return building;
}
