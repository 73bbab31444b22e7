import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { EnvironmentCatalog } from '../../connection/environmentCatalog';
import { loggedError } from '../../domain/loggedError';
import type { ModelSummary } from '../../domain/model';
import { isForTesting } from '../../domain/modelFilter';
import type { Services } from '../../services';
import { Owner } from '../../vscode/disposables';
import { withTooltip } from '../../vscode/messages/views';
import { type Arrangement, arrangementIn, filtered, grouped, sorted } from './arrangement';
import { kindText } from './askArrangement';
import { type CatalogNode, modelItem, modelTooltip, noteNode, problemNode, treeItem } from './nodes';
import { PastRunsReader } from './pastRuns';

/** Details are read, and runs end, in bursts: rows are not redrawn for each. */
const REDRAW_DELAY_MS = 1500;
/** Catalogs up to this number of models show their groups open. */
const FITS_THE_VIEW = 20;
/** Rows of one list at first, and more with each "Show more": ten thousand take VS Code half a second to show. */
const PAGE = 1000;
export const ARRANGEMENT = 'modelBench.catalogArrangement';

/** The catalog view: models by group (where there is more than one), each with its modes. */
export class CatalogTree extends Owner implements vscode.TreeDataProvider<CatalogNode> {
  readonly #changed = this.store.add(new vscode.EventEmitter<CatalogNode[] | undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  /** The rows of models, by slug: facts change in them alone, so that a row that is just being opened stays. */
  readonly #rows = new Map<string, CatalogNode>();
  readonly #past: PastRunsReader;
  #filter = '';
  /** Rows shown, by group, where more than a page was asked for. */
  readonly #pages = new Map<string, number>();

  constructor(private readonly services: Services) {
    super();
    const { catalog, connection } = services;
    const redrawSoon = this.store.soon(REDRAW_DELAY_MS, () => this.#redrawModels());
    this.#past = this.store.add(new PastRunsReader(services));
    this.store.add(this.#past.onDidChange(redrawSoon));
    this.store.add(catalog.onDidChange((slug) => (slug === undefined ? this.#redraw() : redrawSoon())));
    this.store.add(connection.onDidChange(() => this.#begin()));
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
    this.#begin();
  }

  getTreeItem(node: CatalogNode): vscode.TreeItem {
    const { models = [], memory } = this.services.catalog.active;
    if (node.kind === 'model') {
      const isFavourite = memory.favourites.includes(node.model.slug);
      return modelItem(node.model, isFavourite, this.#modesOf(node.model), this.#past.of(node.model));
    }
    // Groups are open while a filter is set, and when the whole catalog fits into the view; models for testing are not.
    const isForTests = this.#filter === '' && node.kind === 'group' && node.models.every(isForTesting);
    const expanded = this.#filter !== '' || models.length <= FITS_THE_VIEW;
    return treeItem(node, expanded && !isForTests, (group) => this.#showMore(group));
  }

  resolveTreeItem(item: vscode.TreeItem, node: CatalogNode): vscode.TreeItem {
    if (node.kind !== 'model') return item;
    const model = { ...node.model, modeNames: this.#modesOf(node.model) };
    return withTooltip(item, modelTooltip(model, this.#past.of(model)));
  }

  async getChildren(node?: CatalogNode): Promise<CatalogNode[]> {
    if (!node) return this.#roots(this.services.catalog.active);
    if (node.kind === 'group') return this.#page(node.models, node.name);
    return node.kind === 'model' ? this.#modes(node.model) : [];
  }

  /** Favorites are listed first. */
  async toggleFavourite({ slug }: ModelSummary): Promise<void> {
    const { memory } = this.services.catalog.active;
    await memory.setFavourite(slug, !memory.favourites.includes(slug));
    this.#redraw();
  }

  #redraw(): void {
    this.#changed.fire(undefined);
  }

  #redrawModels(): void {
    if (this.arrangement.sort === 'recent') this.#redraw();
    else this.#changed.fire([...this.#rows.values()]);
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
    void this.#past.follow();
    if (catalog.models) return this.#listed(catalog, catalog.models);
    if (catalog.error !== undefined) return [problemNode(catalog.error)];
    catalog.refresh().catch((error: unknown) => this.services.log.error(loggedError(error)));
    return [{ kind: 'loading', environment: catalog.environment?.name ?? '' }];
  }

  async #listed({ notes, memory }: EnvironmentCatalog, models: readonly ModelSummary[]) {
    this.#rows.clear();
    const recent = this.arrangement.sort === 'recent' ? await this.#past.recent() : [];
    const shown = sorted(filtered(models, this.#filter), this.arrangement, recent);
    const { true: favourites = [], false: others = [] } = Object.groupBy(shown, ({ slug }) =>
      memory.favourites.includes(slug) ? 'true' : 'false',
    );
    const first = [...notes.map(noteNode), ...favourites.map((model) => this.#row(model))];
    const groups = [...grouped(others, this.arrangement, kindText)];
    if (groups.length < 2) return [...first, ...this.#page(others, '')];
    const other = l10n.t('Other');
    return [
      ...first,
      ...groups.map(([name, of]) => ({ kind: 'group', name: name || other, models: of }) as const),
    ];
  }

  #page(models: readonly ModelSummary[], group: string): CatalogNode[] {
    const rows = models.slice(0, this.#pages.get(group) ?? PAGE).map((model) => this.#row(model));
    const left = models.length - rows.length;
    return left > 0 ? [...rows, { kind: 'more', group, left }] : rows;
  }

  #row(model: ModelSummary): CatalogNode {
    const row: CatalogNode = { kind: 'model', model };
    this.#rows.set(model.slug, row);
    return row;
  }

  async #modes(model: ModelSummary): Promise<CatalogNode[]> {
    try {
      const { modes } = await this.services.catalog.active.contract(model.slug);
      return modes.map(({ name, description = '' }) => ({ kind: 'mode', model, mode: name, description }));
    } catch (error) {
      return [problemNode(error)];
    }
  }
}
