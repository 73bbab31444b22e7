import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import esbuild from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { pageHtml } from '../../src/platform/pageHtml';
import { readyCall } from '../../src/protocol/channel';
import { outFolder, root } from './paths';

/** A panel's page in a plain browser under the panels' own policy; the test plays its host. */
export interface WebviewPage {
  readonly page: Page;
  /** Everything the page told or asked, newest last. */
  readonly said: { readonly method: string; readonly params: unknown }[];
  /** Errors of the page, policy violations among them. */
  readonly errors: string[];
  notify(method: string, params: unknown): Promise<void>;
  close(): Promise<void>;
}

export interface WebviewPageOptions {
  /** Which of the folders in webview/. */
  readonly name: 'run' | 'usage';
  readonly width?: number;
  readonly height?: number;
  /** CSS with VS Code's variables; the dark theme's by default. */
  readonly theme?: string;
  /** What the host says to a call. */
  readonly response: (method: string, params: unknown) => unknown;
}

const types: Record<string, string> = { '.css': 'text/css', '.js': 'text/javascript', '.ttf': 'font/ttf' };

export async function openWebviewPage(browser: Browser, options: WebviewPageOptions): Promise<WebviewPage> {
  const { name, width = 1000, height = 800 } = options;
  const folder = await bundled(name);
  const theme = options.theme ?? (await readFile(path.join(root, 'test/support/resultPage.css'), 'utf8'));
  const server = createServer(async (request, response) => {
    const file = new URL(request.url ?? '/', 'http://page').pathname;
    response.setHeader('Content-Type', types[path.extname(file)] ?? 'text/html');
    if (file === '/') response.end(html(name, `http://${request.headers.host}`));
    else if (file === '/theme.css') response.end(theme);
    else response.end(await readFile(path.join(folder, path.relative('/', file))).catch(() => ''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const page = await browser.newPage({ viewport: { width, height } });
  // What esbuild wraps named functions in; those of tests and measures go into the page without it.
  await page.addInitScript('globalThis.__name = (named) => named;');
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
        await post({ kind: 'response', id: message.id, value: value ?? null });
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
function bundled(name: string): Promise<string> {
  const known = bundles.get(name);
  if (known !== undefined) return known;
  const outdir = path.join(outFolder, `${name}Page`);
  mkdirSync(outdir, { recursive: true });
  const building = esbuild
    .build({
      entryPoints: { [name]: path.join(root, `webview/${name}/main.ts`) },
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
    })
    .then(() => outdir);
  bundles.set(name, building);
  return building;
}

/** The product's own HTML and policy, with VS Code's part in a page: theme variables, body class and API. */
function html(name: 'run' | 'usage', origin: string): string {
  const nonce = 'n';
  const product = pageHtml({
    name,
    title: name,
    language: 'en',
    origin,
    address: (file) => `/${file}`,
    chunks: [],
    nonce,
    ...(name === 'run' && { firstCall: readyCall }),
  });
  const api = `let left; window.acquireVsCodeApi = () => ({ postMessage: (message) => window.toHost(message), getState: () => left, setState: (state) => { left = state; } });`;
  return product
    .replace('<head>', '<head><link rel="stylesheet" href="/theme.css">')
    .replace('<body>', `<body class="vscode-dark"><script nonce="${nonce}">${api}</script>`);
}
