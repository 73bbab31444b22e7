import * as vscode from 'vscode';
import type { ModelSummary } from '../../domain/model';
import { DisposableStore } from '../../platform/disposables';
import { once } from '../../platform/once';
import { messageOf } from '../../platform/showError';
import type { Estimates } from '../../runs/estimates/estimates';
import { ServiceError } from '../../service/errors';
import type { Services } from '../../services';
import { nextStepOf } from '../../wording/errors';
import { filterWords, matchesFilter } from './filter';
import { type CatalogNode, modelTooltip, type PastRuns, treeItem } from './nodes';

type Problem = Extract<CatalogNode, { kind: 'problem' }>;

/** Delay from a run's end to the redrawn tree. */
const REDRAW_DELAY_MS = 1500;

/** Catalogs of up to so many models show their groups open. */
const FITS_THE_VIEW = 20;

/** Rows of one list at first, and more with each "Show more": ten thousand take VS Code half a second to show. */
const PAGE = 1000;

/** The catalog view: models by group (where there is more than one), each with its modes. */
export class CatalogTree implements vscode.TreeDataProvider<CatalogNode>, vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  #filter = '';
  /** Rows shown, by group, where more than a page was asked for. */
  readonly #pages = new Map<string, number>();
  /** What the filter left of these models when they were last filtered. */
  #filtered: { models: readonly ModelSummary[]; filter: string; shown: readonly ModelSummary[] } | undefined;
  #estimates: Estimates | undefined;
  /** The catalog does not wait for the history, and works without it when it cannot be read. */
  readonly #followEstimates = once(() => this.#readEstimates());
  #problem: Problem | undefined;

  constructor(private readonly services: Services) {
    this.#store.add(services.catalog.onDidChange(() => this.#changed.fire(undefined)));
    this.#store.add(
      services.connection.onDidChange(() => {
        this.#problem = undefined;
        this.#pages.clear();
        this.#changed.fire(undefined);
      }),
    );
  }

  get filter(): string {
    return this.#filter;
  }

  set filter(text: string) {
    if (text === this.#filter) return;
    this.#filter = text;
    this.#pages.clear();
    this.#changed.fire(undefined);
  }

  /** How many models the filter leaves, of how many. */
  get counts(): { readonly shown: number; readonly all: number } {
    const all = this.services.catalog.models ?? [];
    return { shown: this.#shown(all).length, all: all.length };
  }

  getTreeItem(node: CatalogNode): vscode.TreeItem {
    // Groups are open while a filter is set, and when the whole catalog fits into the view.
    const expanded = this.#filter !== '' || (this.services.catalog.models?.length ?? 0) <= FITS_THE_VIEW;
    return treeItem(node, expanded, node.kind === 'model' ? this.#past(node.model) : undefined);
  }

  resolveTreeItem(item: vscode.TreeItem, node: CatalogNode): vscode.TreeItem {
    if (node.kind === 'model') item.tooltip = modelTooltip(node.model, this.#past(node.model));
    return item;
  }

  async getChildren(node?: CatalogNode): Promise<CatalogNode[]> {
    if (!node) return this.#roots();
    if (node.kind === 'group') return this.#page(node.models, node.name);
    if (node.kind === 'model') return this.#modes(node.model);
    return [];
  }

  /** The next models of a group; the filter looks through all of them, shown or not. */
  showMore(group: string): void {
    this.#pages.set(group, (this.#pages.get(group) ?? PAGE) + PAGE);
    this.#changed.fire(undefined);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #page(models: readonly ModelSummary[], group: string): CatalogNode[] {
    const rows = models
      .slice(0, this.#pages.get(group) ?? PAGE)
      .map((model): CatalogNode => ({ kind: 'model', model }));
    const left = models.length - rows.length;
    return left > 0 ? [...rows, { kind: 'more', group, left }] : rows;
  }

  #past(model: ModelSummary): PastRuns | undefined {
    const baseUrl = this.services.connection.active?.baseUrl;
    if (!this.#estimates || baseUrl === undefined) return undefined;
    const what = { baseUrl, model: model.slug };
    return { estimate: this.#estimates.of(what), text: this.#estimates.text(what) };
  }

  async #readEstimates(): Promise<void> {
    try {
      const estimates = await this.services.estimates();
      this.#estimates = estimates;
      let timer: NodeJS.Timeout | undefined;
      // Job runs finish in bursts; redrawing a long tree for each would block it.
      const draw = () => {
        clearTimeout(timer);
        timer = setTimeout(() => this.#changed.fire(undefined), REDRAW_DELAY_MS);
      };
      this.#store.add({ dispose: () => clearTimeout(timer) });
      this.#store.add({ dispose: estimates.onDidChange(draw) });
      draw();
    } catch (error) {
      this.services.log.warn(`No estimates: ${messageOf(error)}`);
    }
  }

  async #roots(): Promise<CatalogNode[]> {
    if (!(await this.services.connection.hasKey())) return [];
    void this.#followEstimates();
    const models = this.services.catalog.models ?? (await this.#load());
    const notes = this.services.catalog.notes.map(({ message, response }): CatalogNode => {
      const nextStep = response ? 'showRaw' : 'showLog';
      return { kind: 'problem', message, nextStep, ...(response && { response }) };
    });
    const problem: CatalogNode[] = this.#problem ? [this.#problem] : notes;
    const shown = this.#shown(models);
    const groups = Map.groupBy(shown, ({ group }) => group ?? '');
    if (groups.size < 2) return [...problem, ...this.#page(shown, '')];
    const other = vscode.l10n.t('Other');
    const named = [...groups].map(
      ([name, models]): CatalogNode => ({ kind: 'group', name: name || other, models }),
    );
    return [...problem, ...named];
  }

  #shown(models: readonly ModelSummary[]): readonly ModelSummary[] {
    const words = filterWords(this.#filter);
    if (words.length === 0) return models;
    // Rows and their count are computed one after the other.
    if (this.#filtered?.models !== models || this.#filtered.filter !== this.#filter) {
      const shown = models.filter((model) => matchesFilter(model, words));
      this.#filtered = { models, filter: this.#filter, shown };
    }
    return this.#filtered.shown;
  }

  async #load(): Promise<readonly ModelSummary[]> {
    try {
      this.#problem = undefined;
      return await this.services.catalog.refresh();
    } catch (error) {
      this.services.log.error(error instanceof Error ? error : String(error));
      this.#problem = problemNode(error);
      return [];
    }
  }

  async #modes(model: ModelSummary): Promise<CatalogNode[]> {
    try {
      const contract = await this.services.catalog.contract(model.slug);
      return contract.modes.map((mode) => ({
        kind: 'mode',
        model,
        mode: mode.name,
        ...(mode.description !== undefined && { description: mode.description }),
      }));
    } catch (error) {
      return [problemNode(error)];
    }
  }
}

/** An error as a row; Refresh retries. */
function problemNode(error: unknown): Problem {
  const message = messageOf(error);
  const step = nextStepOf(error);
  const nextStep = step === 'retry' ? 'refresh' : step;
  const response = error instanceof ServiceError ? error.details.raw : undefined;
  return { kind: 'problem', message, nextStep, ...(response && { response }) };
}
