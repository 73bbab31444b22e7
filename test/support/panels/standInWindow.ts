import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type * as vscode from 'vscode';
import { root } from '../paths';
import { diskAsFileSystem } from './diskFiles';
import { type Document, Documents } from './documents';
import { joined, Questions } from './questions';
import { Panel } from './standInPanel';
import { StandInTerminal } from './standInTerminal';
import { testsApi } from './standInTests';
import { StandInTree } from './standInTree';
import * as values from './values';
import { CancellationTokenSource, Disposable, EventEmitter, Uri } from './values';

const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** A message in the corner of the window. */
export interface Notification {
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
  readonly buttons: readonly string[];
  press(button: string): void;
  /** Closes it without a choice. */
  close(): void;
}

/** The parts of a window that outlive it: a window that is opened with them again is the same after a reload. */
export interface Kept {
  folder: string;
  hasFolder: boolean;
  /** False: Restricted Mode. */
  readonly isTrusted: boolean;
  readonly storage: string;
  readonly global: Map<string, unknown>;
  readonly workspace: Map<string, unknown>;
  readonly secrets: Map<string, string>;
  readonly settings: Map<string, unknown>;
  clipboard: string;
}

/** The state behind the `vscode` module of one window. Tests read it; the extension sees `api`. */
export class StandInWindow {
  readonly questions = new Questions();
  readonly documents = new Documents();
  readonly notifications: Notification[] = [];
  readonly commands = new Map<string, (...args: unknown[]) => unknown>();
  /** VS Code's own commands that were run, with their arguments. */
  readonly builtIns: { readonly id: string; readonly args: readonly unknown[] }[] = [];
  readonly contexts = new Map<string, unknown>();
  readonly trees = new Map<string, StandInTree>();
  readonly statusItems = new Map<string, vscode.StatusBarItem & { isShown: boolean }>();
  readonly panels: Panel[] = [];
  readonly terminals: StandInTerminal[] = [];
  readonly serializers = new Map<string, vscode.WebviewPanelSerializer>();
  /** Tools of agents, by their contributed names. */
  readonly tools = new Map<string, vscode.LanguageModelTool<unknown>>();
  readonly customEditors = new Map<string, vscode.CustomTextEditorProvider>();
  readonly diagnostics = new Map<string, readonly vscode.Diagnostic[]>();
  readonly progress: string[] = [];
  readonly log: string[] = [];
  readonly opened: string[] = [];
  readonly controllers: ReturnType<typeof testsApi>['controllers'];
  /** Fired after everything that a test may wait for. */
  readonly changed = new EventEmitter<void>();
  readonly api: Record<string, unknown>;
  readonly #watchers = new Set<FSWatcher>();
  readonly #configuration = new EventEmitter<{ affectsConfiguration(section: string): boolean }>();
  readonly #state = new EventEmitter<{ focused: boolean; active: boolean }>();
  #windowState = { focused: true, active: true };
  readonly #tabs = new EventEmitter<unknown>();
  readonly #activeEditor = new EventEmitter<unknown>();
  #activeTextEditor: { document: Document; selection: values.Selection } | undefined;

  constructor(readonly kept: Kept) {
    const tests = testsApi();
    this.controllers = tests.controllers;
    this.questions.changed.event(() => this.changed.fire());
    this.api = {
      window: this.#window(),
      workspace: this.#workspace(),
      commands: {
        registerCommand: (id: string, run: (...args: unknown[]) => unknown) =>
          this.#entry(this.commands, id, run),
        executeCommand: this.executeCommand,
        getCommands: async () => [...this.commands.keys()],
      },
      env: this.#env(),
      languages: this.#languages(),
      tests: tests.api,
      lm: {
        registerTool: (name: string, tool: vscode.LanguageModelTool<unknown>) =>
          this.#entry(this.tools, name, tool),
      },
      l10n: { bundle: undefined, t: (text: string) => text },
      extensions: { getExtension: () => undefined, all: [], onDidChange: new EventEmitter().event },
    };
  }

  executeCommand = async (id: string, ...args: unknown[]): Promise<unknown> => {
    const run = this.commands.get(id);
    if (run) return await run(...args);
    this.builtIns.push({ id, args });
    if (id === 'setContext') this.contexts.set(String(args[0]), args[1]);
    if (id.endsWith('.focus')) this.trees.get(id.slice(0, -'.focus'.length))?.show(true);
    if (id === 'vscode.open' || id === 'vscode.openWith') await this.openFile(args[0] as Uri);
    this.changed.fire();
    return undefined;
  };

  /** Opens a file as its double click in the Explorer does. */
  async openFile(uri: Uri): Promise<Panel | Document> {
    const own = manifest.contributes.customEditors.find(
      ({ selector }: { selector: readonly { filenamePattern: string }[] }) =>
        selector.some(({ filenamePattern }) => path.matchesGlob(path.basename(uri.path), filenamePattern)),
    );
    const document = await this.documents.openTextDocument(uri);
    const provider = own && this.customEditors.get(own.viewType);
    if (!provider) {
      this.#activeTextEditor = { document, selection: new values.Selection(0, 0, 0, 0) };
      this.#activeEditor.fire(this.#activeTextEditor);
      return document;
    }
    const panel = this.addPanel(own.viewType, path.basename(uri.path), undefined, document);
    await provider.resolveCustomTextEditor(
      document as never,
      panel as never,
      new CancellationTokenSource().token as never,
    );
    return panel;
  }

  addPanel(viewType: string, title: string, state: unknown, document?: Document): Panel {
    const panel = new Panel(viewType, title, state, document);
    this.panels.push(panel);
    panel.changed.event(() => this.changed.fire());
    panel.onDidDispose(() => {
      this.panels.splice(this.panels.indexOf(panel), 1);
      if (!this.panels.some(({ active }) => active) && this.panels.length > 0)
        this.#show(this.panels.at(-1)!);
      this.#tabs.fire({});
      this.changed.fire();
    });
    panel.onReveal(() => this.#show(panel));
    this.#show(panel);
    this.#tabs.fire({});
    return panel;
  }

  /** Whether the window is in front of other programs. */
  focus(isFocused: boolean): void {
    this.#windowState = { focused: isFocused, active: isFocused };
    this.#state.fire(this.#windowState);
  }

  /** Brings a panel to the front: all of them are in one group of editors. */
  #show(shown: Panel): void {
    for (const panel of this.panels) panel.show(panel === shown);
    this.changed.fire();
  }

  /** The document in the active text editor. */
  get editor(): Document | undefined {
    return this.#activeTextEditor?.document;
  }

  /** Changes user settings, as the settings editor does. */
  changeSettings(changes: Readonly<Record<string, unknown>>): void {
    for (const [key, value] of Object.entries(changes))
      if (value === undefined) this.kept.settings.delete(key);
      else this.kept.settings.set(key, value);
    const names = Object.keys(changes);
    this.#configuration.fire({
      affectsConfiguration: (section) =>
        names.some((name) => name === section || name.startsWith(`${section}.`)),
    });
  }

  context(extension: string): vscode.ExtensionContext {
    const { folder, storage, global, workspace, secrets } = this.kept;
    const changed = new EventEmitter<{ key: string }>();
    const memento = (map: Map<string, unknown>) => ({
      keys: () => [...map.keys()],
      get: (key: string, instead?: unknown) => (map.has(key) ? structuredClone(map.get(key)) : instead),
      update: async (key: string, value: unknown) =>
        void (value === undefined ? map.delete(key) : map.set(key, structuredClone(value))),
      setKeysForSync: () => undefined,
    });
    const extensionUri = Uri.file(extension);
    return {
      subscriptions: [],
      globalState: memento(global),
      workspaceState: memento(workspace),
      secrets: {
        keys: async () => [...secrets.keys()],
        get: async (key: string) => secrets.get(key),
        store: async (key: string, value: string) => {
          secrets.set(key, value);
          changed.fire({ key });
        },
        delete: async (key: string) => {
          secrets.delete(key);
          changed.fire({ key });
        },
        onDidChange: changed.event,
      },
      extensionUri,
      extensionPath: extension,
      extension: { id: 'model-bench.model-bench', extensionUri, packageJSON: manifest },
      extensionMode: values.ExtensionMode.Production,
      globalStorageUri: Uri.file(path.join(storage, 'global')),
      storageUri: Uri.file(path.join(storage, 'workspace', path.basename(folder))),
      logUri: Uri.file(path.join(storage, 'logs')),
      asAbsolutePath: (file: string) => path.join(extension, file),
      environmentVariableCollection: {
        prepend: () => undefined,
        append: () => undefined,
        replace: () => undefined,
      },
    } as unknown as vscode.ExtensionContext;
  }

  dispose(): void {
    for (const watcher of this.#watchers) watcher.close();
  }

  #entry<Value>(map: Map<string, Value>, key: string, value: Value): Disposable {
    map.set(key, value);
    this.changed.fire();
    return new Disposable(() => map.delete(key));
  }

  #message(level: Notification['level']) {
    return async (text: string, ...rest: readonly unknown[]): Promise<unknown> => {
      const [first] = rest;
      const hasOptions = typeof first === 'object' && first !== null && !('title' in first);
      const options = (hasOptions ? first : {}) as vscode.MessageOptions;
      const buttons = (hasOptions ? rest.slice(1) : rest) as readonly (string | vscode.MessageItem)[];
      return new Promise((resolve) => {
        if (options.modal) {
          this.questions.showModal(joined(text, options.detail), buttons, resolve);
          return;
        }
        const labels = buttons.map((button) => (typeof button === 'string' ? button : button.title));
        const end = (button: unknown) => {
          this.notifications.splice(this.notifications.indexOf(notification), 1);
          resolve(button);
          this.changed.fire();
        };
        const notification: Notification = {
          ...{ level, text, buttons: labels },
          press: (button) => {
            if (!labels.includes(button)) throw new Error(`“${text}” offers ${labels.join(', ')}.`);
            end(buttons[labels.indexOf(button)]);
          },
          close: () => end(undefined),
        };
        this.notifications.push(notification);
        this.changed.fire();
      });
    };
  }

  #window(): Record<string, unknown> {
    const { questions } = this;
    const file =
      (kind: 'save' | 'open') =>
      (options: vscode.SaveDialogOptions & vscode.OpenDialogOptions = {}) =>
        new Promise((resolve) => {
          const title = joined(options.title, options.saveLabel, options.openLabel);
          questions.showDialog(kind, title, options.defaultUri?.fsPath, (files) =>
            resolve(kind === 'save' ? files[0] : files.length > 0 ? files : undefined),
          );
        });
    const self = this;
    return {
      ...{ showQuickPick: questions.showQuickPick, createQuickPick: questions.createQuickPick },
      ...{ showInputBox: questions.showInputBox, createInputBox: questions.createInputBox },
      ...{ showSaveDialog: file('save'), showOpenDialog: file('open') },
      showInformationMessage: this.#message('info'),
      showWarningMessage: this.#message('warning'),
      showErrorMessage: this.#message('error'),
      withProgress: async (
        { title = '' }: vscode.ProgressOptions,
        task: (progress: unknown, token: unknown) => unknown,
      ) => {
        const report = ({ message = '' }: { message?: string }) => {
          this.progress.push(joined(title, message));
          this.changed.fire();
        };
        report({});
        return await task({ report }, new CancellationTokenSource().token);
      },
      createTreeView: (id: string, options: vscode.TreeViewOptions<unknown>) => this.#treeView(id, options),
      createStatusBarItem: (id: string) => {
        const item = {
          ...{ id, text: '', isShown: false, name: undefined, tooltip: undefined, command: undefined },
          show: () => {
            item.isShown = true;
            this.changed.fire();
          },
          hide: () => {
            item.isShown = false;
            this.changed.fire();
          },
          dispose: () => this.statusItems.delete(id),
        };
        this.statusItems.set(id, item as never);
        return item;
      },
      createOutputChannel: (name: string) => {
        const add = (level: string) => (text: unknown) => void this.log.push(`[${level}] ${text}`);
        const levels = ['trace', 'debug', 'info', 'warn', 'error', 'append', 'appendLine'];
        return {
          ...Object.fromEntries(levels.map((level) => [level, add(level)])),
          ...{ name, logLevel: values.LogLevel.Info, onDidChangeLogLevel: new EventEmitter().event },
          ...{
            show: () => undefined,
            hide: () => undefined,
            clear: () => undefined,
            dispose: () => undefined,
          },
        };
      },
      createWebviewPanel: (viewType: string, title: string) => this.addPanel(viewType, title, undefined),
      registerWebviewPanelSerializer: (viewType: string, serializer: vscode.WebviewPanelSerializer) =>
        this.#entry(this.serializers, viewType, serializer),
      registerCustomEditorProvider: (viewType: string, provider: vscode.CustomTextEditorProvider) =>
        this.#entry(this.customEditors, viewType, provider),
      registerFileDecorationProvider: () => new Disposable(() => undefined),
      showTextDocument: async (what: Uri | Document) => {
        const document = Uri.isUri(what) ? await this.documents.openTextDocument(what) : what;
        this.#activeTextEditor = { document, selection: new values.Selection(0, 0, 0, 0) };
        this.#activeEditor.fire(this.#activeTextEditor);
        this.changed.fire();
        return { ...this.#activeTextEditor, revealRange: () => undefined, edit: async () => true };
      },
      get activeTextEditor() {
        return self.#activeTextEditor;
      },
      visibleTextEditors: [],
      terminals: [],
      createTerminal: ({ name, pty }: vscode.ExtensionTerminalOptions) => {
        const terminal = new StandInTerminal(name, pty);
        this.terminals.push(terminal);
        return terminal;
      },
      onDidOpenTerminal: new EventEmitter().event,
      get state() {
        return self.#windowState;
      },
      onDidChangeWindowState: this.#state.event,
      onDidChangeActiveTextEditor: this.#activeEditor.event,
      activeColorTheme: { kind: 2 },
      onDidChangeActiveColorTheme: new EventEmitter().event,
      tabGroups: {
        get all() {
          return [self.#group()];
        },
        get activeTabGroup() {
          return self.#group();
        },
        onDidChangeTabs: this.#tabs.event,
        onDidChangeTabGroups: new EventEmitter().event,
        close: async () => true,
      },
    };
  }

  #group() {
    const tabs = this.panels.map((panel) => ({
      label: panel.title,
      isActive: panel.active,
      input: panel.document
        ? new values.TabInputCustom(panel.document.uri, panel.viewType)
        : new values.TabInputWebview(`mainThreadWebview-${panel.viewType}`),
    }));
    return { tabs, viewColumn: 1, isActive: true, activeTab: tabs.find(({ isActive }) => isActive) };
  }

  #treeView(id: string, { treeDataProvider: provider }: vscode.TreeViewOptions<unknown>): unknown {
    const events = ['ExpandElement', 'CollapseElement', 'ChangeSelection', 'ChangeCheckboxState'];
    const visibility = new EventEmitter<vscode.TreeViewVisibilityChangeEvent>();
    const show = (visible: boolean) => {
      if (view.visible === visible) return;
      view.visible = visible;
      visibility.fire({ visible });
      if (visible) void tree.children();
    };
    const view = {
      ...Object.fromEntries(events.map((name) => [`onDid${name}`, new EventEmitter().event])),
      ...{ visible: true, selection: [] as unknown[], title: '', description: '', message: undefined },
      onDidChangeVisibility: visibility.event,
      reveal: async (element: unknown) => {
        view.selection = [element];
        show(true);
      },
      dispose: () => this.trees.delete(id),
    };
    const tree = new StandInTree(provider, view as never, () => this.changed.fire(), show);
    this.trees.set(id, tree);
    return view;
  }

  #workspace(): Record<string, unknown> {
    const folder = { uri: Uri.file(this.kept.folder), name: path.basename(this.kept.folder), index: 0 };
    const isBelow = (uri: Uri) => `${uri.path}/`.startsWith(`${folder.uri.path}/`);
    const { documents } = this;
    return {
      workspaceFolders: this.kept.hasFolder ? [folder] : undefined,
      name: this.kept.hasFolder ? folder.name : undefined,
      isTrusted: this.kept.isTrusted,
      fs: diskAsFileSystem(),
      getWorkspaceFolder: (uri: Uri) =>
        this.kept.hasFolder && uri.scheme === 'file' && isBelow(uri) ? folder : undefined,
      asRelativePath: (what: Uri | string) => {
        const full = typeof what === 'string' ? what : what.path;
        return full.startsWith(`${folder.uri.path}/`) ? full.slice(folder.uri.path.length + 1) : full;
      },
      getConfiguration: (section?: string) => this.#configurationOf(section),
      findFiles: async (include: string | vscode.RelativePattern, _exclude?: unknown, most = 1e9) => {
        const [base, pattern] =
          typeof include === 'string'
            ? [folder.uri.fsPath, include]
            : [include.baseUri.fsPath, include.pattern];
        const names = await readdir(base, { recursive: true }).catch((): string[] => []);
        const matching = names.filter(
          (name) => path.matchesGlob(name, pattern) && !name.includes('node_modules'),
        );
        return matching.slice(0, most).map((name) => Uri.file(path.join(base, name)));
      },
      createFileSystemWatcher: (pattern: string | vscode.RelativePattern) =>
        this.#watcher(folder.uri.fsPath, pattern),
      textDocuments: documents.open,
      openTextDocument: documents.openTextDocument,
      applyEdit: documents.applyEdit,
      registerTextDocumentContentProvider: (scheme: string, provider: never) =>
        this.#entry(documents.providers, scheme, provider),
      onDidOpenTextDocument: documents.opened.event,
      onDidChangeTextDocument: documents.changed.event,
      onDidCloseTextDocument: documents.closed.event,
      onDidSaveTextDocument: documents.saved.event,
      onDidChangeConfiguration: this.#configuration.event,
      onDidChangeWorkspaceFolders: new EventEmitter().event,
      onDidGrantWorkspaceTrust: new EventEmitter().event,
      onDidRenameFiles: new EventEmitter().event,
      onDidDeleteFiles: new EventEmitter().event,
      onDidCreateFiles: new EventEmitter().event,
    };
  }

  #configurationOf(section?: string): unknown {
    const groups = manifest.contributes.configuration as { properties: object }[];
    const defaults: Record<string, { default?: unknown }> = Object.assign(
      {},
      ...groups.map(({ properties }) => properties),
    );
    const name = (key: string) => (section ? `${section}.${key}` : key);
    const { settings } = this.kept;
    const settingOf = (key: string) =>
      settings.has(name(key)) ? settings.get(name(key)) : defaults[name(key)]?.default;
    return {
      has: (key: string) => settingOf(key) !== undefined,
      get: (key: string, instead?: unknown) =>
        structuredClone(settingOf(key) === undefined ? instead : settingOf(key)),
      inspect: (key: string) => ({
        key: name(key),
        defaultValue: structuredClone(defaults[name(key)]?.default),
        globalValue: structuredClone(settings.get(name(key))),
      }),
      update: async (key: string, value: unknown) =>
        this.changeSettings({ [name(key)]: structuredClone(value) }),
    };
  }

  #watcher(workspace: string, pattern: string | vscode.RelativePattern): unknown {
    const [base, glob] =
      typeof pattern === 'string' ? [workspace, pattern] : [pattern.baseUri.fsPath, pattern.pattern];
    const [created, changedFile, deleted] = [
      new EventEmitter<Uri>(),
      new EventEmitter<Uri>(),
      new EventEmitter<Uri>(),
    ];
    let watcher: FSWatcher | undefined;
    try {
      watcher = watch(base, { recursive: true }, async (event, name) => {
        if (name === null || !path.matchesGlob(name, glob)) return;
        const uri = Uri.file(path.join(base, name));
        const isThere = await stat(uri.fsPath).then(
          () => true,
          () => false,
        );
        (isThere ? (event === 'rename' ? created : changedFile) : deleted).fire(uri);
      });
      this.#watchers.add(watcher);
    } catch {
      // A folder that is not there has no events.
    }
    return {
      onDidCreate: created.event,
      onDidChange: changedFile.event,
      onDidDelete: deleted.event,
      dispose: () => watcher?.close(),
    };
  }

  #env(): Record<string, unknown> {
    const { kept } = this;
    return {
      ...{
        language: 'en',
        appName: 'Stand-in',
        uiKind: 1,
        remoteName: undefined,
        machineId: 'test',
        sessionId: 'test',
      },
      clipboard: {
        readText: async () => kept.clipboard,
        writeText: async (text: string) => {
          kept.clipboard = text;
          this.changed.fire();
        },
      },
      openExternal: async (uri: Uri) => {
        this.opened.push(uri.toString());
        this.changed.fire();
        return true;
      },
      asExternalUri: async (uri: Uri) => uri,
    };
  }

  #languages(): Record<string, unknown> {
    const nothing = () => new Disposable(() => undefined);
    const registered = ['CodeLens', 'Hover', 'DocumentLink', 'CompletionItem', 'CodeActions'];
    return {
      ...Object.fromEntries(registered.map((name) => [`register${name}Provider`, nothing])),
      getLanguages: async () => ['json', 'jsonc', 'plaintext', 'markdown', 'csv'],
      setTextDocumentLanguage: async (document: unknown) => document,
      match: () => 10,
      createDiagnosticCollection: () => ({
        set: (uri: Uri, list: readonly vscode.Diagnostic[] = []) => {
          this.diagnostics.set(uri.toString(), list);
          this.changed.fire();
        },
        delete: (uri: Uri) => void this.diagnostics.delete(uri.toString()),
        get: (uri: Uri) => this.diagnostics.get(uri.toString()) ?? [],
        has: (uri: Uri) => this.diagnostics.has(uri.toString()),
        clear: () => this.diagnostics.clear(),
        forEach: (each: (uri: Uri, list: unknown) => void) => {
          for (const [uri, list] of this.diagnostics) each(Uri.parse(uri), list);
        },
        dispose: () => this.diagnostics.clear(),
      }),
    };
  }
}
