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

type Problem = Extract<CatalogNode, { kind: 'problem' }>;
type ModelNode = Extract<CatalogNode, { kind: 'model' }>;

/** Delay from a run's end to the redrawn tree. */
const REDRAW_DELAY_MS = 1500;

/** Catalogs up to this number of models show their groups open. */
const FITS_THE_VIEW = 20;

/** Rows of one list at first, and more with each "Show more": ten thousand take VS Code half a second to show. */
const PAGE = 1000;

/** Runs that “last run” looks at. */
const MOST_RECENT_RUNS = 500;
const ARRANGEMENT = 'modelBench.catalogArrangement';

/** The catalog view: models by group (where there is more than one), each with its modes. */
export class CatalogTree implements vscode.TreeDataProvider<CatalogNode>, vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<CatalogNode[] | undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  #filter = '';
  /** Rows shown, by group, where more than a page was asked for. */
  readonly #pages = new Map<string, number>();
  /** The last result of filtering these models. */
  #filtered: { models: readonly ModelSummary[]; filter: string; shown: readonly ModelSummary[] } | undefined;
  /** The row of each model that VS Code has, by slug, with its text. */
  readonly #rows = new Map<string, { readonly node: ModelNode; readonly says: string }>();
  #estimates: Estimates | undefined;
  #history: Pick<History, 'runs'> | undefined;
  /** The catalog does not wait for the history, and works without it when it cannot be read. */
  readonly #followEstimates = once(() => this.#readEstimates());
  /** End the waiting for rows: VS Code asks for others only when it has those it asked for. */
  readonly #waiting = new Set<() => void>();
  readonly #gave = this.#store.add(new vscode.EventEmitter<void>());
  /** The rows that VS Code shows, until it is given others, and the catalog they are of: a row that says “loading” is of none. */
  #given: { readonly rows: readonly CatalogNode[]; readonly of?: EnvironmentCatalog } = { rows: [] };

  /** VS Code's last request that has no response yet. */
  #asked: { readonly of: EnvironmentCatalog } | undefined;

  constructor(private readonly services: Services) {
    this.#store.add(
      services.catalog.onDidChange((slug) =>
        slug === undefined ? this.#listChanged() : this.#drawChanged(),
      ),
    );
    this.#store.add(
      services.connection.onDidChange(() => {
        for (const end of this.#waiting) end();
        this.#pages.clear();
        this.#renew();
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
    this.#renew();
  }

  get arrangement(): Arrangement {
    return arrangementIn(this.services.context.globalState.get(ARRANGEMENT));
  }

  async arrange(arrangement: Arrangement): Promise<void> {
    await this.services.context.globalState.update(ARRANGEMENT, arrangement);
    if (arrangement.sort === 'recent') await this.#readHistory();
    this.#pages.clear();
    this.#renew();
  }

  /** How many models the filter leaves, of how many. */
  get counts(): { readonly shown: number; readonly all: number } {
    const all = this.services.catalog.active.models ?? [];
    return { shown: this.#shown(all).length, all: all.length };
  }

  getTreeItem(node: CatalogNode): vscode.TreeItem {
    // Groups are open while a filter is set, and when the whole catalog fits into the view; models for testing are not.
    const expanded =
      this.#filter !== '' || (this.services.catalog.active.models?.length ?? 0) <= FITS_THE_VIEW;
    const isForTests = this.#filter === '' && node.kind === 'group' && node.models.every(isForTesting);
    if (node.kind !== 'model') return treeItem(node, expanded && !isForTests);
    const item = this.#item(node);
    this.#rows.set(node.model.slug, { node, says: this.#says(node, item) });
    return item;
  }

  /** VS Code reveals the first row only: it asks for the parents of no other. */
  getParent(): undefined {
    return undefined;
  }

  resolveTreeItem(item: vscode.TreeItem, node: CatalogNode): vscode.TreeItem {
    return node.kind === 'model' ? withTooltip(item, modelTooltip(node.model, this.#past(node.model))) : item;
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
    this.#renew();
  }

  /** Whether VS Code shows a list, of any environment, and no welcome text. */
  get hasRows(): boolean {
    return this.#given.rows.length > 0;
  }

  /** The first row that VS Code was given of the active environment; those that it still shows of another do not count. */
  get firstRow(): CatalogNode | undefined {
    return this.#isGiven ? this.#given.rows[0] : undefined;
  }

  /**
   * Resolves as soon as VS Code has the list of the active environment, even an empty one; when another becomes
   * active, or its key changes or is forgotten; and after `ms`.
   */
  async untilGiven(ms: number): Promise<void> {
    if (this.#isGiven) return;
    await new Promise<void>((resolve) => {
      const listening = vscode.Disposable.from(
        this.#gave.event(() => this.#isGiven && end()),
        this.services.connection.onDidChange(() => end()),
      );
      const timer = setTimeout(() => end(), ms);
      const end = () => {
        listening.dispose();
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Favourites are listed first. */
  async setFavourite({ slug }: ModelSummary, isFavourite: boolean): Promise<void> {
    await this.services.catalog.active.memory.setFavourite(slug, isFavourite);
    this.#renew();
  }

  dispose(): void {
    this.#store.dispose();
  }

  get #isGiven(): boolean {
    const { active } = this.services.catalog;
    return this.#given.of === active && isLoaded(active);
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

  #item(node: ModelNode): vscode.TreeItem {
    const { slug, modeNames } = node.model;
    const modes = this.services.catalog.active.memory.modesOf(slug) ?? modeNames;
    return modelItem(node, modes, this.#past(node.model));
  }

  /** The changeable texts of a model's row and its hover, which change without a change of the list. */
  #says(node: ModelNode, { description, contextValue } = this.#item(node)): string {
    return JSON.stringify([description, contextValue, this.#past(node.model)?.text]);
  }

  /**
   * Not told where VS Code waits for the very rows that have come now: it would drop them, and show none until it has
   * asked once more.
   */
  #listChanged(): void {
    const { active } = this.services.catalog;
    if (this.#asked?.of !== active || active.isListing) this.#renew();
  }

  /** Replaces all rows: the list itself has changed. */
  #renew(): void {
    this.#rows.clear();
    this.#changed.fire(undefined);
  }

  /** Only the rows that say something else now: one that is opened or clicked while all are renewed would be lost. */
  #drawChanged(): void {
    const rows = [...this.#rows.values()];
    const changed = rows.filter(({ node, says }) => this.#says(node) !== says);
    if (changed.length > 0) this.#changed.fire(changed.map(({ node }) => node));
  }

  #past(model: ModelSummary): PastRuns | undefined {
    const baseUrl = this.services.connection.active?.baseUrl;
    if (!this.#estimates || baseUrl === undefined) return undefined;
    const what = { baseUrl, model: model.slug };
    return { estimate: this.#estimates.of(what), text: this.#estimates.text(what) };
  }

  /** Slugs of the models that were run here, the last first. */
  #recent(): readonly string[] {
    const baseUrl = this.services.connection.active?.baseUrl;
    if (this.arrangement.sort !== 'recent' || !this.#history) return [];
    const runs = this.#history.runs
      .list({ limit: MOST_RECENT_RUNS })
      .filter((run) => run.baseUrl === baseUrl);
    return [...new Set(runs.map(({ draft }) => draft.model))];
  }

  /** Read only for an order by the last run. */
  async #readHistory(): Promise<void> {
    this.#history ??= await this.services.history();
    this.#renew();
  }

  async #readEstimates(): Promise<void> {
    try {
      const estimates = await this.services.estimates();
      this.#estimates = estimates;
      let timer: NodeJS.Timeout | undefined;
      // Job runs finish in bursts; redrawing a long tree for each would block it.
      const draw = () => {
        clearTimeout(timer);
        timer = setTimeout(() => this.#drawChanged(), REDRAW_DELAY_MS);
      };
      this.#store.add({ dispose: () => clearTimeout(timer) });
      this.#store.add({ dispose: estimates.onDidChange(draw) });
      draw();
      if (this.arrangement.sort === 'recent') await this.#readHistory();
    } catch (error) {
      this.services.log.warn(logLine`No estimates: ${loggedError(error)}`);
    }
  }

  async #roots(): Promise<CatalogNode[]> {
    const catalog = this.services.catalog.active;
    if (!isLoaded(catalog) && this.#given.of && this.hasRows && catalog.environment) {
      // Replaces the former list, which is not of this environment or key.
      void this.#load(catalog).finally(() => this.#renew());
      const rows: CatalogNode[] = [{ kind: 'loading', environment: catalog.environment.name }];
      this.#given = { rows };
      return rows;
    }
    const asked = { of: catalog };
    this.#asked = asked;
    await this.#unlessSwitched(this.#load(catalog));
    if (this.#asked === asked) this.#asked = undefined;
    const rows = catalog === this.services.catalog.active ? this.#rowsOf(catalog) : [];
    this.#given = { rows, of: catalog };
    this.#gave.fire();
    return rows;
  }

  #rowsOf(catalog: EnvironmentCatalog): CatalogNode[] {
    if (!catalog.models) return catalog.error === undefined ? [] : [problemNode(catalog.error)];
    const notes = catalog.notes.map(({ message, response }): CatalogNode => {
      const nextStep = response ? 'showRaw' : 'showLog';
      return { kind: 'problem', message, nextStep, response };
    });
    const shown = sorted(this.#shown(catalog.models), this.arrangement, this.#recent());
    const chosen = new Set(catalog.memory.favourites);
    const [favourites, others] = [
      shown.filter(({ slug }) => chosen.has(slug)),
      shown.filter(({ slug }) => !chosen.has(slug)),
    ];
    const first = favourites.map((model) => this.#modelNode(model));
    const groups = grouped(others, this.arrangement, kindText);
    if (groups.size < 2) return [...notes, ...first, ...this.#page(others, '')];
    const other = l10n.t('Other');
    const named = [...groups].map(
      ([name, models]): CatalogNode => ({ kind: 'group', name: name || other, models }),
    );
    return [...notes, ...first, ...named];
  }

  /** Resolves when the models are there or cannot be had. A listing that failed is tried again by Refresh. */
  async #load(catalog: EnvironmentCatalog): Promise<void> {
    if (!(await this.services.connection.hasKey())) return;
    void this.#followEstimates();
    if (isLoaded(catalog)) return;
    await catalog.refresh().catch((error: unknown) => {
      this.services.log.error(loggedError(error));
    });
  }

  /** Waits for it, but not beyond a switch to another environment. */
  async #unlessSwitched(work: Promise<unknown>): Promise<void> {
    let end = () => {};
    const switched = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#waiting.add(end);
    await Promise.race([work, switched]).finally(() => this.#waiting.delete(end));
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

  async #modes(model: ModelSummary): Promise<CatalogNode[]> {
    let rows: CatalogNode[] = [];
    const load = async () => {
      const contract = await this.services.catalog.active.contract(model.slug);
      rows = contract.modes.map((mode) => ({
        kind: 'mode',
        model,
        mode: mode.name,
        ...(mode.description !== undefined && { description: mode.description }),
      }));
    };
    try {
      await this.#unlessSwitched(load());
      return rows;
    } catch (error) {
      return [problemNode(error)];
    }
  }
}

/** Its models were listed, or could not be. */
function isLoaded({ models, error }: EnvironmentCatalog): boolean {
  return models !== undefined || error !== undefined;
}

/** An error as a row; Refresh retries. */
function problemNode(error: unknown): Problem {
  const message = messageOf(error);
  const step = nextStepOf(error);
  const nextStep = step === 'retry' ? 'refresh' : step;
  const response = error instanceof ServiceError ? error.details.raw : undefined;
  const environment = environmentOfError(error);
  return {
    ...{ kind: 'problem', message, nextStep },
    response,
    environment,
  };
}
