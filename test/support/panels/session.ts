import { mkdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import type * as vscode from 'vscode';
import { addWitness } from '../evidence';
import { temporaryFolder } from '../hosts/folders';
import { root } from '../paths';
import { Steps } from '../steps';
import { settleAct } from '../waits';
import { pageSite } from './pageSite';
import { contextOf, type Kept, workspaceStorage } from './standInContext';
import type { Panel } from './standInPanel';
import { StandInWindow } from './standInWindow';
import { setCurrentWindow } from './vscodeModule';

const module = new URL('./vscodeModule.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode' ? { url: module, shortCircuit: true } : next(specifier, context),
});

/** How long a state may take on a busy machine. */
const WAIT_MS = 60_000;

/** Unless a test sets it: no page opens that it did not ask for. */
const QUIET = { 'modelBench.openModelAfterConnecting': false };

export interface PanelsOptions {
  /** False: Restricted Mode. */
  readonly isTrusted?: boolean;
  /** Fills the folder of the window before it opens. */
  readonly prepare?: (workspace: string) => unknown;
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** VS Code without its window: the packaged extension over a stand-in of `vscode`, its pages in a plain browser. */
export class Session {
  #window: StandInWindow;
  #context: vscode.ExtensionContext | undefined;
  readonly #pages = new Map<Panel, Promise<Page>>();
  readonly #leave: (() => void)[] = [];
  /** Errors of the pages, violations of their policy among them. */
  readonly errors: string[] = [];
  /** The acts so far, in words. */
  readonly steps = new Steps();
  readonly kept: Kept;

  protected constructor(
    private readonly browser: () => Promise<Browser>,
    private readonly options: PanelsOptions,
  ) {
    const base = temporaryFolder('mb-panels-');
    const folder = path.join(base, 'workspace');
    mkdirSync(folder);
    this.kept = {
      isTrusted: options.isTrusted ?? true,
      ...{ folder, hasFolder: true, storage: path.join(base, 'storage'), clipboard: '' },
      ...{ global: new Map(), workspace: new Map(), secrets: new Map() },
      settings: new Map(Object.entries({ ...QUIET, ...options.settings })),
    };
    this.#window = new StandInWindow(this.kept);
  }

  /** The folder in which the extension keeps its files. */
  get globalStorage(): string {
    return path.join(this.kept.storage, 'global');
  }

  /** The folder in which the extension keeps files for the workspace. */
  get workspaceStorage(): string {
    return workspaceStorage(this.kept);
  }

  /** Opens the folder, and starts the extension. */
  async start(): Promise<void> {
    await this.options.prepare?.(this.workspace);
    await this.#activate();
  }

  /** The state of the window, for facts without a verb. */
  get window(): StandInWindow {
    return this.#window;
  }

  /** Absolute path of the workspace folder. */
  get workspace(): string {
    return this.kept.folder;
  }

  async #activate(): Promise<void> {
    setCurrentWindow(this.#window);
    const extension = await import(pathToFileURL(path.join(root, 'dist/extension.js')).href);
    this.#context = contextOf(this.kept, root);
    await extension.activate(this.#context);
  }

  /**
   * The effect of _Developer: Reload Window_: the extension ends, and starts with its kept state; panels are
   * restored.
   */
  async reload(): Promise<void> {
    this.steps.add('reloaded the window');
    // Their messages and states are on their way in order: an answer comes after them.
    for (const page of this.#pages.values()) await (await page).evaluate(() => undefined);
    const open = this.#window.panels.map(({ viewType, title, state, document }) => ({
      ...{ viewType, title, state },
      uri: document?.uri,
    }));
    await this.#end();
    this.#window = new StandInWindow(this.kept);
    await this.#activate();
    for (const { viewType, title, state, uri } of open) {
      if (uri) await this.#window.openFile(uri);
      else {
        const panel = this.#window.addPanel(viewType, title, state);
        await this.#window.serializers.get(viewType)?.deserializeWebviewPanel(panel as never, state);
      }
    }
  }

  /** Opens another folder in the window, or none. */
  async openFolder(folder: string | undefined): Promise<void> {
    await this.#end();
    this.kept.hasFolder = folder !== undefined;
    if (folder !== undefined) this.kept.folder = folder;
    this.kept.workspace.clear();
    this.#window = new StandInWindow(this.kept);
    await this.#activate();
  }

  async #end(): Promise<void> {
    for (const leave of this.#leave.splice(0)) leave();
    for (const page of this.#pages.values()) await (await page).close();
    this.#pages.clear();
    for (const item of this.#context?.subscriptions.splice(0).reverse() ?? []) await item.dispose();
    this.#window.dispose();
  }

  async close(): Promise<void> {
    await this.#end();
    setCurrentWindow(undefined);
  }

  /** Waits until something is there. */
  async until<T>(
    find: () => T | undefined | false | Promise<T | undefined | false>,
    what: string,
  ): Promise<T> {
    settleAct();
    const found = new AbortController();
    const late = wait(WAIT_MS, 'late' as const, { ref: false, signal: found.signal }).catch(() => undefined);
    try {
      for (;;) {
        const state = await Promise.race([late, find()]);
        if (state === 'late')
          throw new Error(
            `${what} did not come. Open questions: ${this.#questionTexts()}. Progress: ${this.#window.progress.at(-1)}. Log:\n${this.#window.log.slice(-12).join('\n')}`,
          );
        if (state !== undefined && state !== false) return state;
        await this.#untilChanged();
      }
    } finally {
      found.abort();
    }
  }

  /** A change event resolves it at once; other changes are checked again soon. */
  async #untilChanged(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(wake, 50);
      const listening = this.#window.changed.event(wake);
      function wake() {
        clearTimeout(timer);
        listening.dispose();
        resolve();
      }
    });
  }

  #questionTexts(): string {
    const questions = this.#window.questions.open.map(({ kind, text }) => `${kind} “${text}”`);
    const messages = this.#window.notifications.map(({ text }) => `message “${text}”`);
    return [...questions, ...messages].join('; ') || 'none';
  }

  protected async pageOf(panel: Panel): Promise<Page> {
    const opening = this.#pages.get(panel) ?? this.#openPage(panel);
    this.#pages.set(panel, opening);
    return opening;
  }

  async #openPage(panel: Panel): Promise<Page> {
    const page = await (await this.browser()).newPage({ viewport: { width: 1000, height: 800 } });
    panel.onDidDispose(() => {
      this.#pages.delete(panel);
      void page.close();
    });
    page.setDefaultTimeout(WAIT_MS);
    await this.steps.recordIn(page);
    page.on('console', (message) => message.type() === 'error' && this.errors.push(message.text()));
    page.on('pageerror', (error) => this.errors.push(String(error)));
    const witness = { page, steps: this.steps, errors: this.errors, logs: [] };
    this.#leave.push(addWitness(witness));
    await page.exposeFunction('postToHost', (message: unknown) => panel.receive(message));
    await page.exposeFunction('keepState', (state: unknown) => {
      panel.state = state;
    });
    await page.addInitScript(`{
      let state = ${JSON.stringify(panel.state) ?? 'undefined'};
      globalThis.acquireVsCodeApi = () => ({
        postMessage: (message) => void globalThis.postToHost(message),
        getState: () => state,
        setState: (next) => { state = next; void globalThis.keepState(next); return next; },
      });
    }`);
    const { webview } = panel;
    await page.goto(
      pageSite.addressOfPanel(panel.number, () => themed(webview.html)),
      { waitUntil: 'domcontentloaded' },
    );
    await webview.connect((message) => page.evaluate((data) => window.postMessage(data, '*'), message));
    return page;
  }
}

/** The variables and classes that VS Code gives to a page. Its policy does not name this style: it has none of its own. */
function themed(html: string): string {
  const css = readFileSync(path.join(root, 'test/support/resultPage.css'), 'utf8');
  const nonce = /style-src 'nonce-([^']+)'/.exec(html)?.[1] ?? '';
  return html
    .replace('<head>', `<head><style nonce="${nonce}">${css}</style>`)
    .replace('<body>', '<body class="vscode-dark" data-vscode-theme-kind="vscode-dark">');
}
