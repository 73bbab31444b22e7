import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { panels, type RunModelArgs } from '../../contributions';
import { workInProgress } from '../../protocol/run';
import type { Services } from '../../services';
import { type PanelFolders, RunPanel } from './panel';
import { newSavedPanel, type SavedPanel, SavedPanels } from './savedPanels';

/** What the page leaves with VS Code: enough to find the saved panel, or to do without it. */
const pageState = z.object({
  panelId: z.string(),
  modelName: z.optional(z.string()),
  work: z.optional(workInProgress),
});

/** The run panels of a window. */
export class RunPanels implements vscode.Disposable {
  readonly #open = new Set<RunPanel>();
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

  /** Opens a panel. One that is open for the model is shown again when a click in a tree asks for nothing more. */
  async open(args: RunModelArgs, reuse: boolean): Promise<void> {
    const baseUrl = this.services.connection.active?.baseUrl ?? '';
    const onlyModel = Object.entries(args).every(([key, value]) => key === 'model' || value === undefined);
    const same = [...this.#open].find((panel) => panel.model === args.model && panel.baseUrl === baseUrl);
    if (reuse && onlyModel && same) return same.reveal();

    const listed = this.services.catalog.models?.find(({ slug }) => slug === args.model);
    const title = listed?.name ?? args.model;
    const panel = vscode.window.createWebviewPanel(panels.run, title, vscode.ViewColumn.Active);
    let closed = false;
    panel.onDidDispose(() => {
      closed = true;
    });
    // VS Code makes the tab while these are read.
    const [cached, earlier] = await Promise.all([
      this.services.catalog.cachedContract(args.model),
      onlyModel ? this.#saved.lastClosed(args.model, baseUrl) : undefined,
    ]);
    if (closed) return;
    const saved = newSavedPanel(args, cached, baseUrl, cached?.name ?? title);
    this.#adopt(panel, { ...saved, ...(earlier && { work: earlier.work, granted: earlier.granted }) });
  }

  /** A panel that VS Code brings back after a reload or a restart. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const left = pageState.safeParse(state);
    const saved = left.success ? await this.#saved.load(left.data.panelId) : undefined;
    if (saved) return this.#adopt(panel, { ...saved, closed: false });
    const work = left.success ? left.data.work : undefined;
    if (!left.success || !work) return panel.dispose();
    this.#adopt(panel, {
      id: left.data.panelId,
      model: work.draft.model,
      modelName: left.data.modelName ?? work.draft.model,
      baseUrl: this.services.connection.active?.baseUrl ?? '',
      work,
      granted: [],
      closed: false,
    });
  }

  #adopt(panel: vscode.WebviewPanel, saved: SavedPanel): void {
    const opened = new RunPanel(panel, saved, this.services, this.#saved, this.#folders);
    this.#open.add(opened);
    panel.onDidDispose(() => this.#open.delete(opened));
  }
}
