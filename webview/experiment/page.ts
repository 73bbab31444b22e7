import type { Json } from '../../src/domain/json';
import { isObject } from '../../src/domain/value';
import {
  type CellDetail,
  type ExperimentHostMethods,
  type ExperimentPageMethods,
  experimentHostMethods,
  experimentPageMethods,
  type ShownCell,
  type ShownConfusion,
  type ShownFigures,
  type ShownJudgement,
  type ShownNumberDifferences,
  type ShownSummary,
  type TableHead,
  type TableProgress,
} from '../../src/protocol/experiment';
import type { RunOffer, ShownSetUp } from '../../src/protocol/experimentSetUp';
import { Page, type PageState } from '../shared/page';
import { showPlace } from './grid';
import {
  type GridPlace,
  type GridScroll,
  type GridWindow,
  INPUT_WIDTH,
  PICTURE_ZOOM,
  within,
} from './gridGeometry';
import { RowBlocks, type ShownRow } from './rowBlocks';
import {
  baselineOf,
  hasLabels,
  initialView,
  noFilter,
  shownColumns,
  tableQuery,
  type ViewSettings,
  withColumns,
} from './viewSettings';

/** A cell that is open beside the table, by its row and column of the experiment. */
export interface OpenCell {
  readonly row: number;
  readonly column: number;
  /** Its position in its row, among the visible columns. */
  readonly place: number;
  /** Undefined while it is loading. */
  readonly detail?: CellDetail;
}

interface State extends PageState {
  head?: TableHead;
  /** Undefined while it is computed. */
  summary?: ShownSummary;
  view: ViewSettings;
  active: GridPlace;
  window: GridWindow;
  /** Undefined until the table was shown. */
  scroll?: GridScroll;
  open?: OpenCell;
  /** The cell that the open one is compared with. */
  compared?: OpenCell | undefined;
  /** By how much the numbers of those two differ. */
  numbers?: ShownNumberDifferences | undefined;
  /** The charts beside the table: which metric, and the column of the confusion matrix. Undefined: not open. */
  charts?: { readonly metric?: number; readonly column?: number } | undefined;
  /** Their code, which is loaded for the first of them, and their data. */
  chartsView?: typeof import('./charts/charts').chartsView;
  figures?: ShownFigures;
  confusion?: { readonly column: number; readonly matrix: ShownConfusion } | undefined;
  /** The page shows how the experiment is set up, instead of its table. */
  isSettingUp?: boolean;
  setUp?: ShownSetUp;
  setUpParts?: typeof import('./setUp');
  areOptionsOpen?: boolean;
  /** The code of the X/Y plot, which is loaded when it is first shown. */
  plotView?: typeof import('./xy/plot').plotView;
  /** The last judgement, for screen readers. */
  announcement?: string;
}

const NO_WINDOW: GridWindow = {
  rows: { first: 0, last: 0 },
  columns: { first: 0, last: 0 },
  inputWidth: INPUT_WIDTH,
};

/** The table of an experiment. All cells are the host's; the page holds those around the visible part. */
export class ExperimentPage extends Page<State, ExperimentPageMethods, ExperimentHostMethods> {
  readonly blocks = new RowBlocks(
    (query, from, count, columns) => this.host.call('rows', { query, from, count, columns }),
    (error) => (error === undefined ? this.#arrived() : this.report(error)),
  );
  #toOpen: GridPlace | undefined;
  /** Done once the cell that is being opened shows its content. */
  #opened: (() => void) | undefined;

  constructor(render: () => void) {
    super(
      { view: initialView, active: { row: 0, column: 0 }, window: NO_WINDOW },
      experimentPageMethods,
      experimentHostMethods,
      render,
    );
  }

  protected handlers() {
    return {
      changed: (head: TableHead) => this.#show(head),
      progress: (progress: TableProgress) => {
        const { head } = this.state;
        if (head) this.update({ head: { ...head, progress } });
      },
      smallPicture: async ({ src, side, most }: { src: string; side: number; most: number }) =>
        (await import('./smallPicture')).smallPicture(src, side, most),
    };
  }

  override get isHostAtWork(): boolean {
    const state = this.state.head?.progress.state;
    return state === 'running' || state === 'stopping';
  }

  async start(): Promise<void> {
    // A message about an act stays until the next one, however often the table changes meanwhile.
    // It goes after the act's own events: rendering between the click and the change of a check box would undo the latter.
    const dismiss = () => {
      const { notice } = this.state;
      if (notice) setTimeout(() => this.state.notice === notice && this.update({ notice: undefined }));
    };
    addEventListener('click', dismiss, { capture: true });
    const head = await this.ask(this.host.call('ready', null));
    if (head) this.#show(head);
    if (this.state.view.plot?.isShown) await this.loadPlot();
  }

  /** The columns that are shown, in their order. */
  get columns(): number[] {
    const { head, view } = this.state;
    return head ? shownColumns(view, head) : [];
  }

  /** The column with its outcome at a position of a row: judged blind, each row has an order of its own. */
  columnAt(row: ShownRow | undefined, place: number): number | undefined {
    return row?.cells.get(place)?.column ?? this.columns[place];
  }

  get baseline(): number | undefined {
    return baselineOf(this.state.view, this.columns);
  }

  changeView(changes: Partial<ViewSettings>): void {
    const { head } = this.state;
    if (!head) return;
    const [before, columns] = [this.baseline, this.columns.toSorted().join()];
    const query = JSON.stringify(tableQuery(this.state.view, head));
    const view = { ...this.state.view, ...changes };
    this.update({ view });
    void this.ask(this.host.call('keepView', { view: kept(view, head) }));
    if ('groupBy' in changes) void this.#summarise();
    if (JSON.stringify(tableQuery(view, head)) === query) return;
    this.blocks.renew(tableQuery(view, head), true);
    // The host is at work while the page draws the change.
    this.blocks.want(this.state.window);
    this.update({
      active: within(this.state.active, { rows: this.blocks.total, columns: this.columns.length }),
    });
    if (this.baseline !== before || this.columns.toSorted().join() !== columns) void this.#summarise();
  }

  /** Called by the grid when the visible part may have changed. @param wanted with the surroundings */
  look(window: GridWindow, wanted: GridWindow): void {
    this.state.window = window;
    this.blocks.want(wanted);
  }

  /** Opens the cell at a place of the grid beside the table. @param opened done once it shows its content */
  async openAt({ row, column }: GridPlace, opened = this.#opened): Promise<void> {
    this.#opened = opened;
    const shown = this.blocks.row(row, { first: column, last: column + 1 });
    const of = this.columnAt(shown, column);
    // While it is loading, which row of the experiment it is is not known.
    this.#toOpen = shown ? undefined : { row, column };
    if (shown && of !== undefined) await this.openCell({ row: shown.row, column: of, place: column });
  }

  /** Pictures need higher rows than texts, unless the user has chosen a height. */
  #growForPictures(): void {
    const { window, view } = this.state;
    if (view.zoom !== undefined) return;
    const row = this.blocks.row(window.rows.first, window.columns);
    const shown = row && [...row.inputs, ...row.cells.values()];
    if (shown?.some(({ src }) => src !== undefined)) this.changeView({ zoom: PICTURE_ZOOM });
  }

  /** Rows have arrived: among them the one that was to be opened, unless the user has moved on. */
  #arrived(): void {
    this.update();
    this.#growForPictures();
    const { active } = this.state;
    if (this.#toOpen?.row === active.row && this.#toOpen.column === Math.max(0, active.column))
      void this.openAt(this.#toOpen);
  }

  async showSetUp(): Promise<void> {
    this.update({ isSettingUp: true });
    const [setUpParts, setUp] = await Promise.all([
      this.ask(import('./setUp')),
      this.askNewest('setUp', this.host.call('setUp', null)),
    ]);
    this.update({ ...(setUpParts && { setUpParts }), ...(setUp && { setUp }) });
  }

  async showPlot(): Promise<void> {
    this.changeView({ plot: { ...this.state.view.plot, isShown: true } });
    await this.loadPlot();
  }

  showTable(): void {
    const { plot } = this.state.view;
    if (plot) this.changeView({ plot: { ...plot, isShown: false } });
  }

  async loadPlot(): Promise<void> {
    const loaded = await this.ask(import('./xy/plot'));
    if (loaded) this.update({ plotView: loaded.plotView });
  }

  /** Starts runs as the button has offered them; but for a trial, the table is shown then. */
  async startSetUp(which: 'trial' | 'few' | 'missing', offer: RunOffer): Promise<void> {
    const isStarted = await this.ask(this.host.call('startSetUp', { which, offer }));
    if (which !== 'trial' && isStarted) this.update({ isSettingUp: false });
  }

  /** Opens the charts beside the table, or changes their content. */
  async showCharts(changes: NonNullable<State['charts']> = {}): Promise<void> {
    this.update({
      charts: { ...this.state.charts, ...changes },
      open: undefined,
      compared: undefined,
    });
    const { head } = this.state;
    const column = this.state.charts?.column ?? this.columns[0];
    const shown = await this.askNewest(
      'charts',
      Promise.all([
        this.ask(import('./charts/charts')),
        this.ask(this.host.call('figures', null)),
        head && column !== undefined && hasLabels(head)
          ? this.ask(this.host.call('confusion', { column }))
          : undefined,
      ]),
    );
    if (!shown) return;
    const [view, figures, matrix] = shown;
    this.update({
      ...(view && { chartsView: view.chartsView }),
      ...(figures && { figures }),
      confusion: matrix && column !== undefined ? { column, matrix } : undefined,
    });
  }

  async openCell(cell: OpenCell): Promise<void> {
    const { row, column, place } = cell;
    const { open: before } = this.state;
    // Shown again, it keeps its content, and the focus in it, while the new one is loading.
    const detail = isSameCell(before, cell) ? before?.detail : undefined;
    const opened = { row, column, place, ...(detail && { detail }) };
    this.update({ open: opened, numbers: undefined, charts: undefined });
    await this.#loadDetail(cell);
    const { open, compared } = this.state;
    if (!open?.detail || !isSameCell(open, cell) || !compared || isSameCell(compared, cell)) return;
    const first = { row: compared.row, column: compared.column };
    const pair = { first, second: { row, column } };
    const numbers = await this.ask(this.host.call('numberDifferences', pair));
    if (isSameCell(this.state.open, cell) && isSameCell(this.state.compared, compared))
      this.update({ numbers });
  }

  /** Of the open cell or the compared one: comparing may have begun while the first was loading. */
  async #loadDetail(cell: OpenCell): Promise<void> {
    const { row, column } = cell;
    const asked = { row, column, blind: this.state.view.blind };
    const detail = await this.askNewest(`cell ${row}/${column}`, this.host.call('cell', asked));
    if (!detail) return;
    const { open, compared } = this.state;
    const before = isSameCell(open, cell) ? open?.detail?.strips?.pool : undefined;
    // A judgement does not move a hit from under the focus.
    if (before && detail.strips) detail.strips.pool = [...new Set([...before, ...detail.strips.pool])];
    this.update({
      ...(open && isSameCell(open, cell) && { open: { ...open, detail } }),
      ...(compared && isSameCell(compared, cell) && { compared: { ...compared, detail } }),
    });
    if (!this.#opened || !isSameCell(open, cell)) return;
    this.afterRender(this.#opened);
    this.#opened = undefined;
  }

  /** The shown data of the active cell; undefined in the head and while it is loading. */
  get activeCell(): ShownCell | undefined {
    const { row, column } = this.state.active;
    if (row < 0 || column < 0) return undefined;
    return this.blocks.row(row, { first: column, last: column + 1 })?.cells.get(column);
  }

  /** Writes a note about a cell; without text it is removed. */
  async note({ row, column }: OpenCell, text: string): Promise<void> {
    const note = text.trim();
    const place = { row, column, columns: [column], blind: this.state.view.blind !== undefined };
    const value = note === '' ? null : 1;
    await this.ask(this.host.call('judge', { ...place, kind: 'note', value, note }));
  }

  /** Says something of the active cell. @param announcement the same in words */
  async judge(judgement: Pick<ShownJudgement, 'kind' | 'value'>, announcement: string): Promise<void> {
    const { active, view } = this.state;
    const { columns } = this;
    if (active.row < 0 || columns[active.column] === undefined) return;
    // After a change of the view its rows are still on their way.
    const shown = await this.blocks.loaded(active.row, active.column);
    const column = this.columnAt(shown, active.column);
    if (!shown || column === undefined) return;
    const place = { row: shown.row, column, columns, blind: view.blind !== undefined };
    await this.ask(
      this.host.call('judge', { ...place, ...judgement }).then(() => this.update({ announcement })),
    );
  }

  /** Opens a cell of the experiment, and scrolls to it; filters that hide it are taken off. */
  async #reveal({ row, column }: { readonly row: number; readonly column: number }): Promise<void> {
    const { head, view } = this.state;
    if (!head || view.blind !== undefined) return;
    this.update({ isSettingUp: false });
    const positionNow = () => this.host.call('position', { query: tableQuery(this.state.view, head), row });
    if (view.hidden.includes(column))
      this.changeView({ hidden: view.hidden.filter((one) => one !== column) });
    if ((await positionNow()) === null) this.changeView({ ...noFilter, fold: false });
    const position = await positionNow();
    const place = this.columns.indexOf(column);
    await this.openCell({ row, column, place });
    if (position === null || !(await this.blocks.loaded(position, place))) return;
    this.update();
    this.afterRender(() => showPlace(this, { row: position, column: place }));
  }

  closeCell(): void {
    this.update({ open: undefined, compared: undefined });
  }

  /** Closes the pane beside the table, which then has the focus. */
  closeBeside(): void {
    this.closeCell();
    this.update({ charts: undefined });
    document.querySelector<HTMLElement>('[role=grid]')?.focus();
  }

  #show(head: TableHead): void {
    document.documentElement.lang = head.locale;
    const before = this.state.head;
    const isSameGrid = before?.columns.length === head.columns.length;
    const last = before ? { view: this.state.view, names: namesOf(before) } : keptView(head.view);
    const view = withColumns({ ...initialView, ...last.view }, last.names ?? namesOf(head), namesOf(head));
    const hasOthers = (one: TableHead) => one.columns.some(({ other }) => other);
    const isNewlyCompared = before !== undefined && !hasOthers(before) && hasOthers(head);
    this.state.view = isNewlyCompared ? { ...view, sort: REGRESSIONS_FIRST } : view;
    if (this.state.isSettingUp || (!this.state.head && head.isNew)) void this.showSetUp();
    this.update(before ? { head } : { head, notice: undefined });
    if (head.reveal) void this.ask(this.#reveal(head.reveal));
    this.blocks.renew(tableQuery(this.state.view, head), !isSameGrid);
    void this.#summarise();
    const { open, compared, charts } = this.state;
    if (charts) void this.showCharts();
    const isThere = ({ row, column }: OpenCell) => row < head.rows && column < head.columns.length;
    if (compared && !isThere(compared)) this.update({ compared: undefined });
    else if (compared && !isSameCell(open, compared)) void this.#loadDetail(compared);
    if (open && isThere(open)) void this.openCell(open);
    else if (open) this.closeCell();
  }

  async #summarise(): Promise<void> {
    const { baseline, columns } = this;
    const asked = { columns, baseline, groupBy: this.state.view.groupBy };
    const summary = await this.askNewest('summary', this.host.call('summary', asked));
    if (summary) this.update({ summary });
  }
}

function isSameCell(one: OpenCell | undefined, other: OpenCell | undefined): boolean {
  return one?.row === other?.row && one?.column === other?.column;
}

const REGRESSIONS_FIRST = { column: -1, by: 'changes', descending: false } as const;

/** A kept view has the names of the columns that its numbers are of. */
interface KeptView {
  readonly view?: Partial<ViewSettings>;
  readonly names?: readonly string[];
}

function kept(view: ViewSettings, head: TableHead): Json {
  return JSON.parse(JSON.stringify({ view, names: namesOf(head) } satisfies KeptView)) as Json;
}

function keptView(view: Json | undefined): KeptView {
  const isKept = isObject(view) && isObject(view.view) && Array.isArray(view.names);
  return isKept ? (view as KeptView) : {};
}

function namesOf({ columns }: TableHead): string[] {
  return columns.map(({ name }) => name);
}
