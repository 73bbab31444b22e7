import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import esbuild from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { type PageName, pageHtml } from '../../src/platform/pageHtml';
import { outFolder, root } from './paths';

/** A panel's page in a plain browser, with the product's own HTML and content security policy; the test plays its host. */
export interface WebviewPage {
  readonly page: Page;
  /** Every message of the page, newest last. */
  readonly said: { readonly method: string; readonly params: unknown }[];
  /** Errors of the page, policy violations among them. */
  readonly errors: string[];
  notify(method: string, params: unknown): Promise<void>;
  close(): Promise<void>;
}

export interface WebviewPageOptions {
  /** Which of the folders in webview/; with `source`: whose name the HTML has. */
  readonly name: PageName;
  /** Source of another script than the page's own. */
  readonly source?: string;
  readonly width?: number;
  readonly height?: number;
  /** CSS with VS Code's variables; the dark theme's by default. */
  readonly theme?: string;
  /** The call that the HTML itself makes. */
  readonly firstCall?: object;
  /** What the host responds to a call. */
  readonly response: (method: string, params: unknown) => unknown;
}

const types: Record<string, string> = { '.css': 'text/css', '.js': 'text/javascript', '.ttf': 'font/ttf' };

/** What VS Code gives to a page. */
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
  const html = (origin: string) =>
    pageHtml({
      name,
      title: name,
      language: 'en',
      origin,
      address: (file) => `/${file}`,
      chunks: [],
      firstCall,
    })
      .replace('<head>', '<head><link rel="stylesheet" href="/theme.css">')
      .replace('<body>', '<body class="vscode-dark">');
  const server = createServer(async (request, response) => {
    const file = new URL(request.url ?? '/', 'http://page').pathname;
    response.setHeader('Content-Type', types[path.extname(file)] ?? 'text/html');
    if (file === '/') response.end(html(`http://${request.headers.host}`));
    else if (file === '/theme.css') response.setHeader('Content-Type', 'text/css').end(theme);
    else response.end(await readFile(path.join(folder, path.relative('/', file))).catch(() => ''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const page = await browser.newPage({ viewport: { width, height } });
  // What esbuild wraps named functions in; those of tests and measures go into the page without it.
  await page.addInitScript('globalThis.__name = (named) => named;');
  await page.addInitScript(vscodeApi);
  const said: WebviewPage['said'] = [];
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  const post = (message: unknown) => page.evaluate((data) => window.postMessage(data, '*'), message);
  await page.exposeFunction(
    'toHost',
    async (message: { kind: string; id: number; method: string; params: unknown }) => {
      if (message.kind !== 'call' && message.kind !== 'notify') return;
      said.push({ method: message.method, params: message.params });
      if (message.kind === 'notify') return;
      try {
        const value = await options.response(message.method, message.params);
        await post({ kind: 'response', id: message.id, value });
      } catch (error) {
        await post({ kind: 'error', id: message.id, message: String(error) });
      }
    },
  );
  await page.goto(`http://127.0.0.1:${port}/`);
  return {
    page,
    said,
    errors,
    notify: (method, params) => post({ kind: 'notify', method, params }),
    async close() {
      await page.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const bundles = new Map<string, Promise<string>>();

/** The page as it is bundled for the extension, once a process; resolves to its folder. */
function bundled(name: PageName, source?: string): Promise<string> {
  const outdir = path.join(outFolder, source === undefined ? `${name}Page` : 'sourcePage');
  const known = source === undefined ? bundles.get(outdir) : undefined;
  if (known !== undefined) return known;
  mkdirSync(outdir, { recursive: true });
  const building = esbuild
    .build({
      ...(source === undefined
        ? { entryPoints: { [name]: path.join(root, `webview/${name}/main.ts`) } }
        : { stdin: { contents: source, resolveDir: root, loader: 'ts' }, entryNames: name }),
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
    })
    .then(() => outdir);
  bundles.set(outdir, building);
  return building;
}
