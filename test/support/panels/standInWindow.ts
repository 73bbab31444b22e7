import path from 'node:path';
import type * as vscode from 'vscode';
import { type Document, Documents } from './documents';
import { joined, Questions } from './questions';
import { type Kept, manifest } from './standInContext';
import { languagesApi } from './standInLanguages';
import { type Notification, StandInMessages } from './standInMessages';
import { Panel } from './standInPanel';
import { StandInTerminal } from './standInTerminal';
import { testsApi } from './standInTests';
import { StandInTree } from './standInTree';
import { StandInWorkspace } from './standInWorkspace';
import * as values from './values';
import { CancellationTokenSource, Disposable, EventEmitter, Uri } from './values';

/** The state behind the `vscode` module of one window. Tests read it; the extension sees `api`. */
export class StandInWindow {
  readonly questions = new Questions();
  readonly documents = new Documents();
  readonly messages = new StandInMessages(this.questions);
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
  readonly #workspace: StandInWorkspace;
  readonly #state = new EventEmitter<{ focused: boolean; active: boolean }>();
  #windowState = { focused: true, active: true };
  readonly #tabs = new EventEmitter<unknown>();
  readonly #activeEditor = new EventEmitter<unknown>();
  #activeTextEditor: { document: Document; selection: values.Selection } | undefined;

  constructor(readonly kept: Kept) {
    this.#workspace = new StandInWorkspace(kept, this.documents);
    const tests = testsApi();
    this.controllers = tests.controllers;
    for (const { changed } of [this.questions, this.messages]) changed.event(() => this.changed.fire());
    this.api = {
      window: this.#window(),
      workspace: this.#workspace.api(),
      commands: {
        registerCommand: (id: string, run: (...args: unknown[]) => unknown) =>
          this.#entry(this.commands, id, run),
        executeCommand: this.executeCommand,
      },
      env: this.#env(),
      languages: languagesApi(this.diagnostics, this.changed),
      tests: tests.api,
      lm: {
        registerTool: (name: string, tool: vscode.LanguageModelTool<unknown>) =>
          this.#entry(this.tools, name, tool),
      },
      l10n: { bundle: undefined, t: (text: string) => text },
      extensions: { getExtension: () => undefined },
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

  /** Whether the window is in front of other programs, and somebody works in it. */
  focus(isFocused: boolean, isActive = isFocused): void {
    this.#windowState = { focused: isFocused, active: isActive };
    this.#state.fire(this.#windowState);
  }

  /** Brings a panel to the front: all of them are in one group of editors. */
  #show(shown: Panel): void {
    for (const panel of this.panels) panel.show(panel === shown);
    this.changed.fire();
  }

  get editor(): Document | undefined {
    return this.#activeTextEditor?.document;
  }

  /** The messages in the corner. */
  get notifications(): readonly Notification[] {
    return this.messages.open;
  }

  changeSettings(changes: Readonly<Record<string, unknown>>): void {
    this.#workspace.changeSettings(changes);
  }

  dispose(): void {
    this.#workspace.dispose();
  }

  #entry<Value>(map: Map<string, Value>, key: string, value: Value): Disposable {
    map.set(key, value);
    this.changed.fire();
    return new Disposable(() => map.delete(key));
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
      showInformationMessage: this.messages.show('info'),
      showWarningMessage: this.messages.show('warning'),
      showErrorMessage: this.messages.show('error'),
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
          ...{ name, show: () => undefined, dispose: () => undefined },
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
      tabGroups: {
        get all() {
          return [self.#group()];
        },
        get activeTabGroup() {
          return self.#group();
        },
        onDidChangeTabs: this.#tabs.event,
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

  #env(): Record<string, unknown> {
    const { kept } = this;
    return {
      language: 'en',
      remoteName: undefined,
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
    };
  }
}
