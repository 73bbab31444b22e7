import { mkdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import type * as vscode from 'vscode';
import { launchBrowser } from '../browser';
import { addWitness, keepIfFailed } from '../evidence';
import { temporaryFolder } from '../hosts/folders';
import { root } from '../paths';
import { Steps } from '../steps';
import { pageSite } from './pageSite';
import type { Question } from './questions';
import type { Panel } from './standInPanel';
import { type Kept, type Notification, StandInWindow } from './standInWindow';
import { CancellationTokenSource } from './values';
import { setCurrentWindow } from './vscodeModule';

const module = new URL('./vscodeModule.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode' ? { url: module, shortCircuit: true } : next(specifier, context),
});

/** A row of a tree view. */
export interface Row {
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  readonly contextValue: string;
  readonly command: vscode.Command | undefined;
  /** The argument of the tree's commands. */
  readonly element: unknown;
}

/** How long a state may take on a busy machine. */
const WAIT_MS = 20_000;

/** VS Code without its window: the packaged extension over a stand-in of `vscode`, its pages in a plain browser. */
export class Panels {
  #window: StandInWindow;
  #context: vscode.ExtensionContext | undefined;
  readonly #pages = new Map<Panel, Page>();
  readonly #leave: (() => void)[] = [];
  /** Errors of the pages, violations of their policy among them. */
  readonly errors: string[] = [];
  readonly kept: Kept;

  private constructor(
    private readonly browser: () => Promise<Browser>,
    isTrusted: boolean,
  ) {
    const base = temporaryFolder('mb-panels-');
    const folder = path.join(base, 'workspace');
    mkdirSync(folder);
    this.kept = {
      isTrusted,
      ...{ folder, storage: path.join(base, 'storage'), clipboard: '' },
      ...{ global: new Map(), workspace: new Map(), secrets: new Map(), settings: new Map() },
    };
    this.#window = new StandInWindow(this.kept);
  }

  static async open(browser: () => Promise<Browser>, isTrusted = true): Promise<Panels> {
    const panels = new Panels(browser, isTrusted);
    await panels.#activate();
    return panels;
  }

  /** The state of the window, for facts without a verb below. */
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
    this.#context = this.#window.context(root);
    await extension.activate(this.#context);
  }

  /**
   * The effect of _Developer: Reload Window_: the extension ends, and starts with its kept state; panels are
   * restored.
   */
  async reload(): Promise<void> {
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

  async #end(): Promise<void> {
    for (const leave of this.#leave.splice(0)) leave();
    for (const page of this.#pages.values()) await page.close();
    this.#pages.clear();
    for (const item of this.#context?.subscriptions.splice(0).reverse() ?? []) await item.dispose();
    this.#window.dispose();
  }

  async close(): Promise<void> {
    await this.#end();
    setCurrentWindow(undefined);
  }

  /** Runs a command, by its ID. Does not wait for its questions. */
  command(id: string, ...args: readonly unknown[]): Promise<unknown> {
    const running = this.#window.executeCommand(id, ...args);
    // A test that answers a question waits for its own states; a rejection is shown by the command itself.
    running.catch(() => undefined);
    return running;
  }

  /** Waits until something is there. */
  async until<T>(
    find: () => T | undefined | false | Promise<T | undefined | false>,
    what: string,
  ): Promise<T> {
    const end = Date.now() + WAIT_MS;
    for (;;) {
      const found = await find();
      if (found !== undefined && found !== false) return found;
      if (Date.now() > end)
        throw new Error(
          `${what} did not come. Open questions: ${this.#questionTexts()}. Progress: ${this.#window.progress.at(-1)}. Log:\n${this.#window.log.slice(-12).join('\n')}`,
        );
      // A change event wakes it at once; other changes are checked again soon.
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
  }

  #questionTexts(): string {
    const questions = this.#window.questions.open.map(({ kind, text }) => `${kind} “${text}”`);
    const messages = this.#window.notifications.map(({ text }) => `message “${text}”`);
    return [...questions, ...messages].join('; ') || 'none';
  }

  /** The question whose text matches: a picker, an input box, a dialog. */
  question(text: string | RegExp): Promise<Question> {
    const fits = (question: Question) =>
      typeof text === 'string' ? question.text.includes(text) : text.test(question.text);
    return this.until(() => this.#window.questions.open.find(fits), `The question ${text}`);
  }

  /** Chooses in the question whose text matches, once the choice is offered. */
  async answer(text: string | RegExp, choice: string | RegExp): Promise<void> {
    const question = await this.question(text);
    const isOffered = () =>
      question.choices.some((label) => (typeof choice === 'string' ? label === choice : choice.test(label)));
    await this.until(isOffered, `The choice ${choice} of ${text}`);
    question.pick(choice);
  }

  async enter(text: string | RegExp, value: string): Promise<void> {
    await (await this.question(text)).enter(value);
  }

  notification(text: string | RegExp): Promise<Notification> {
    const fits = (one: Notification) =>
      typeof text === 'string' ? one.text.includes(text) : text.test(one.text);
    return this.until(() => this.#window.notifications.find(fits), `The notification ${text}`);
  }

  /** Text and tooltip of a status bar item, once it is shown with a text that matches. */
  async statusItem(id: string, text: RegExp): Promise<{ text: string; tooltip: string }> {
    const item = await this.until(() => {
      const found = this.#window.statusItems.get(id);
      return found?.isShown && text.test(found.text) ? found : undefined;
    }, `The status bar item ${id} with ${text}`);
    return { text: item.text, tooltip: textOf(item.tooltip) };
  }

  /** The rows of a tree below an element; without one, the top rows. */
  async rows(tree: string, element?: unknown): Promise<Row[]> {
    const { provider } = await this.until(() => this.#window.trees.get(tree), `The tree ${tree}`);
    const children = (await provider.getChildren(element)) ?? [];
    return Promise.all(
      children.map(async (child) => {
        const item = await provider.getTreeItem(child);
        const token = new CancellationTokenSource().token as never;
        const resolved = (await provider.resolveTreeItem?.(item, child, token)) ?? item;
        return {
          label: typeof item.label === 'object' ? item.label.label : (item.label ?? ''),
          description: String(item.description ?? ''),
          tooltip: textOf(resolved.tooltip),
          ...{ contextValue: item.contextValue ?? '', command: item.command, element: child },
        };
      }),
    );
  }

  /** A row anywhere in a tree, once it is there. */
  row(tree: string, label: string | RegExp): Promise<Row> {
    const search = async (element?: unknown): Promise<Row | undefined> => {
      for (const row of await this.rows(tree, element)) {
        if (typeof label === 'string' ? row.label === label : label.test(row.label)) return row;
        const below = await search(row.element);
        if (below) return below;
      }
      return undefined;
    };
    return this.until(() => search(), `The row ${label} of ${tree}`);
  }

  /** The page of the panel whose title matches, in the browser. */
  async page(title: string | RegExp): Promise<Page> {
    const panel = await this.until(
      () =>
        this.#window.panels.findLast(
          (one) =>
            one.webview.html !== '' &&
            (typeof title === 'string' ? one.title === title : title.test(one.title)),
        ),
      `The panel ${title}`,
    );
    return this.#pages.get(panel) ?? this.#openPage(panel);
  }

  async #openPage(panel: Panel): Promise<Page> {
    const page = await (await this.browser()).newPage({ viewport: { width: 1000, height: 800 } });
    this.#pages.set(panel, page);
    const steps = new Steps();
    await steps.recordIn(page);
    page.on('console', (message) => message.type() === 'error' && this.errors.push(message.text()));
    page.on('pageerror', (error) => this.errors.push(String(error)));
    const witness = { page, steps, errors: this.errors, logs: [] };
    this.#leave.push(addWitness(witness));
    page.once('close', () => void keepIfFailed(witness));
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
      {
        waitUntil: 'domcontentloaded',
      },
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

function textOf(tooltip: unknown): string {
  if (typeof tooltip === 'object' && tooltip !== null && 'value' in tooltip) return String(tooltip.value);
  return String(tooltip ?? '');
}

/** For use at the top of a `describe`: an extension without a window for its tests, which follow one another in it. */
export function usePanels({ isTrusted = true } = {}): { readonly panels: Panels } {
  let panels: Panels | undefined;
  let browser: Promise<Browser> | undefined;
  before('opens the extension', async () => {
    panels = await Panels.open(() => {
      browser ??= launchBrowser();
      return browser;
    }, isTrusted);
  });
  after('closes the extension', async () => {
    const errors = panels?.errors ?? [];
    await panels?.close();
    await (await browser)?.close();
    if (errors.length > 0) throw new Error(`Errors of the pages:\n${errors.join('\n')}`);
  });
  return {
    get panels() {
      if (!panels) throw new Error('The extension is opened by a hook, before the first test.');
      return panels;
    },
  };
}
