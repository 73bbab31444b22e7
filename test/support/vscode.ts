import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from './browser';
import { type HostFolders, newHostFolders } from './hosts/folders';
import { startProduct } from './hosts/product';
import type { Running } from './hosts/server';
import { quietSettings, writeUserSettings } from './hosts/settings';
import { outFolder } from './paths';
import * as parts from './runtime/parts';
import { Workbench } from './workbench';

export type Theme = 'dark' | 'light' | 'high contrast' | 'high contrast light';

/** As the theme picker lists them, and the class that the window has then. */
const themes: Record<Theme, { label: string; className: string }> = {
  dark: { label: 'Dark Modern', className: 'vs-dark' },
  light: { label: 'Light Modern', className: 'vs' },
  'high contrast': { label: 'Dark High Contrast', className: 'hc-black' },
  'high contrast light': { label: 'Light High Contrast', className: 'hc-light' },
};

export interface OpenOptions {
  /** Fills the folder that the window opens, before it opens. */
  readonly prepare?: (workspace: string) => Promise<void>;
  /** User settings over the quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly size?: { readonly width: number; readonly height: number };
  readonly age?: parts.Age;
  /** Opens the folder in Restricted Mode: nobody has said that it is trusted. */
  readonly restricted?: boolean;
  /** False shows the browser. */
  readonly headless?: boolean;
}

const untrusted = {
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'never',
};

/**
 * A real VS Code of its own with the packaged extension in it, driven as a user drives it: fresh folders, so
 * that nothing of another run is left in it. Every verb waits for a state, never for time.
 */
export class VSCode extends Workbench implements AsyncDisposable {
  static async open(options: OpenOptions = {}): Promise<VSCode> {
    const folders = await newHostFolders();
    const undo: (() => PromiseLike<void>)[] = [() => folders[Symbol.asyncDispose]()];
    try {
      await options.prepare?.(folders.workspace);
      await writeUserSettings(folders.userData, {
        ...quietSettings,
        ...(options.restricted && untrusted),
        ...options.settings,
      });
      const code = await parts.codeServer(options.age ?? 'newest');
      const server = await startProduct(code, folders, options);
      undo.unshift(() => server.stop());
      const browser = await launchBrowser(options.headless);
      undo.unshift(() => browser.close());
      const context = await browser.newContext({
        viewport: options.size ?? { width: 1280, height: 860 },
        locale: 'en-US',
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      // What esbuild wraps named functions in; those of tests go into frames without it.
      await context.addInitScript('globalThis.__name = (named) => named;');
      const page = await context.newPage();
      const vscode = new VSCode(page, browser, server, folders);
      await vscode.openWorkspace(folders.workspace);
      return vscode;
    } catch (error) {
      for (const step of undo) await step();
      throw error;
    }
  }

  private constructor(
    page: Page,
    private readonly browser: Browser,
    private readonly server: Running,
    private readonly folders: HostFolders,
  ) {
    super(page);
  }

  /** The folder that the window has open. */
  get workspace(): string {
    return this.folders.workspace;
  }

  /** VS Code's user data: globalStorage lies in its `User` folder. */
  get userData(): string {
    return this.folders.userData;
  }

  /** Where the extension keeps its files. */
  get globalStorage(): string {
    return path.join(this.folders.userData, 'User', 'globalStorage', 'model-bench.model-bench');
  }

  /** For a person: the window's address. */
  get address(): string {
    return `${this.server.origin}/?folder=${pathToFileURL(this.folders.workspace).pathname}`;
  }

  async openWorkspace(folder: string): Promise<void> {
    await this.page.goto(`${this.server.origin}/?folder=${pathToFileURL(folder).pathname}`);
    await this.ready();
  }

  /** Reloads the window, as the command does: the extension host starts anew. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  /** A second window of the same VS Code on the same folder. Closed with the first. */
  async anotherWindow(): Promise<Workbench> {
    const page = await this.page.context().newPage();
    const workbench = new Workbench(page);
    await page.goto(this.address);
    await workbench.ready();
    return workbench;
  }

  /** Changes user settings and reloads the window: without its native watcher, this host reads them at start. */
  async changeSettings(changes: Readonly<Record<string, unknown>>): Promise<void> {
    const file = path.join(this.folders.userData, 'User', 'settings.json');
    const now = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    await writeUserSettings(this.folders.userData, { ...now, ...changes });
    await this.reload();
  }

  async setTheme(theme: Theme): Promise<void> {
    const { label, className } = themes[theme];
    await this.runCommand('Preferences: Color Theme');
    await this.expectQuickInput();
    await this.quickInputBox.fill(label);
    await this.quickPickRow(label).first().click();
    await this.page.locator(`.monaco-workbench.${className}`).waitFor();
  }

  async resize(width: number, height: number): Promise<void> {
    await this.page.setViewportSize({ width, height });
  }

  /** A picture of the window: `out/<name>.png`. Resolves to the file. */
  async screenshot(name: string): Promise<string> {
    const file = path.join(outFolder, `${name}.png`);
    await mkdir(path.dirname(file), { recursive: true });
    await this.page.screenshot({ path: file });
    return file;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close();
    await this.server.stop();
    await this.folders[Symbol.asyncDispose]();
  }
}
