import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { contextKeys, panels } from '../../contributions';
import { type Dataset, datasetKey } from '../../domain/dataset';
import { rememberDataset } from '../../platform/pickers/chooseDataset';
import { searchState } from '../../protocol/search';
import type { Services } from '../../services';
import { executeBuiltIn } from '../../vscode/commands';
import { createWebviewPanel } from '../../vscode/messages/panels';
import { pictureFolders } from './searchHits';
import { readSavedSearch } from './searchMemory';
import { SearchPanel } from './searchPanel';

/** The search panels of a window: one for each dataset. */
export class SearchPanels implements vscode.Disposable {
  readonly #open = new Map<string, SearchPanel>();
  /** The state of the title bar. */
  #canGoBack: boolean | undefined;

  constructor(private readonly services: Services) {}

  dispose(): void {
    for (const panel of this.#open.values()) panel.dispose();
  }

  /** Shows the dataset's panel without searching. */
  async open(dataset: Dataset): Promise<SearchPanel> {
    await rememberDataset(this.services.context.globalState, dataset);
    const known = this.#open.get(datasetKey(dataset));
    if (known) {
      known.reveal();
      return known;
    }
    const title = l10n.t('Search {0}', dataset.scope);
    const panel = createWebviewPanel(panels.search, title, vscode.ViewColumn.Active);
    return this.#adopt(panel, dataset);
  }

  get active(): SearchPanel | undefined {
    return [...this.#open.values()].find(({ isActive }) => isActive);
  }

  /** The title bar of the active editor has the actions that its search allows. */
  #showActions(): void {
    const { active } = this;
    if (!active) return;
    const { canGoBack } = active;
    if (this.#canGoBack === canGoBack) return;
    this.#canGoBack = canGoBack;
    void executeBuiltIn('setContext', contextKeys.searchCanGoBack, canGoBack);
  }

  /** Shows the dataset's panel and searches with the file: the user has asked for that. */
  async search(dataset: Dataset, file: vscode.Uri): Promise<void> {
    await (await this.open(dataset)).searchFile(file);
  }

  /** After a reload: the same dataset and query. Sends no request; searching costs. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const saved = searchState.shape.saved.safeParse(state);
    if (!saved.success) return panel.dispose();
    const opened = await this.#adopt(panel, saved.data);
    await opened.restore(readSavedSearch(this.services, saved.data));
  }

  async #adopt(panel: vscode.WebviewPanel, { baseUrl, model, scope }: Dataset): Promise<SearchPanel> {
    const dataset = { baseUrl, model, scope };
    const { datasets } = await this.services.store();
    const pictures = await pictureFolders(dataset, datasets);
    const shown = () => this.#showActions();
    const opened = new SearchPanel(panel, dataset, datasets, pictures, this.services, shown);
    const key = datasetKey(dataset);
    this.#open.set(key, opened);
    panel.onDidDispose(() => {
      if (this.#open.get(key) === opened) this.#open.delete(key);
    });
    return opened;
  }
}
