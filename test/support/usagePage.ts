import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import esbuild from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import type { UsageHostMethods } from '../../src/protocol/usage';
import { outFolder, root } from './paths';

type Answers = { [Name in keyof UsageHostMethods]?: (params: never) => unknown };

/** The usage page in a plain browser under the panels' own policy; the test plays its host. */
export interface UsagePageHarness {
  readonly page: Page;
  /** Everything the page told or asked, newest last. */
  readonly said: { readonly method: string; readonly params: unknown }[];
  /** Errors of the page, policy violations among them. */
  readonly errors: string[];
  /** What the host answers from now on. */
  answer(answers: Answers): void;
  tell(method: 'reload' | 'spent'): Promise<void>;
  close(): Promise<void>;
}

const types: Record<string, string> = { '.css': 'text/css', '.js': 'text/javascript' };

export async function openUsagePage(browser: Browser, first: Answers): Promise<UsagePageHarness> {
  const outdir = path.join(outFolder, 'usagePage');
  mkdirSync(outdir, { recursive: true });
  await esbuild.build({
    entryPoints: { usage: path.join(root, 'webview/usage/main.ts') },
    outdir,
    bundle: true,
    format: 'esm',
    target: 'chrome128',
    conditions: ['browser'],
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const theme = await readFile(path.join(root, 'test/support/resultPage.css'), 'utf8');
  const server = createServer(async (request, response) => {
    const name = new URL(request.url ?? '/', 'http://page').pathname;
    response.setHeader('Content-Type', types[path.extname(name)] ?? 'text/html');
    if (name === '/') response.end(html(`http://${request.headers.host}`));
    else if (name === '/theme.css') response.end(theme);
    else response.end(await readFile(path.join(outdir, path.relative('/', name))).catch(() => ''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const page = await browser.newPage({ viewport: { width: 1000, height: 900 } });
  const said: UsagePageHarness['said'] = [];
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  const post = (message: unknown) => page.evaluate((data) => window.postMessage(data, '*'), message);
  let answers: Answers = first;
  await page.exposeFunction(
    'toHost',
    async (message: { kind: string; id: number; method: keyof UsageHostMethods; params: unknown }) => {
      if (message.kind !== 'call' && message.kind !== 'tell') return;
      said.push({ method: message.method, params: message.params });
      if (message.kind === 'tell') return;
      try {
        const value = await answers[message.method]?.(message.params as never);
        await post({ kind: 'answer', id: message.id, value: value ?? null });
      } catch (error) {
        await post({ kind: 'refusal', id: message.id, message: String(error) });
      }
    },
  );
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.getByRole('heading', { name: 'Usage and billing' }).waitFor();
  return {
    page,
    said,
    errors,
    answer: (more) => {
      answers = { ...answers, ...more };
    },
    tell: (method) => post({ kind: 'tell', method, params: null }),
    async close() {
      await page.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function html(origin: string): string {
  const empty = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';
  const csp = `default-src 'none'; script-src 'nonce-n' ${origin}; style-src 'nonce-n' '${empty}' ${origin}; img-src ${origin} blob: data:`;
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${csp}"><title>Usage</title>
<link rel="stylesheet" href="/theme.css"><link rel="stylesheet" href="/usage.css"></head>
<body class="vscode-dark"><script nonce="n">
let left; window.acquireVsCodeApi = () => ({ postMessage: (message) => window.toHost(message), getState: () => left, setState: (state) => { left = state; } });
</script><script nonce="n" type="module" src="/usage.js"></script></body></html>`;
}
