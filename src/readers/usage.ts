import { addAll } from '../domain/many';
import type { UsageFindings, UsageSeries, UsageTable } from '../domain/usage';
import { isObject, type UnknownObject } from '../domain/value';
import { usageCell } from './billingValues';
import { recordCurrency, withCurrency } from './money';
import { rowSeries, seriesLabel } from './usageSeries';

// Usage summary and time series: "query parameters and body: not shown" (section 4). Rows with a time
// and numbers are a series, any other list of records is a table, and single values are figures.

const mostColumns = 60;
/** Real bodies are not nested deeper. */
const deepest = 6;

/** A summary with more is not read: a page could not show it. It is in the raw response. */
const MOST_VALUES = 30_000;

function isLarger(json: unknown): boolean {
  const left = [json];
  for (let value = left.pop(), count = 0; value !== undefined; value = left.pop()) {
    if (++count > MOST_VALUES) return true;
    if (typeof value === 'object' && value !== null)
      addAll(left, Object.values(value).slice(0, MOST_VALUES + 1));
  }
  return false;
}

/** The facts of a body about usage; it can pause after each value. */
export function* readingUsage(json: unknown): Generator<unknown, UsageFindings> {
  const usage = {
    figures: [] as UsageFindings['figures'][number][],
    series: [] as UsageSeries[],
    tables: [] as UsageTable[],
    emptyLists: 0,
  };
  if (!isLarger(json)) yield* walk(json, '', undefined, 0);
  return usage;

  function* walk(
    value: unknown,
    name: string,
    currency: string | undefined,
    depth: number,
  ): Generator<unknown, void> {
    if (depth > deepest) return;
    if (Array.isArray(value)) {
      if (value.length === 0) usage.emptyLists += 1;
      else yield* readArray(value, name, currency, depth);
      return;
    }
    if (!isObject(value)) return;
    const record = withCurrency(value, currency);
    const here = recordCurrency(record);
    for (const key of Object.keys(value)) {
      const path = name === '' ? key : `${name}.${key}`;
      const cell = usageCell(record, key);
      yield;
      if (cell) usage.figures.push({ name: path, cell });
      else yield* walk(value[key], path, here, depth + 1);
    }
  }

  function* readArray(
    value: readonly unknown[],
    name: string,
    currency: string | undefined,
    depth: number,
  ): Generator<unknown, void> {
    if (depth > deepest) return;
    const records = value.filter(isObject).map((record) => withCurrency(record, currency));
    if (records.length === 0) return;
    const series = yield* rowSeries(records, name);
    if (series.length > 0) {
      addAll(usage.series, series);
      return;
    }
    // [{model: "a", points: […]}]: the single values are a table, the lists belong to its rows.
    const table = yield* tableOf(records, name);
    if (table.columns.length > 0) usage.tables.push(table);
    for (const [index, record] of records.entries()) {
      const label = seriesLabel(record) ?? `${name}[${index}]`;
      yield;
      for (const inner of Object.values(record)) {
        if (Array.isArray(inner) && inner.length > 0)
          yield* readArray(inner, label, recordCurrency(record), depth + 1);
      }
    }
  }
}

function* tableOf(records: readonly UnknownObject[], name: string): Generator<unknown, UsageTable> {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const columns: string[] = [];
  for (const column of names.slice(0, mostColumns)) {
    // `withCurrency` put the currency into each record; it is not a column.
    if (/^currency(_?code)?$/i.test(column)) continue;
    for (const record of records) {
      const isFilled = usageCell(record, column) !== undefined;
      yield;
      if (isFilled && columns.push(column)) break;
    }
  }
  const rows: UsageTable['rows'][number][] = [];
  for (const record of records) {
    rows.push(columns.map((column) => usageCell(record, column)));
    yield;
  }
  return { name, columns, rows };
}
