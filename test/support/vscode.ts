import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { addWitness, keepEvidence, type Witness } from './evidence';
import { type HostFolders, newHostFolders } from './hosts/folders';
import { freeHost, type Host, newPage, release, startHost } from './hosts/host';
import { serverLog } from './hosts/product';
import { quietSettings, readUserSettings, writeUserSettings } from './hosts/settings';
import { outFolder } from './paths';
import { displayLanguage, installPseudoLanguage, PSEUDO_LANGUAGE } from './pseudoLanguage';
import type * as parts from './runtime/parts';
import { Steps } from './steps';
import { coloursReachWebviews } from './webviews';
import { Workbench } from './workbench';

export type Theme =
  | 'dark'
  | 'light'
  | 'high contrast'
  | 'high contrast light'
  | 'monokai'
  | 'solarized light'
  | 'solarized dark';

/** As the theme picker lists them, and the class that the window has then. */
const themes: Record<Theme, { label: string; className: string }> = {
  dark: { label: 'Dark Modern', className: 'vs-dark' },
  light: { label: 'Light Modern', className: 'vs' },
  'high contrast': { label: 'Dark High Contrast', className: 'hc-black' },
  'high contrast light': { label: 'Light High Contrast', className: 'hc-light' },
  monokai: { label: 'Monokai', className: 'vscode-theme-monokai-themes-monokai-color-theme-json' },
  'solarized light': {
    label: 'Solarized Light',
    className: 'vscode-theme-solarized-light-themes-solarized-light-color-theme-json',
  },
  'solarized dark': {
    label: 'Solarized Dark',
    className: 'vscode-theme-solarized-dark-themes-solarized-dark-color-theme-json',
  },
};

export interface OpenOptions {
  /** Fills the folder that the window opens, before it opens. */
  readonly prepare?: (workspace: string) => Promise<void>;
  /** User settings over the quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly size?: { readonly width: number; readonly height: number };
  readonly age?: parts.Age;
  /** Opens the folder in Restricted Mode: it is not trusted yet. */
  readonly restricted?: boolean;
  /** The display language: VS Code's own texts stay in English. */
  readonly language?: string;
  /** False shows the browser. */
  readonly headless?: boolean;
  /** Whether a server and a browser that another window has left will do. */
  readonly host?: 'own' | 'any';
}

/** Such a window keeps none of a host's state: other extensions, another VS Code, another trust or language. */
async function mayShare(options: OpenOptions, { extensions }: HostFolders): Promise<boolean> {
  const { host = 'own', age, restricted, language, headless } = options;
  const isPlain = [age, restricted, language, headless].every((one) => one === undefined);
  return host === 'any' && isPlain && (await readdir(extensions)).length === 0;
}

const untrusted = {
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'never',
};

/**
 * A real VS Code of its own with the packaged extension in it, driven as a user drives it: fresh folders, so
 * that nothing of another run is left in it, except the browser's copies of VS Code's own files. Every verb waits for
 * a state, never for time.
 */
export class VSCode extends Workbench implements AsyncDisposable, Witness {
  static async open(options: OpenOptions = {}): Promise<VSCode> {
    const folders = await newHostFolders();
    const undo: (() => PromiseLike<void> | void)[] = [() => folders[Symbol.asyncDispose]()];
    try {
      await options.prepare?.(folders.workspace);
      const shares = await mayShare(options, folders);
      const shared = shares ? freeHost() : undefined;
      const { userData } = (shared ?? { folders }).folders;
      await writeUserSettings(userData, {
        ...quietSettings,
        ...(options.restricted && untrusted),
        ...options.settings,
      });
      const host = shared ?? (await startHost(folders, options));
      undo.unshift(() => host.stop());
      if (options.language === PSEUDO_LANGUAGE) await installPseudoLanguage(folders.extensions);
      if (options.language !== undefined) await host.context.addInitScript(displayLanguage(options.language));
      const page = await newPage(host);
      await page.setViewportSize(options.size ?? { width: 1280, height: 860 });
      const steps = new Steps();
      await steps.recordIn(page);
      const vscode = new VSCode(page, steps, host, folders, shares);
      undo.unshift(() => vscode.#forget());
      await vscode.openWorkspace(folders.workspace).catch(async (error) => {
        await keepEvidence(vscode, `a window that did not open ${path.basename(folders.base)}`, error);
        throw error;
      });
      return vscode;
    } catch (error) {
      for (const step of undo) await step();
      throw error;
    }
  }

  readonly #forgotten: (() => void)[] = [];
  #settingsChanged = 0;

  private constructor(
    page: Page,
    steps: Steps,
    private readonly host: Host,
    /** Its own: the workspace lies in it. */
    private readonly folders: HostFolders,
    private readonly shares: boolean,
  ) {
    super(page, steps);
    this.#forgotten.push(addWitness(this));
  }

  /** Of VS Code's server, of the extension's host, and the extension's own. */
  get logs(): readonly string[] {
    return [serverLog(this.host.folders), path.join(this.userData, 'logs')];
  }

  /** The folder that the window has open. */
  get workspace(): string {
    return this.folders.workspace;
  }

  /** VS Code's user data: globalStorage lies in its `User` folder. */
  get userData(): string {
    return this.host.folders.userData;
  }

  /** Where the extension keeps its files. */
  get globalStorage(): string {
    return path.join(this.userData, 'User', 'globalStorage', 'model-bench.model-bench');
  }

  /** For a person: the window's address. */
  get address(): string {
    return `${this.host.server.origin}/?folder=${pathToFileURL(this.folders.workspace).pathname}`;
  }

  /** For a person: the password of that address. */
  get password(): string {
    return this.host.server.password;
  }

  async openWorkspace(folder: string): Promise<void> {
    await this.ready(`${this.host.server.origin}/?folder=${pathToFileURL(folder).pathname}`);
  }

  /** Reloads the window, like the command: the extension host restarts. */
  async reload(): Promise<void> {
    this.steps.add('reloaded the window');
    await this.#leaving(() => this.page.reload());
    await this.ready();
  }

  /** By the command, not the browser's reload: VS Code then keeps its open editors first. */
  async reloadByCommand(): Promise<void> {
    const loaded = this.page.waitForEvent('load');
    await this.runCommand('Developer: Reload Window');
    await loaded;
    await this.ready();
  }

  /** Opens a file of the workspace as *Go to File…* does, which is the palette without its `>`: by a path in the workspace. */
  async openFile(name: string): Promise<void> {
    this.steps.add(`opened the file “${name}”`);
    await this.inPalette(async () => {
      // By its whole path: a pattern of the repository may stop VS Code's own search for files.
      await this.quickInputBox.fill(path.join(this.workspace, name), { timeout: this.limit(10_000) });
      await this.quickPickRow(path.basename(name))
        .first()
        .click({ timeout: this.limit(20_000) });
    });
    await this.activeEditorTab(path.basename(name)).waitFor();
  }

  /** The same, with the cursor in its text. */
  async openText(name: string): Promise<void> {
    await this.openFile(name);
    await this.page.locator('.editor-group-container.active .monaco-editor').first().click();
  }

  /**
   * Clicks an action over a text that opens a panel. Repeats the click while VS Code redraws it: it takes no click
   * then.
   */
  async clickCodeLens(title: string): Promise<void> {
    const lens = this.page.locator('.codelens-decoration').getByText(title, { exact: true });
    const tabs = this.page.locator('.tabs-container .tab');
    const before = await tabs.count();
    const isOpen = () =>
      tabs
        .nth(before)
        .waitFor({ timeout: this.limit(20_000) })
        .then(
          () => true,
          () => false,
        );
    do await lens.click();
    while (!(await isOpen()));
  }

  /** A window that closes breaks off the loading of its pages, and VS Code reports that as an error. */
  async #leaving(leave: () => Promise<unknown>): Promise<void> {
    const before = this.errors.length;
    await leave();
    const said = this.errors.splice(before);
    this.errors.push(
      ...said.filter((one) => !/Webview\.loadLocalResource|Failed to load resource/.test(one)),
    );
  }

  /** A second window of the same VS Code on the same folder. Closed with the first. */
  async anotherWindow(): Promise<Workbench> {
    const page = await this.page.context().newPage();
    await this.steps.recordIn(page);
    const workbench = new Workbench(page, this.steps);
    this.#forgotten.push(addWitness({ page, steps: this.steps, errors: workbench.errors, logs: this.logs }));
    this.steps.add('opened another window');
    await workbench.ready(this.address);
    return workbench;
  }

  /**
   * Changes user settings and reloads the window: without its native watcher, this host reads them at start. The
   * window begins with the settings that it knew before and reads the file a little later: its title, which is one
   * of them, shows when it has.
   */
  async changeSettings(changes: Readonly<Record<string, unknown>>): Promise<void> {
    this.steps.add(`changed settings: ${JSON.stringify(changes)}`);
    const now = await readUserSettings(this.userData);
    const title = `settings changed ${++this.#settingsChanged}`;
    await writeUserSettings(this.userData, { ...now, ...changes, 'window.title': title });
    await this.reload();
    await this.page.waitForFunction((wanted) => document.title.includes(wanted), title);
  }

  async setTheme(theme: Theme): Promise<void> {
    const { label, className } = themes[theme];
    await this.runCommandThatAsks('Preferences: Color Theme', /color theme/i, async () => {
      await this.quickInputBox.fill(label);
      await this.quickPickRow(label).first().click();
    });
    await this.page.locator(`.monaco-workbench.${className}`).waitFor();
    await coloursReachWebviews(this.page);
  }

  async resize(width: number, height: number): Promise<void> {
    await this.page.setViewportSize({ width, height });
  }

  /**
   * Answers VS Code's own file dialog, which offers a path in the workspace. The dialog appears before its initial text,
   * which would overwrite typed text.
   */
  async answerFileDialog(path: string): Promise<void> {
    this.steps.add(`typed the path “${path}”`);
    await this.#pathBox.waitFor();
    await this.page.waitForFunction((part) => {
      const inputs = document.querySelectorAll<HTMLInputElement>(
        '.quick-input-widget .quick-input-box input',
      );
      return [...inputs].some(({ value }) => value.includes(part));
    }, this.workspace);
    await this.#pathBox.fill(path);
    await this.#leaveFileDialog(() => this.#pathBox.press('Enter', { timeout: 2_000 }));
  }

  get #pathBox(): Locator {
    return this.quickInput.getByRole('textbox', { name: /^Folder path/ });
  }

  /** While it reads a folder, the dialog ignores keys and its buttons, and does not show that it does. */
  async #leaveFileDialog(leave: () => Promise<void>): Promise<void> {
    for (let tries = 0; tries < 20; tries++) {
      // It may be gone by now.
      await leave().catch(() => undefined);
      const isOpen = () => true;
      if (!(await this.#pathBox.waitFor({ state: 'hidden', timeout: 2_000 }).catch(isOpen))) return;
    }
    throw new Error('The file dialog stays open.');
  }

  /**
   * A picture of the window: `out/<name>.png`. Resolves to the file. In CI those of journeys are not needed, so they
   * are not made.
   */
  async screenshot(name: string): Promise<string> {
    const file = path.join(outFolder, `${name}.png`);
    if (process.env.CI && name.startsWith('journeys/')) return file;
    await mkdir(path.dirname(file), { recursive: true });
    await this.page.screenshot({ path: file });
    return file;
  }

  #forget(): void {
    for (const forget of this.#forgotten) forget();
  }

  /** Closes the window; its server and browser are left to the next one, if they may be. */
  async leave(): Promise<void> {
    if (!this.shares) return this[Symbol.asyncDispose]();
    this.#forget();
    await this.#leaving(() => release(this.host));
    // The first window of a host has its folders from it.
    if (this.folders !== this.host.folders) await this.folders[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#forget();
    await this.#leaving(() => this.host.stop());
    await this.folders[Symbol.asyncDispose]();
  }
}
