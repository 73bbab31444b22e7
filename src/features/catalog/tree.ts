import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { EnvironmentCatalog } from '../../connection/environmentCatalog';
import { loggedError } from '../../domain/loggedError';
import { logLine } from '../../domain/logLine';
import type { ModelSummary } from '../../domain/model';
import { filterWords, isForTesting, matchesFilter } from '../../domain/modelFilter';
import type { Estimates } from '../../runs/estimates/estimates';
import type { History } from '../../runs/history/history';
import { environmentOfError, ServiceError } from '../../service/errors';
import type { Services } from '../../services';
import { DisposableStore } from '../../vscode/disposables';
import { withTooltip } from '../../vscode/messages/views';
import { once } from '../../vscode/once';
import { messageOf } from '../../vscode/showError';
import { nextStepOf } from '../../wording/errors';
import { type Arrangement, arrangementIn, grouped, sorted } from './arrangement';
import { kindText } from './askArrangement';
import { type CatalogNode, modelItem, modelTooltip, type PastRuns, treeItem } from './nodes';

/** Details are read, and runs end, in bursts: a long tree is not redrawn for each. */
const REDRAW_DELAY_MS = 1500;
/** Catalogs up to this number of models show their groups open. */
const FITS_THE_VIEW = 20;
/** Rows of one list at first, and more with each "Show more": ten thousand take VS Code half a second to show. */
const PAGE = 1000;
/** Runs that “last run” looks at. */
const MOST_RECENT_RUNS = 500;
export const ARRANGEMENT = 'modelBench.catalogArrangement';

type ModelNode = Extract<CatalogNode, { kind: 'model' }>;

/** The catalog view: models by group (where there is more than one), each with its modes. */
export class CatalogTree implements vscode.TreeDataProvider<CatalogNode>, vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<CatalogNode[] | undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #redrawSoon = this.#store.soon(REDRAW_DELAY_MS, () => this.#redrawRows());
  /** Rows of models, with the facts that they were drawn with. */
  readonly #drawn = new Map<ModelNode, string>();
  #filter = '';
  /** Rows shown, by group, where more than a page was asked for. */
  readonly #pages = new Map<string, number>();
  #estimates: Estimates | undefined;
  #history: Pick<History, 'runs'> | undefined;
  /** The catalog does not wait for the history, and works without it when it cannot be read. */
  readonly #followEstimates = once(() => this.#readEstimates());

  constructor(private readonly services: Services) {
    const { catalog, connection } = services;
    this.#store.add(
      catalog.onDidChange((slug) => (slug === undefined ? this.#redraw() : this.#redrawSoon())),
    );
    this.#store.add(connection.onDidChange(() => this.#begin()));
  }

  get filter(): string {
    return this.#filter;
  }

  set filter(text: string) {
    if (text === this.#filter) return;
    this.#filter = text;
    this.#begin();
  }

  get arrangement(): Arrangement {
    return arrangementIn(this.services.context.globalState.get(ARRANGEMENT));
  }

  async arrange(arrangement: Arrangement): Promise<void> {
    await this.services.context.globalState.update(ARRANGEMENT, arrangement);
    if (arrangement.sort === 'recent') this.#history ??= await this.services.history();
    this.#begin();
  }

  /** How many models the filter leaves, of how many. */
  get counts(): { readonly shown: number; readonly all: number } {
    const all = this.services.catalog.active.models ?? [];
    return { shown: this.#shown(all).length, all: all.length };
  }

  getTreeItem(node: CatalogNode): vscode.TreeItem {
    if (node.kind === 'model') {
      this.#drawn.set(node, this.#facts(node));
      return modelItem(node, this.#modesOf(node.model), this.#past(node.model));
    }
    const { models = [] } = this.services.catalog.active;
    // Groups are open while a filter is set, and when the whole catalog fits into the view; models for testing are not.
    const isForTests = this.#filter === '' && node.kind === 'group' && node.models.every(isForTesting);
    const expanded = this.#filter !== '' || models.length <= FITS_THE_VIEW;
    return treeItem(node, expanded && !isForTests, (group) => this.#showMore(group));
  }

  resolveTreeItem(item: vscode.TreeItem, node: CatalogNode): vscode.TreeItem {
    if (node.kind !== 'model') return item;
    const model = { ...node.model, modeNames: this.#modesOf(node.model) };
    return withTooltip(item, modelTooltip(model, this.#past(model)));
  }

  async getChildren(node?: CatalogNode): Promise<CatalogNode[]> {
    if (!node) return this.#roots(this.services.catalog.active);
    if (node.kind === 'group') return this.#page(node.models, node.name);
    return node.kind === 'model' ? this.#modes(node.model) : [];
  }

  /** Favorites are listed first. */
  async setFavourite({ slug }: ModelSummary, isFavourite: boolean): Promise<void> {
    await this.services.catalog.active.memory.setFavourite(slug, isFavourite);
    this.#redraw();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #redraw(): void {
    this.#drawn.clear();
    this.#changed.fire(undefined);
  }

  /** Only those that changed: a row that is just being opened would be gone from under the whole tree. */
  #redrawRows(): void {
    const changed = [...this.#drawn].filter(([node, facts]) => this.#facts(node) !== facts);
    if (this.arrangement.sort === 'recent') this.#redraw();
    else if (changed.length > 0) this.#changed.fire(changed.map(([node]) => node));
  }

  #facts({ model }: ModelNode): string {
    return JSON.stringify([this.#modesOf(model), this.#past(model)]);
  }

  #modesOf({ slug, modeNames }: ModelSummary): readonly string[] {
    return this.services.catalog.active.memory.modesOf(slug) ?? modeNames;
  }

  /** With the first rows of every list. */
  #begin(): void {
    this.#pages.clear();
    this.#redraw();
  }

  /** The next models of a group; the filter looks through all of them, shown or not. */
  #showMore(group: string): void {
    this.#pages.set(group, (this.#pages.get(group) ?? PAGE) + PAGE);
    this.#redraw();
  }

  /** Never waits for the service: a row says that the models are loading, keeps the focus, and gives its place to them. */
  async #roots(catalog: EnvironmentCatalog): Promise<CatalogNode[]> {
    if (!(await this.services.connection.hasKey())) return [];
    void this.#followEstimates();
    if (catalog.models) return this.#listed(catalog, catalog.models);
    if (catalog.error !== undefined) return [problemNode(catalog.error)];
    catalog.refresh().catch((error: unknown) => this.services.log.error(loggedError(error)));
    return [{ kind: 'loading', environment: catalog.environment?.name ?? '' }];
  }

  #listed(catalog: EnvironmentCatalog, models: readonly ModelSummary[]): CatalogNode[] {
    const notes = catalog.notes.map(({ message, response, goesOn }): CatalogNode => {
      const nextStep = response ? 'showRaw' : goesOn ? 'nextPage' : 'showLog';
      return { kind: 'problem', message, nextStep, response };
    });
    const shown = sorted(this.#shown(models), this.arrangement, this.#recent());
    const { true: favourites = [], false: others = [] } = Object.groupBy(shown, ({ slug }) =>
      catalog.memory.favourites.includes(slug) ? 'true' : 'false',
    );
    const first = [...notes, ...favourites.map((model) => this.#modelNode(model))];
    const groups = grouped(others, this.arrangement, kindText);
    if (groups.size < 2) return [...first, ...this.#page(others, '')];
    const named = [...groups].map(
      ([name, of]): CatalogNode => ({ kind: 'group', name: name || l10n.t('Other'), models: of }),
    );
    return [...first, ...named];
  }

  #page(models: readonly ModelSummary[], group: string): CatalogNode[] {
    const rows = models.slice(0, this.#pages.get(group) ?? PAGE).map((model) => this.#modelNode(model));
    const left = models.length - rows.length;
    return left > 0 ? [...rows, { kind: 'more', group, left }] : rows;
  }

  #modelNode(model: ModelSummary): CatalogNode {
    const { memory } = this.services.catalog.active;
    return { kind: 'model', model, isFavourite: memory.favourites.includes(model.slug) };
  }

  async #modes(model: ModelSummary): Promise<CatalogNode[]> {
    try {
      const { modes } = await this.services.catalog.active.contract(model.slug);
      return modes.map(({ name, description = '' }) => ({ kind: 'mode', model, mode: name, description }));
    } catch (error) {
      return [problemNode(error)];
    }
  }

  #shown(models: readonly ModelSummary[]): readonly ModelSummary[] {
    const words = filterWords(this.#filter);
    return words.length === 0 ? models : models.filter((model) => matchesFilter(model, words));
  }

  #past({ slug }: ModelSummary): PastRuns | undefined {
    const baseUrl = this.services.connection.active?.baseUrl;
    if (!this.#estimates || baseUrl === undefined) return undefined;
    const what = { baseUrl, model: slug };
    return { estimate: this.#estimates.of(what), text: this.#estimates.text(what) };
  }

  /** Slugs of the models that were run here, the last first. */
  #recent(): readonly string[] {
    const baseUrl = this.services.connection.active?.baseUrl;
    if (this.arrangement.sort !== 'recent' || !this.#history) return [];
    const runs = this.#history.runs.list({ limit: MOST_RECENT_RUNS });
    return [...new Set(runs.filter((run) => run.baseUrl === baseUrl).map(({ draft }) => draft.model))];
  }

  async #readEstimates(): Promise<void> {
    try {
      const estimates = await this.services.estimates();
      this.#estimates = estimates;
      this.#store.add({ dispose: estimates.onDidChange(this.#redrawSoon) });
      if (this.arrangement.sort === 'recent') this.#history ??= await this.services.history();
      this.#redrawSoon();
    } catch (error) {
      this.services.log.warn(logLine`No estimates: ${loggedError(error)}`);
    }
  }
}

/** An error as a row; Refresh retries. */
function problemNode(error: unknown): CatalogNode {
  const step = nextStepOf(error);
  return {
    kind: 'problem',
    message: messageOf(error),
    nextStep: step === 'retry' ? 'refresh' : step,
    response: error instanceof ServiceError ? error.details.raw : undefined,
    environment: environmentOfError(error),
  };
}
