import type { Money } from '../../domain/money';
import type { UsageCell, UsageMeasure, UsageSeries } from '../../domain/usage';
import { isObject, type UnknownObject } from '../../domain/value';
import { cellOf, readTime, withCurrency } from './billingValues';
import { currencyOf } from './money';
import { asText, pick } from './records';

// Time series in the billing bodies: whatever has times and numbers, in the usual layouts.

/** Names of the moment a row is about, the likelier first; the start of a span, not its end. */
const timeKeys = [
  ...['timestamp', 'time', 'ts', 't', 'date', 'day', 'hour', 'week', 'month', 'start', 'bucket', 'period'],
  ...['starttime', 'startat', 'startsat', 'startedat', 'periodstart', 'bucketstart', 'windowstart', 'from'],
  ...['interval', 'window', 'x', 'key', 'label', 'at', 'createdat'],
];

/** The time of a row: of a period ({period: {start, end}}) its start. */
function timeOf(record: UnknownObject): number | undefined {
  for (const name of timeKeys) {
    const value = pick(record, name);
    const at = readTime(isObject(value) ? pick(value, 'start', 'from', 'begin') : value);
    if (at !== undefined) return at;
  }
  return undefined;
}

interface Row {
  readonly at: number;
  readonly group: string;
  readonly cells: ReadonlyMap<string, UsageCell>;
}

/** Rows with a time and at least one number: one series, or one for each group. */
export function rowSeries(records: readonly UnknownObject[], name: string): readonly UsageSeries[] {
  const times = records.map(timeOf);
  if (times.some((at) => at === undefined)) return [];
  // Several rows of one time: {date, model, cost} for each model.
  const grouped = new Set(times).size < times.length;
  const groupKey = grouped ? groupKeyOf(records) : undefined;
  if (grouped && groupKey === undefined) return [];
  const rows = records.map((record, index): Row => {
    const flat = flatten(record);
    const cells = new Map<string, UsageCell>();
    for (const key of Object.keys(flat)) {
      const cell = cellOf(flat, key);
      if (cell?.kind === 'money' || (cell?.kind === 'number' && readTime(flat[key]) === undefined)) {
        cells.set(key, cell);
      }
    }
    return { at: times[index]!, group: (groupKey && asText(record[groupKey])) ?? '', cells };
  });
  const groups = [...new Set(rows.map((row) => row.group))];
  return groups.flatMap((group) => {
    const series = seriesOf(
      rows.filter((row) => row.group === group),
      group || name,
    );
    return series.measures.length > 0 ? [series] : [];
  });
}

/** Numbers one level inside ({metrics: {runs: 3}}) count as the row's own. */
function flatten(record: UnknownObject): UnknownObject {
  const flat: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(record)) {
    if (isObject(value) && !cellOf(record, key) && readTime(pick(value, 'start', 'from')) === undefined) {
      for (const [inner, innerValue] of Object.entries(value))
        flat[inner in record ? `${key}.${inner}` : inner] = innerValue;
    } else flat[key] = value;
  }
  return flat;
}

/** The first name under which every row has text, so that each time occurs once for each text. */
function groupKeyOf(records: readonly UnknownObject[]): string | undefined {
  return Object.keys(records[0] ?? {}).find((key) => {
    if (records.some((record) => typeof record[key] !== 'string' || readTime(record[key]) !== undefined))
      return false;
    return (
      new Set(records.map((record) => JSON.stringify([record[key], timeOf(record)]))).size === records.length
    );
  });
}

function seriesOf(rows: readonly Row[], name: string): UsageSeries {
  const sorted = [...rows].sort((a, b) => a.at - b.at);
  const names = [...new Set(sorted.flatMap((row) => [...row.cells.keys()]))];
  return {
    name,
    times: sorted.map((row) => row.at),
    measures: names.map((measure) =>
      measureOf(
        measure,
        sorted.map((row) => row.cells.get(measure)),
      ),
    ),
  };
}

function measureOf(name: string, cells: readonly (UsageCell | undefined)[]): UsageMeasure {
  const monies: Money[] = cells.flatMap((cell) => (cell?.kind === 'money' ? [cell.money] : []));
  const currency = monies.find((money) => money.currency !== undefined)?.currency;
  return {
    name,
    isMoney: monies.length > 0,
    ...(currency !== undefined && { currency }),
    // An amount of another currency does not belong on the same axis and is left out.
    values: cells.map((cell) =>
      cell?.kind === 'money'
        ? (cell.money.currency ?? currency) === currency
          ? cell.money.amount
          : undefined
        : cell?.kind === 'number'
          ? cell.amount
          : undefined,
    ),
  };
}

function numbersSeries(
  name: string,
  times: readonly number[],
  columns: UnknownObject,
): UsageSeries | undefined {
  const rows = times.map((at, index): Row => {
    const record = Object.fromEntries(
      Object.entries(columns).map(([key, value]) => [key, Array.isArray(value) ? value[index] : value]),
    );
    const cells = new Map<string, UsageCell>();
    for (const key of Object.keys(record)) {
      const cell = cellOf(record, key);
      if (cell?.kind === 'money' || cell?.kind === 'number') cells.set(key, cell);
    }
    return { at, group: '', cells };
  });
  const series = seriesOf(rows, name);
  return series.measures.length > 0 && new Set(times).size === times.length ? series : undefined;
}

/** [[time, value], …] */
export function pairSeries(value: readonly unknown[], name: string): UsageSeries | undefined {
  const pairs = value.map((pair) => (Array.isArray(pair) && pair.length === 2 ? pair : undefined));
  const times = pairs.map((pair) => readTime(pair?.[0]));
  if (times.some((at) => at === undefined)) return undefined;
  return numbersSeries(name, times as number[], { [lastName(name)]: pairs.map((pair) => pair?.[1]) });
}

/** {"2026-01-01": 3} and {"2026-01-01": {runs: 3}} */
export function mapSeries(record: UnknownObject, name: string): readonly UsageSeries[] | undefined {
  const entries = Object.entries(record).filter(([key]) => key !== 'currency');
  if (entries.length === 0 || entries.some(([key]) => readTime(key) === undefined)) return undefined;
  const times = entries.map(([key]) => readTime(key)!);
  if (entries.every(([, value]) => isObject(value))) {
    const currency = currencyOf(record);
    return rowSeries(
      entries.map(([key, value]) => withCurrency({ date: key, ...(value as UnknownObject) }, currency)),
      name,
    );
  }
  const series = numbersSeries(name, times, {
    [lastName(name)]: entries.map(([, value]) => value),
    currency: currencyOf(record) ?? null,
  });
  return series && [series];
}

/** {timestamps: […], values: […]} and {labels: […], datasets: [{label, data: […]}]} */
export function columnSeries(record: UnknownObject, name: string): readonly UsageSeries[] | undefined {
  const axis = pick(
    record,
    'timestamps',
    'times',
    'labels',
    'dates',
    'x',
    'time',
    'timestamp',
    'date',
    'categories',
  );
  if (!Array.isArray(axis) || axis.length === 0) return undefined;
  const times = axis.map(readTime);
  if (times.some((at) => at === undefined)) return undefined;
  const columns: Record<string, unknown> = { currency: currencyOf(record) ?? null };
  const add = (key: string, value: unknown) => {
    if (Array.isArray(value) && value !== axis && value.length === axis.length) columns[key] = value;
  };
  for (const [key, value] of Object.entries(record)) {
    if (!Array.isArray(value)) continue;
    add(key, value);
    for (const inner of value.filter(isObject)) {
      add(labelOf(inner) ?? key, pick(inner, 'data', 'values', 'points', 'y'));
    }
  }
  const series = numbersSeries(name, times as number[], columns);
  return series && [series];
}

function lastName(path: string): string {
  return path.split('.').at(-1) || 'value';
}

/** The name of a record. */
export function labelOf(record: UnknownObject): string | undefined {
  return asText(pick(record, 'model', 'name', 'label', 'title', 'key', 'slug', 'group', 'id', 'mode'));
}
