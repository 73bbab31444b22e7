import * as l10n from '@vscode/l10n';
import type { TableHead, TableQuery } from '../../src/protocol/experiment';
import { COLUMN_WIDTH, LEAST_WIDTH, MOST_WIDTH } from './gridGeometry';
import type { PlotView } from './xy/axes';

/**
 * How the user looks at the table: kept for the file in the workspace, never in the experiment.
 * `baseline`: the column that others are compared with; missing: the first shown
 */
export interface ViewSettings extends Omit<TableQuery, 'columns'> {
  /** Columns in the order in which they are shown; those that are not named follow in the order of the file. */
  readonly order: readonly number[];
  readonly hidden: readonly number[];
  /** Row height; undefined: as the content needs it. */
  readonly zoom?: number;
  /** Pixels of columns, and of the inputs, that the user has chosen. */
  readonly widths?: Readonly<Record<number, number>>;
  /** Texts take all lines of their row. */
  readonly wrap?: boolean;
  /** Texts are read as Markdown. */
  readonly markdown?: boolean;
  /** The rows of the summary are hidden. */
  readonly isFolded?: boolean;
  /** Keys and buttons judge cells; missing: where the experiment says that people decide. */
  readonly judging?: boolean;
  /** The varied place that groups the columns. */
  readonly group?: string | undefined;
  /** The column of the inputs by whose values figures are grouped; '' for the expected label. */
  readonly groupBy?: string | undefined;
  /** The X/Y plot in place of the table. */
  readonly plot?: PlotView;
}

export const initialView: ViewSettings = {
  text: '',
  show: 'all',
  fold: false,
  order: [],
  hidden: [],
};

/** The filter alone: the part that Escape clears. */
export const noFilter: Pick<ViewSettings, 'text' | 'show' | 'of' | 'label' | 'pair'> = {
  text: '',
  show: 'all',
  of: undefined,
  label: undefined,
  pair: undefined,
};

export function hasFilter({ text, show, label, pair }: ViewSettings): boolean {
  return text !== '' || show !== 'all' || label !== undefined || pair !== undefined;
}

/** The inputs in `widths`. */
export const INPUTS = -1;

/** Pixels of the columns on screen. */
export function columnWidths({ widths = {} }: ViewSettings, shown: readonly number[]): number[] {
  return shown.map((column) => widths[column] ?? COLUMN_WIDTH);
}

/** The view with a column of that many pixels. */
export function withWidth(view: ViewSettings, column: number, pixels: number): ViewSettings {
  const width = Math.round(Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, pixels)));
  return { ...view, widths: { ...view.widths, [column]: width } };
}

/** The view of a table after columns have come, gone or moved: the settings of a column stay with its name. */
export function withColumns(
  view: ViewSettings,
  before: readonly string[],
  now: readonly string[],
): ViewSettings {
  if (before.length === now.length && before.every((name, at) => name === now[at])) return view;
  const place = (column: number) => {
    const position = now.indexOf(before[column] ?? '');
    return position < 0 ? undefined : position;
  };
  const places = (columns: readonly number[]) => columns.flatMap((column) => place(column) ?? []);
  const { sort, pair, of, baseline, widths = {}, ...rest } = view;
  const sortColumn = sort && (sort.column < 0 ? sort.column : place(sort.column));
  const pairColumn = pair && place(pair.column);
  const ofColumn = of === undefined ? undefined : place(of);
  const pinned = baseline === undefined ? undefined : place(baseline);
  return {
    ...rest,
    order: places(view.order),
    hidden: places(view.hidden),
    of: ofColumn,
    ...(sort && sortColumn !== undefined && { sort: { ...sort, column: sortColumn } }),
    ...(pair && pairColumn !== undefined && { pair: { ...pair, column: pairColumn } }),
    ...(pinned !== undefined && { baseline: pinned }),
    widths: Object.fromEntries(
      Object.entries(widths).flatMap(([column, width]) => {
        const at = Number(column) === INPUTS ? INPUTS : place(Number(column));
        return at === undefined ? [] : [[at, width]];
      }),
    ),
  };
}

export function shownColumns(view: ViewSettings, { columns }: Pick<TableHead, 'columns'>): number[] {
  const all = inOrder(view, columns);
  // Other results would tell which outcome is of which column.
  const isShown = (index: number) =>
    !view.hidden.includes(index) && !(view.blind !== undefined && columns[index]!.other);
  const shown = all.filter(isShown);
  const { group } = view;
  if (group === undefined || view.blind !== undefined) return shown;
  const ownValue = (column: number) => groupedPlace({ columns }, column, group)?.value;
  const values = [...new Set(shown.map(ownValue))];
  return values.flatMap((value) => shown.filter((column) => ownValue(column) === value));
}

/** Columns that were moved come first. Other results come behind the column that is compared with them. */
function inOrder({ order }: ViewSettings, columns: TableHead['columns']): number[] {
  const isMoved = (index: number) => order.includes(index);
  const all = [...columns.keys()];
  const rest = all.filter((index) => !isMoved(index));
  const ownerOf = (index: number) => {
    const { other } = columns[index]!;
    return isMoved(index) ? undefined : other?.own;
  };
  const placed = [
    ...order.filter((index) => index < columns.length),
    ...rest.filter((index) => ownerOf(index) === undefined),
  ];
  return placed.flatMap((index) => [index, ...rest.filter((other) => ownerOf(other) === index)]);
}

/** The place of a column that columns are grouped by. */
export function groupedPlace(
  { columns }: Pick<TableHead, 'columns'>,
  column: number,
  pointer: string,
): TableHead['columns'][number]['places'][number] | undefined {
  return columns[column]?.places.find((place) => place.pointer === pointer);
}

export function isJudging(view: ViewSettings, head: Pick<TableHead, 'isJudged'> | undefined): boolean {
  return view.blind !== undefined || (view.judging ?? head?.isJudged ?? false);
}

/** The label of a position in a row while it is judged blind: a letter, which gives only the position. */
export function blindLabel(place: number): string {
  return l10n.t('Outcome {0}', letters(place));
}

/** A … Z, AA, AB … as spreadsheets name columns. */
function letters(place: number): string {
  return `${place < 26 ? '' : letters(Math.floor(place / 26) - 1)}${String.fromCharCode(65 + (place % 26))}`;
}

/** The baseline that counts: the pinned one as long as it is shown, else the first shown column. */
export function baselineOf(view: ViewSettings, shown: readonly number[]): number | undefined {
  return view.baseline !== undefined && shown.includes(view.baseline) ? view.baseline : shown[0];
}

export function tableQuery(view: ViewSettings, head: Pick<TableHead, 'columns'>): TableQuery {
  const columns = shownColumns(view, head);
  const { text, show, of, label, fold, sort, pair, blind } = view;
  // Sorting, filtering or comparing by one column would reveal it.
  if (blind !== undefined)
    return { text, show, fold, columns, blind, ...(sort && sort.column < 0 && { sort }) };
  const baseline = baselineOf(view, columns);
  return {
    text,
    show,
    fold,
    columns,
    ...(of !== undefined && columns.includes(of) && { of }),
    label,
    ...(sort && sort.column < head.columns.length && { sort }),
    ...(pair && pair.column < head.columns.length && { pair }),
    baseline,
  };
}

/** The view with a column moved to the left (-1) or right (1) of its neighbour among those shown. */
export function withMoved(
  view: ViewSettings,
  head: Pick<TableHead, 'columns'>,
  column: number,
  by: -1 | 1,
): ViewSettings {
  const shown = shownColumns(view, head);
  const at = shown.indexOf(column);
  const to = at + by;
  if (at < 0 || to < 0 || to >= shown.length) return view;
  return { ...view, order: shown.toSpliced(at, 1).toSpliced(to, 0, column) };
}

/** The last shown column stays: a table without columns shows nothing. */
export function withHidden(
  view: ViewSettings,
  head: Pick<TableHead, 'columns'>,
  column: number,
): ViewSettings {
  return shownColumns(view, head).length < 2 ? view : { ...view, hidden: [...view.hidden, column] };
}

/** Sorted by this first, then in the other direction, then as in the file. */
export function withSort(
  view: ViewSettings,
  column: number,
  by: NonNullable<TableQuery['sort']>['by'],
): ViewSettings {
  const { sort } = view;
  const isSame = sort?.column === column && sort.by === by;
  if (!isSame) return { ...view, sort: { column, by, descending: false } };
  return { ...view, sort: sort.descending ? undefined : { ...sort, descending: true } };
}

/** Whether hits of a search are measured. */
export function hasHits({ metrics }: Pick<TableHead, 'metrics'>): boolean {
  return metrics.some((name) => /^(?:mrr$|(?:hit|precision|ndcg|recall|mrr)@)/.test(name));
}

/** Metrics that compare labels, even those of first hits: of these there is a confusion matrix. */
const OF_LABELS = /^(?:accuracy|macro_f1|exact|(?:hit|precision)@\d+)$/;

export function hasLabels({ metrics }: Pick<TableHead, 'metrics'>): boolean {
  return metrics.some((name) => OF_LABELS.test(name));
}
