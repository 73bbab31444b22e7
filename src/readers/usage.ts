import { addAll } from '../domain/many';
import type { UsageFindings, UsageSeries, UsageTable } from '../domain/usage';
import { isObject, type UnknownObject } from '../domain/value';
import { cellOf } from './billingValues';
import { currencyOf, withCurrency } from './money';
import { columnSeries, labelOf, mapSeries, pairSeries, rowSeries } from './usageSeries';

// Usage summary and time series: "query parameters and body: not shown" (section 4). Names of one service play no
// part: a list with times and numbers is a series, any other list of records is a table, and single values are
// figures.

const mostColumns = 60;
/** Real bodies are not nested deeper. */
const deepest = 6;

/** A summary with more is none: each takes some microseconds, at once. It is in the raw response. */
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

export function readUsage(json: unknown): UsageFindings {
  const found = {
    figures: [] as UsageFindings['figures'][number][],
    series: [] as UsageSeries[],
    tables: [] as UsageTable[],
    emptyLists: 0,
  };
  if (!isLarger(json)) walk(json, '', undefined, 0);
  return found;

  function walk(value: unknown, name: string, currency: string | undefined, depth: number): void {
    if (depth > deepest) return;
    if (Array.isArray(value)) {
      if (value.length === 0) found.emptyLists += 1;
      else readArray(value, name, currency, depth);
      return;
    }
    if (!isObject(value)) return;
    const record = withCurrency(value, currency);
    const series = columnSeries(record, name) ?? mapSeries(record, name);
    if (series) {
      addAll(found.series, series);
      return;
    }
    const here = currencyOf(record);
    for (const key of Object.keys(value)) {
      const path = name === '' ? key : `${name}.${key}`;
      const cell = cellOf(record, key);
      if (cell) found.figures.push({ name: path, cell });
      else walk(value[key], path, here, depth + 1);
    }
  }

  function readArray(
    value: readonly unknown[],
    name: string,
    currency: string | undefined,
    depth: number,
  ): void {
    if (depth > deepest) return;
    const pairs = pairSeries(value, name);
    if (pairs) {
      found.series.push(pairs);
      return;
    }
    const records = value.filter(isObject).map((record) => withCurrency(record, currency));
    if (records.length === 0) return;
    const series = rowSeries(records, name);
    if (series.length > 0) {
      addAll(found.series, series);
      return;
    }
    // [{model: "a", points: […]}]: the single values are a table, the lists belong to its rows.
    const table = tableOf(records, name);
    if (table.columns.length > 0) found.tables.push(table);
    records.forEach((record, index) => {
      const label = labelOf(record) ?? `${name}[${index}]`;
      for (const inner of Object.values(record)) {
        if (Array.isArray(inner) && inner.length > 0) readArray(inner, label, currencyOf(record), depth + 1);
      }
    });
  }
}

function tableOf(records: readonly UnknownObject[], name: string): UsageTable {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const columns = names.slice(0, mostColumns).filter(
    (column) =>
      // `withCurrency` put the currency into each record; it is not a column.
      records.some((record) => cellOf(record, column)) && !/^currency(_?code)?$/i.test(column),
  );
  return {
    name,
    columns,
    moreColumns: Math.max(0, names.length - mostColumns),
    rows: records.map((record) => columns.map((column) => cellOf(record, column))),
  };
}
