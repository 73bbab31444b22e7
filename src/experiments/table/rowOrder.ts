import { sumByCurrency } from '../../domain/amounts';
import { assertNever } from '../../domain/assertNever';
import type { Json } from '../../domain/json';
import type { TableQuery } from '../../protocol/experiment';
import { comparableText } from '../metrics/equality';
import type { Metric } from '../metrics/metrics';
import { mean } from '../metrics/statistics';
import { changedBetween } from './changedRows';
import { differsFrom, isEqualRow } from './differences';
import { expectedText } from './itemTexts';
import { jsonLine } from './jsonLine';
import { searchedText } from './lineReadings';
import { measureRun } from './measureRun';
import { rowPairs } from './rowPairs';
import type { ExperimentTable } from './table';
import { cellState, durationsOf, rightness, shownLine } from './tableCell';

/** @see TableQuery */
export type RowQuery = TableQuery & { readonly rater?: string };
type RowSort = NonNullable<TableQuery['sort']>;

export interface RowOrder {
  readonly rows: readonly number[];
  /** Rows left out because they are equal in all shown columns. */
  readonly folded: number;
}

/** The rows that a query leaves, in its order. Rows that have nothing to be sorted by come last either way. */
export function rowOrder(table: ExperimentTable, query: RowQuery, metrics: readonly Metric[]): RowOrder {
  const all = Array.from({ length: table.rows }, (_, row) => row);
  const changes = new Changes(table, query, metrics);
  const matches = all.filter(
    (row) =>
      isShown(table, row, query, metrics, changes) &&
      hasLabel(table, row, query) &&
      hasPair(table, row, query) &&
      hasText(table, row, query),
  );
  const differing = query.fold ? matches.filter((row) => !isEqualRow(table, row, query.columns)) : matches;
  // An empty table explains nothing.
  const rows = differing.length === 0 ? matches : differing;
  return {
    rows: sortedRows(table, rows, query.sort, metrics, changes),
    folded: matches.length - rows.length,
  };
}

function isShown(
  table: ExperimentTable,
  row: number,
  { show, columns: shown, of, rater = '' }: RowQuery,
  metrics: readonly Metric[],
  changes: Changes,
): boolean {
  const columns = of === undefined ? shown : [of];
  switch (show) {
    case 'all':
      return true;
    case 'worse':
      return columns.some((column) => changes.of(row, column) === 'worse');
    case 'differs':
      return columns.some((column) => changes.of(row, column) !== undefined);
    case 'wrong':
      return columns.some((column) => rightness(table, { row, column }, metrics) === false);
    case 'failed':
    case 'unconfirmed':
      return columns.some((column) => table.lines(row, column).some(({ state }) => state === show));
    case 'missing':
      return columns.some((column) => ['missing', 'partly'].includes(cellState(table.runs(row, column))));
    case 'unjudged':
      return columns.some((column) => {
        if (table.isOther(column)) return false;
        const line = shownLine(table, table.lines(row, column));
        if (line?.state !== 'finished') return false;
        const { note: _note, ...own } = table.ratings(line.custom_id).get(rater) ?? {};
        return Object.keys(own).length === 0;
      });
    default:
      return assertNever(show);
  }
}

/** How cells have changed since the column that theirs is compared with. */
class Changes {
  readonly #worse = new Map<number, ReadonlySet<number>>();
  readonly #better = new Map<number, ReadonlySet<number>>();

  constructor(
    private readonly table: ExperimentTable,
    private readonly query: RowQuery,
    private readonly metrics: readonly Metric[],
  ) {}

  /** Undefined: the cell is equal, or one of the two has no result. */
  of(row: number, column: number): 'worse' | 'better' | 'differs' | undefined {
    const other = this.table.against(column, this.query.baseline);
    if (other === undefined) return undefined;
    if (!this.#worse.has(column)) {
      const changed = changedBetween(this.table, this.metrics, [column, other]);
      this.#worse.set(column, new Set(changed?.becameWrong));
      this.#better.set(column, new Set(changed?.becameRight));
    }
    if (this.#worse.get(column)!.has(row)) return 'worse';
    if (this.#better.get(column)!.has(row)) return 'better';
    return differsFrom(this.table, row, column, other) ? 'differs' : undefined;
  }

  /** Rows that became wrong in any shown column come first. */
  rank(row: number): number {
    const states = new Set(this.query.columns.map((column) => this.of(row, column)));
    return states.has('worse') ? 0 : states.has('better') ? 1 : states.has('differs') ? 2 : 3;
  }
}

function hasLabel(table: ExperimentTable, row: number, { label }: RowQuery): boolean {
  return label === undefined || expectedText(table.plan.items[row]!.expected).expected === label;
}

function hasPair(table: ExperimentTable, row: number, { pair }: RowQuery): boolean {
  if (!pair) return true;
  return rowPairs(table, row, pair.column).some(
    ({ expected, got }) => expected === pair.expected && got === pair.got,
  );
}

function hasText(table: ExperimentTable, row: number, { text, columns }: RowQuery): boolean {
  const wanted = searchable(text.trim());
  if (wanted === '') return true;
  const { name, values, expected } = table.plan.items[row]!;
  const has = (value: Json) => searchable(value).includes(wanted);
  if (has(name) || (expected !== undefined && has(expected)) || Object.values(values).some(has)) return true;
  return columns.some((column) =>
    table.lines(row, column).some((line) => searchedText(line).includes(wanted)),
  );
}

/** Accents may be written in two ways. */
function searchable(value: Json): string {
  return (typeof value === 'string' ? value : jsonLine(value)).toLowerCase().normalize('NFC');
}

function sortedRows(
  table: ExperimentTable,
  rows: readonly number[],
  sort: RowSort | undefined,
  metrics: readonly Metric[],
  changes: Changes,
): readonly number[] {
  if (!sort) return rows;
  const rowKey = (row: number) =>
    sort.by === 'changes' ? changes.rank(row) : sortKey(table, row, { ...sort, by: sort.by }, metrics);
  const keys = new Map(rows.map((row) => [row, rowKey(row)]));
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
  { column, by }: Pick<RowSort, 'column'> & { readonly by: Exclude<RowSort['by'], 'changes'> },
  metrics: readonly Metric[],
): number | string | undefined {
  const item = table.plan.items[row]!;
  if (column < 0) return comparableText(Object.values(item.values)[0]) ?? item.name;
  const lines = table.lines(row, column);
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
