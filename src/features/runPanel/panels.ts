import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { panels, type RunModelArgs } from '../../contributions';
import type { Environment } from '../../domain/environment';
import { filenameOf } from '../../platform/localFile';
import { isSendingConfirmed, requiredEnvironment } from '../../platform/runFiles/environment';
import { loadDraft, readFileAt, rejectProblems } from '../../platform/runFiles/load';
import { readyToRun } from '../../platform/runFiles/ready';
import { workInProgress } from '../../protocol/run';
import { problemsIn, type RunFileProblem } from '../../runFiles/read';
import type { Services } from '../../services';
import { createWebviewPanel } from '../../vscode/messages/panels';
import { type PanelFolders, RunPanel } from './panel';
import { newSavedPanel, type SavedPanel, SavedPanels } from './savedPanels';

/** The state that the page leaves with VS Code: enough to find the saved panel, or to do without it. */
const pageState = z.object({
  panelId: z.string(),
  modelName: z.optional(z.string()),
  work: z.optional(workInProgress),
  /** Missing: there was none. */
  environment: z.optional(z.object({ name: z.string(), baseUrl: z.string() })),
});

/** The run panels of a window. */
export class RunPanels implements vscode.Disposable {
  readonly #open = new Set<RunPanel>();
  #preview: RunPanel | undefined;
  readonly #saved: SavedPanels;
  readonly #folders: PanelFolders;

  constructor(private readonly services: Services) {
    const storage = services.context.globalStorageUri;
    this.#saved = new SavedPanels(vscode.Uri.joinPath(storage, 'panels').fsPath);
    this.#folders = {
      attachments: vscode.Uri.joinPath(storage, 'attachments'),
      responses: vscode.Uri.joinPath(storage, 'answers'),
    };
  }

  dispose(): void {
    for (const panel of this.#open) panel.dispose();
  }

  /**
   * Opens a panel: the one that shows the run, or that is open for the model when nothing more is asked for. A preview
   * takes the place of the one before it.
   */
  async open(
    { preview = false, preserveFocus = false, ...args }: RunModelArgs,
    granted: readonly string[],
    runsNow: boolean,
  ): Promise<void> {
    const { environment, onlyModel } = await this.#placeOf(args);
    const baseUrl = environment?.baseUrl ?? '';
    const same = [...this.#open].find((panel) =>
      onlyModel
        ? panel.model === args.model && panel.environment.baseUrl === baseUrl
        : args.historyId !== undefined && panel.shownRunId === args.historyId,
    );
    if (same) {
      // The second click keeps it.
      if (preview) same.keep();
      return same.reveal();
    }
    const column = { viewColumn: vscode.ViewColumn.Active, preserveFocus };
    const opened = await this.#openNew(args, column, preview, granted);
    if (runsNow) await opened?.runNow();
  }

  /** Opens another panel of a model beside the active editor. */
  async openToSide(model: string): Promise<void> {
    await this.#openNew({ model }, { viewColumn: vscode.ViewColumn.Beside }, false, []);
  }

  async #openNew(
    args: RunModelArgs,
    column: { readonly viewColumn: vscode.ViewColumn; readonly preserveFocus?: boolean },
    preview: boolean,
    granted: readonly string[],
  ): Promise<RunPanel | undefined> {
    const { environment, catalog, onlyModel } = await this.#placeOf(args);
    const baseUrl = environment?.baseUrl ?? '';
    const listed = catalog.models?.find(({ slug }) => slug === args.model);
    const title = listed?.name ?? args.model;
    const panel = createWebviewPanel(panels.run, title, column);
    let closed = false;
    panel.onDidDispose(() => {
      closed = true;
    });
    // VS Code makes the tab while these are read.
    const [cached, earlier] = await Promise.all([
      catalog.cachedContract(args.model),
      onlyModel ? this.#saved.lastClosed(args.model, baseUrl) : undefined,
    ]);
    if (closed) return undefined;
    const saved = newSavedPanel(args, granted, cached, environment, cached?.name ?? title);
    const opened = this.#adopt(
      panel,
      { ...saved, ...(earlier && { work: earlier.work, granted: earlier.granted }) },
      preview,
    );
    this.#takePlaceOfPreview(preview ? opened : undefined);
    return opened;
  }

  async #placeOf(args: RunModelArgs) {
    const environment = await this.#environmentOf(args);
    const catalog = environment ? this.services.catalog.of(environment) : this.services.catalog.active;
    const onlyModel = Object.entries(args).every(
      ([key, value]) => ['model', 'environment'].includes(key) || value === undefined,
    );
    return { environment, catalog, onlyModel };
  }

  /** Like an editor's preview: a panel that was only looked at closes when another one is opened. */
  #takePlaceOfPreview(next: RunPanel | undefined): void {
    const before = this.#preview;
    this.#preview = next;
    if (before?.isPreview) before.close();
  }

  get active(): RunPanel | undefined {
    return [...this.#open].find(({ isActive }) => isActive);
  }

  /** Opens the panel of a run file beside it: the one that is open, or a new one. */
  async openFile(uri: vscode.Uri): Promise<RunPanel> {
    const open = [...this.#open].find((panel) => panel.runFileUri === uri.toString());
    if (open) {
      open.reveal();
      return open;
    }
    const { connection, catalog } = this.services;
    const file = await readFileAt(uri);
    const inexact = new Set(file.inexact.map(({ pointer }) => pointer));
    await rejectProblems(
      uri,
      problemsIn(file, undefined).filter((one) => isUnreadable(one) || inexact.has(one.pointer)),
    );
    const environment = await requiredEnvironment(uri, file, connection);
    const { draft, uris } = await loadDraft(uri, file);
    const cached = await catalog.of(environment).cachedContract(draft.model);
    const saved = newSavedPanel(draft, [...uris.values()], cached, environment, cached?.name ?? draft.model);
    const panel = createWebviewPanel(panels.run, filenameOf(uri), vscode.ViewColumn.Beside);
    return this.#adopt(panel, { ...saved, runFile: uri.toString() });
  }

  /** Runs an unchanged run file, in its panel. Sends no run when the file has problems. */
  async runFile(uri: vscode.Uri): Promise<void> {
    const { connection } = this.services;
    const ready = await readyToRun(this.services, uri, await readFileAt(uri));
    if (!('draft' in ready)) return rejectProblems(uri, ready);
    if (!(await isSendingConfirmed(uri, ready.environment, connection))) return;
    await (await this.openFile(uri)).runFile(ready);
  }

  /** A panel that VS Code brings back after a reload or a restart. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const left = pageState.safeParse(state);
    const saved = left.success ? await this.#saved.load(left.data.panelId) : undefined;
    if (saved) {
      const { preview = false, ...kept } = saved;
      const opened = this.#adopt(panel, { ...kept, closed: false }, preview);
      if (preview) this.#preview = opened;
      return;
    }
    const work = left.success ? left.data.work : undefined;
    if (!left.success || !work) return panel.dispose();
    const environment = left.data.environment ?? this.services.connection.active;
    this.#adopt(panel, {
      id: left.data.panelId,
      model: work.draft.model,
      modelName: left.data.modelName ?? work.draft.model,
      environment: environment?.name,
      baseUrl: environment?.baseUrl ?? '',
      work,
      granted: [],
      closed: false,
    });
  }

  /**
   * Where a panel's runs are sent: to the environment named, else to that of the run shown, else to the active one.
   * @throws when there is none of that name
   */
  async #environmentOf({ environment, historyId }: RunModelArgs): Promise<Environment | undefined> {
    const { connection } = this.services;
    const named = connection.environments.find(({ name }) => name === environment);
    if (named) return named;
    if (environment !== undefined)
      throw new Error(
        l10n.t('There is no environment named “{0}” in the setting modelBench.environments.', environment),
      );
    const run = historyId === undefined ? undefined : (await this.services.history()).get(historyId);
    if (!run?.baseUrl) return connection.active;
    const ofRun = { name: run.environment, baseUrl: run.baseUrl };
    return connection.find(ofRun) ?? ofRun;
  }

  #adopt(panel: vscode.WebviewPanel, saved: SavedPanel, preview = false): RunPanel {
    const opened = new RunPanel(panel, saved, this.services, this.#saved, this.#folders, preview);
    this.#open.add(opened);
    panel.onDidDispose(() => {
      this.#open.delete(opened);
      if (this.#preview === opened) this.#preview = undefined;
    });
    return opened;
  }
}

/** A form cannot show it: the problem is a type, not a value. */
function isUnreadable({ source, pointer }: RunFileProblem): boolean {
  return (
    source === 'syntax' ||
    (source === 'format' && /^(?:\/(?:model|mode|scope|input|params|options))?$/.test(pointer))
  );
}
