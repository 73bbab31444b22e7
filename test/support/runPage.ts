import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import esbuild from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import type { ModeContract, ModelContract } from '../../src/contract/model';
import { resultSource } from '../../src/contract/result/source';
import { toShown } from '../../src/protocol/contract';
import type { PanelState, RunView, WorkInProgress } from '../../src/protocol/run';
import { outFolder, root } from './paths';

/** A run panel's page in a plain browser under the panels' own policy; the test plays its host. */
export interface RunPageHarness {
  readonly page: Page;
  /** Everything the page told or asked, newest last. */
  readonly said: { readonly method: string; readonly params: unknown }[];
  /** Errors of the page, policy violations among them. */
  readonly errors: string[];
  /** The newest work the page has told the host. */
  work(): WorkInProgress | undefined;
  showRun(view: RunView, output?: unknown): Promise<void>;
  tell(method: string, params: unknown): Promise<void>;
  close(): Promise<void>;
}

export interface RunPageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly work?: WorkInProgress;
  readonly answers?: Readonly<Record<string, (params: never) => unknown>>;
  /** CSS with VS Code's variables; the dark theme's by default. */
  readonly theme?: string;
}

/** A model with one mode of these schemas. */
export function modelOf(
  input: ModeContract['input']['schema'],
  params: ModeContract['params']['schema'] = { type: 'object', properties: {} },
  mode: Partial<ModeContract> = {},
): ModelContract {
  return {
    slug: 'try-me',
    name: 'Try Me',
    description: 'A model for **trying** things.',
    tags: [],
    modeNames: ['execute'],
    modesDeclared: true,
    raw: undefined,
    modes: [
      {
        name: 'execute',
        vectorBacked: false,
        input: { schema: input, origin: 'declared' },
        params: { schema: params, origin: 'declared' },
        examples: [],
        ...mode,
      },
    ],
  };
}

export async function openRunPage(
  browser: Browser,
  contract: ModelContract,
  options: RunPageOptions = {},
): Promise<RunPageHarness> {
  const outdir = path.join(outFolder, 'runPage');
  await built(outdir);
  const theme = options.theme ?? (await readFile(path.join(root, 'test/support/resultPage.css'), 'utf8'));
  const server = createServer(async (request, response) => {
    const name = new URL(request.url ?? '/', 'http://page').pathname;
    const types: Record<string, string> = {
      '.css': 'text/css',
      '.js': 'text/javascript',
      '.ttf': 'font/ttf',
    };
    response.setHeader('Content-Type', types[path.extname(name)] ?? 'text/html');
    if (name === '/') response.end(html(`http://${request.headers.host}`));
    else if (name === '/theme.css') response.end(theme);
    else response.end(await readFile(path.join(outdir, path.relative('/', name))).catch(() => ''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const page = await browser.newPage({
    viewport: { width: options.width ?? 1000, height: options.height ?? 800 },
  });
  // What esbuild wraps named functions in; those of tests and measures go into the page without it.
  await page.addInitScript('globalThis.__name = (named) => named;');
  const said: RunPageHarness['said'] = [];
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  let output: unknown;
  const state: PanelState = {
    panelId: 'panel',
    modelName: contract.name,
    environment: 'Test',
    baseUrl: 'https://models.test',
    contract: toShown(contract),
    work: options.work,
    files: [],
    scopes: ['playground', 'holiday'],
    run: { state: 'idle' },
  };
  const post = (message: unknown) => page.evaluate((data) => window.postMessage(data, '*'), message);
  const tell = (method: string, params: unknown) => post({ kind: 'tell', method, params });
  const answers: Record<string, (params: never) => unknown> = {
    ready: () => state,
    run: () => null,
    resultView: () => resultSource(output).view,
    readBody: ({ from, to }: { from: number; to: number }) => ({
      text: JSON.stringify(output ?? null).slice(from, to),
    }),
    ...options.answers,
  };
  await page.exposeFunction(
    'toHost',
    async (message: { kind: string; id: number; method: string; params: unknown }) => {
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
  await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
  return {
    page,
    said,
    errors,
    work: () => said.findLast(({ method }) => method === 'edit')?.params as WorkInProgress | undefined,
    async showRun(view, result) {
      output = result;
      await tell('showRun', view);
    },
    tell,
    async close() {
      await page.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

let building: Promise<unknown> | undefined;

/** Once a process: the page as it is bundled for the extension. */
function built(outdir: string): Promise<unknown> {
  mkdirSync(outdir, { recursive: true });
  building ??= esbuild.build({
    entryPoints: { run: path.join(root, 'webview/run/main.ts') },
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
  });
  return building;
}

function html(origin: string): string {
  const empty = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';
  const csp = `default-src 'none'; script-src 'nonce-n' ${origin}; style-src 'nonce-n' '${empty}' ${origin}; font-src ${origin}; img-src ${origin} blob: data:; media-src ${origin} blob: data:`;
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${csp}"><meta name="csp-nonce" content="n">
<title>Run</title><link rel="stylesheet" href="/theme.css"><link rel="stylesheet" href="/run.css"></head>
<body class="vscode-dark"><script nonce="n">
let left; window.acquireVsCodeApi = () => ({ postMessage: (message) => window.toHost(message), getState: () => left, setState: (state) => { left = state; } });
</script><script nonce="n" type="module" src="/run.js"></script></body></html>`;
}
