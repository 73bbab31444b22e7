import type { UsageCell, UsageFindings, UsageMeasure, UsageSeries, UsageTable } from '../domain/usage';
import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { readTime, usageCell } from './billingValues';
import { recordCurrency, withCurrency } from './money';
import { firstOf, pick } from './records';

// Usage summary and time series: "query parameters and body: not shown" (section 4). Rows with a time of their own and
// numbers are a series, any other list of records is a table, and single values are figures.

const MOST_COLUMNS = 60;
const DEEPEST = 6;
/** A summary with more is not read: a page could not show it. It is in the raw response. */
const MOST_VALUES = 30_000;
/** Times, each with all measures: rows with ever other names are a table, not a series. */
const MOST_POINTS = 300_000;
/** Names of a row's time, the likelier first; the start of a period, not its end. */
const TIMES = words(
  'timestamp time ts date day hour week month start bucketstart periodstart bucket period from at createdat',
);

/** The facts of a body about usage; it can pause after each value. */
export function* readingUsage(json: unknown): Generator<unknown, UsageFindings> {
  const usage = {
    figures: [] as UsageFindings['figures'][number][],
    series: [] as UsageSeries[],
    tables: [] as UsageTable[],
    emptyLists: 0,
  };
  const pending = [{ value: json, name: '', depth: 0 }];
  // Grows while it is gone through.
  for (const { value, name, depth } of pending) {
    if (usage.figures.length + pending.length > MOST_VALUES)
      return { figures: [], series: [], tables: [], emptyLists: 0 };
    if (Array.isArray(value)) {
      const records = value.filter(isObject);
      if (value.length === 0) usage.emptyLists += 1;
      const series = records.length > 0 ? yield* rowSeries(records, name) : undefined;
      if (series !== undefined) usage.series.push(series);
      else if (records.length > 0) {
        const table = yield* tableOf(records, name);
        if (table.columns.length > 0) usage.tables.push(table);
      }
    } else if (isObject(value))
      for (const key of Object.keys(value)) {
        const path = name === '' ? key : `${name}.${key}`;
        const cell = usageCell(value, key);
        yield;
        const currency = recordCurrency(value);
        const around = (each: unknown) => (isObject(each) ? withCurrency(each, currency) : each);
        const inner = Array.isArray(value[key]) ? value[key].map(around) : around(value[key]);
        if (cell) usage.figures.push({ name: path, cell });
        else if (depth < DEEPEST) pending.push({ value: inner, name: path, depth: depth + 1 });
      }
  }
  return usage;
}

/** Rows with a time each and at least one number, in the order of time; undefined for others. */
function* rowSeries(
  records: readonly UnknownObject[],
  name: string,
): Generator<unknown, UsageSeries | undefined> {
  const rows: { at: number; cells: Map<string, Extract<UsageCell, { kind: 'money' | 'number' }>> }[] = [];
  for (const record of records) {
    const at = firstOf(TIMES, (each) => {
      const value = pick(record, each);
      return readTime(isObject(value) ? pick(value, 'start', 'from') : value);
    });
    if (at === undefined) return undefined;
    const row: (typeof rows)[number] = { at, cells: new Map() };
    for (const key of Object.keys(record)) {
      const cell = usageCell(record, key);
      if (cell?.kind === 'money' || cell?.kind === 'number') row.cells.set(key, cell);
      yield;
    }
    rows.push(row);
  }
  const times = new Set(rows.map(({ at }) => at));
  const names = [...new Set(rows.flatMap(({ cells }) => [...cells.keys()]))];
  if (times.size < rows.length || names.length === 0 || names.length * rows.length > MOST_POINTS)
    return undefined;
  rows.sort((a, b) => a.at - b.at);
  const measures: UsageMeasure[] = [];
  for (const measure of names) {
    const cells = rows.map((row) => row.cells.get(measure));
    const currencies = new Set(
      cells.flatMap((cell) => (cell?.kind === 'money' ? [cell.money.currency] : [])),
    );
    // Amounts of several currencies do not add up.
    if (currencies.size > 1) return undefined;
    const values = cells.map((cell) => (cell?.kind === 'money' ? cell.money.amount : cell?.amount));
    measures.push({ name: measure, isMoney: currencies.size > 0, currency: [...currencies][0], values });
    yield;
  }
  return { name, times: rows.map(({ at }) => at), measures };
}

function* tableOf(records: readonly UnknownObject[], name: string): Generator<unknown, UsageTable> {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))].slice(0, MOST_COLUMNS);
  const rows: Map<string, UsageCell>[] = [];
  for (const record of records) {
    const cells = names.map((column) => [column, usageCell(record, column)] as const);
    rows.push(new Map(cells.filter((cell): cell is readonly [string, UsageCell] => cell[1] !== undefined)));
    yield;
  }
  const columns = names.filter(
    (column) => !/^currency(_?code)?$/i.test(column) && rows.some((row) => row.has(column)),
  );
  return { name, columns, rows: rows.map((row) => columns.map((column) => row.get(column))) };
}
