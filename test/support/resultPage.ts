import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import esbuild from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { pageHtml } from '../../src/platform/pageHtml';
import { outFolder, root } from './paths';

/** A page under the panels' own policy that shows one result, its host played by the page itself. */
const pageSource = `
import { html, render } from 'lit';
import { renderResult } from './webview/shared/results/renderResult';
import { resultSource } from './src/results/resultSource';
window.asked = [];
const note = (name) => async (...args) => { window.asked.push([name, ...args]); };
window.show = (output, context = {}, adapt = (view) => view) => {
  const source = resultSource(output, context);
  const view = adapt(structuredClone(source.view));
  const actions = {
    children: async (...args) => structuredClone(source.children(...args)),
    search: async (text) => source.search(text),
    rows: async (...args) => source.rows(...args),
    media: async (pointer) => { window.asked.push(['media', pointer]); const value = source.valueAt(pointer); return { src: value.startsWith('data:') ? value : 'data:image/png;base64,' + value, contentType: 'image/png' }; },
    saveMedia: note('saveMedia'), openHit: note('openHit'), openLink: note('openLink'), copyText: note('copyText'),
    copyValue: note('copyValue'), openValue: note('openValue'),
  };
  render(renderResult(view, actions), document.querySelector('main'));
};
window.ready = true;
`;

export interface ResultPage {
  readonly page: Page;
  show(output: unknown, context?: unknown): Promise<void>;
  /** What the page asked its host to do. */
  asked(): Promise<unknown[][]>;
  close(): Promise<void>;
}

export async function openResultPage(browser: Browser): Promise<ResultPage> {
  const outdir = path.join(outFolder, 'resultPage');
  mkdirSync(outdir, { recursive: true });
  await esbuild.build({
    stdin: { contents: pageSource, resolveDir: root, loader: 'ts', sourcefile: 'page.ts' },
    entryNames: 'page',
    outdir,
    bundle: true,
    format: 'esm',
    splitting: true,
    target: 'chrome128',
    conditions: ['browser'],
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
    define: { 'process.env.NODE_ENV': '"production"' },
    tsconfigRaw: {},
  });
  const server = createServer(async (request, response) => {
    const name = new URL(request.url ?? '/', 'http://page').pathname;
    if (name === '/') {
      const origin = `http://${request.headers.host}`;
      response.setHeader('Content-Type', 'text/html');
      response.end(html(origin));
      return;
    }
    const file =
      name === '/theme.css'
        ? path.join(root, 'test/support/resultPage.css')
        : path.join(outdir, path.basename(name).replace(/^chunks\//, ''));
    const types: Record<string, string> = {
      '.css': 'text/css',
      '.js': 'text/javascript',
      '.ttf': 'font/ttf',
    };
    try {
      const bytes = await readFile(file);
      response.setHeader('Content-Type', types[path.extname(file)] ?? 'application/octet-stream');
      response.end(bytes);
    } catch {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const page = await browser.newPage({ viewport: { width: 900, height: 700 } });
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.waitForFunction('window.ready === true');
  return {
    page,
    show: (output, context = {}) =>
      page.evaluate(
        ([shown, known]) => (window as unknown as { show(a: unknown, b: unknown): void }).show(shown, known),
        [output, context] as const,
      ),
    asked: () => page.evaluate(() => (window as unknown as { asked: unknown[][] }).asked),
    close: async () => {
      await page.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The product's own HTML and policy, with VS Code's theme variables. */
function html(origin: string): string {
  const product = pageHtml({
    name: 'run',
    title: 'Result',
    language: 'en',
    origin,
    address: (file) => `/${file.replace('run.', 'page.')}`,
    chunks: [],
    nonce: 'n',
  });
  return product
    .replace('<head>', '<head><link rel="stylesheet" href="/theme.css">')
    .replace('<body>', '<body><main></main>');
}
