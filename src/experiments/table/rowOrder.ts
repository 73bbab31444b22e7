import { sumByCurrency } from '../../domain/amounts';
import { assertNever } from '../../domain/assertNever';
import type { Json } from '../../domain/json';
import { textOf } from '../metrics/equality';
import type { Metric } from '../metrics/metrics';
import { mean } from '../metrics/statistics';
import { durationsOf, rightness, shownLine, stateOf } from './cellView';
import { isEqualRow } from './differences';
import { jsonLine } from './jsonLine';
import { searchedText } from './lineReadings';
import { measureRun } from './measureRun';
import { rowPairs } from './rowPairs';
import type { ExperimentTable } from './table';

/** The sort key of columns: the input itself, or a fact of the cells of one column. */
interface RowSort {
  /** -1: the inputs. */
  readonly column: number;
  readonly by: 'outcome' | 'metric' | 'cost' | 'time';
  readonly descending: boolean;
}

export interface RowQuery {
  /** The input, the expected value or an outcome of a shown column must contain it; case does not count. */
  readonly text: string;
  readonly show: 'all' | 'wrong' | 'failed' | 'unconfirmed' | 'missing' | 'unjudged';
  /** Rows that are equal in all shown columns are left out, unless all rows are. */
  readonly fold: boolean;
  /** The columns that are shown, in their order. */
  readonly columns: readonly number[];
  readonly sort?: RowSort | undefined;
  /** Only items with this expected label that got the other one: a cell of a confusion matrix. */
  readonly pair?: { readonly column: number; readonly expected: string; readonly got: string } | undefined;
}

export interface RowOrder {
  readonly rows: readonly number[];
  /** Rows left out because they are equal in all shown columns. */
  readonly folded: number;
}

/** The rows that a query leaves, in its order. Rows that have nothing to be sorted by come last either way. */
export function rowOrder(table: ExperimentTable, query: RowQuery, metrics: readonly Metric[]): RowOrder {
  const all = Array.from({ length: table.rows }, (_, row) => row);
  const found = all.filter(
    (row) => isShown(table, row, query, metrics) && hasPair(table, row, query) && hasText(table, row, query),
  );
  const differing = query.fold ? found.filter((row) => !isEqualRow(table, row, query.columns)) : found;
  // An empty table explains nothing.
  const rows = differing.length === 0 ? found : differing;
  return { rows: sortedRows(table, rows, query.sort, metrics), folded: found.length - rows.length };
}

function isShown(
  table: ExperimentTable,
  row: number,
  { show, columns }: RowQuery,
  metrics: readonly Metric[],
): boolean {
  switch (show) {
    case 'all':
      return true;
    case 'wrong':
      return columns.some((column) => rightness(table, { row, column }, metrics) === false);
    case 'failed':
    case 'unconfirmed':
      return columns.some((column) => linesOf(table, row, column).some(({ state }) => state === show));
    case 'missing':
      return columns.some((column) => ['missing', 'partly'].includes(stateOf(table.runs(row, column))));
    case 'unjudged':
      return columns.some((column) => {
        const line = shownLine(table, linesOf(table, row, column));
        return line?.state === 'finished' && Object.keys(table.judged(line.custom_id)).length === 0;
      });
    default:
      return assertNever(show);
  }
}

function linesOf(table: ExperimentTable, row: number, column: number) {
  return table.runs(row, column).flatMap(({ line }) => line ?? []);
}

function hasPair(table: ExperimentTable, row: number, { pair }: RowQuery): boolean {
  if (!pair) return true;
  return rowPairs(table, row, pair.column).some(
    ({ expected, got }) => expected === pair.expected && got === pair.got,
  );
}

function hasText(table: ExperimentTable, row: number, { text, columns }: RowQuery): boolean {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return true;
  const { name, values, expected } = table.plan.items[row]!;
  const has = (value: Json) => searchable(value).includes(wanted);
  if (has(name) || (expected !== undefined && has(expected)) || Object.values(values).some(has)) return true;
  return columns.some((column) =>
    linesOf(table, row, column).some((line) => searchedText(line).includes(wanted)),
  );
}

function searchable(value: Json): string {
  return (typeof value === 'string' ? value : jsonLine(value)).toLowerCase();
}

function sortedRows(
  table: ExperimentTable,
  rows: readonly number[],
  sort: RowSort | undefined,
  metrics: readonly Metric[],
): readonly number[] {
  if (!sort) return rows;
  const keys = new Map(rows.map((row) => [row, sortKey(table, row, sort, metrics)]));
  const direction = sort.descending ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [one, other] = [keys.get(a), keys.get(b)];
    if (one === undefined || other === undefined)
      return Number(one === undefined) - Number(other === undefined);
    return direction * compared(one, other) || a - b;
  });
}

const collator = new Intl.Collator(undefined, { numeric: true });

function compared(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return collator.compare(String(a), String(b));
}

function sortKey(
  table: ExperimentTable,
  row: number,
  { column, by }: RowSort,
  metrics: readonly Metric[],
): number | string | undefined {
  const item = table.plan.items[row]!;
  if (column < 0) return textOf(Object.values(item.values)[0]) ?? item.name;
  const lines = linesOf(table, row, column);
  switch (by) {
    case 'outcome': {
      const [first] = lines.filter(({ state }) => state === 'finished');
      if (!first) return undefined;
      const { value, text } = table.outcome(first);
      return value ?? text;
    }
    case 'metric': {
      const [metric] = metrics;
      const values = metric
        ? lines.flatMap((line) => measureRun(table, { row, column }, line, metric) ?? [])
        : [];
      return values.length === 0 ? undefined : mean(values);
    }
    case 'cost': {
      const [sum] = sumByCurrency(lines.flatMap(({ custom_id: id }) => table.costs(id)));
      return sum && Number(sum.amount);
    }
    case 'time': {
      const times = durationsOf(lines);
      return times.length === 0 ? undefined : mean(times);
    }
    default:
      return assertNever(by);
  }
}
