import { addAll } from '../domain/many';
import type { UsageCell, UsageMeasure, UsageSeries } from '../domain/usage';
import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { readTime, usageCell } from './billingValues';
import { asText, firstOf, pick } from './records';

// Time series in the billing bodies: times with numbers, in the usual layouts.

/** Names of a row's time, the likelier first; the start of a period, not its end. */
const TIMES = words(`
  timestamp time ts t date day hour week month start bucket period
  starttime startat startsat startedat periodstart bucketstart windowstart from
  interval window timeperiod x key label at createdat
`);

/** The time of a row: of a period ({period: {start, end}}) its start. */
function timeOf(record: UnknownObject): number | undefined {
  return firstOf(TIMES, (name) => {
    const value = pick(record, name);
    return readTime((isObject(value) ? pick(value, 'start', 'from', 'begin') : undefined) ?? value);
  });
}

function isTime(value: unknown): boolean {
  return readTime(value) !== undefined;
}

interface Row {
  readonly at: number;
  readonly cells: ReadonlyMap<string, UsageCell>;
}

// The readers below can pause after each value.

/** Rows with a time and at least one number: one series, or one for each group. */
export function* rowSeries(
  records: readonly UnknownObject[],
  name: string,
): Generator<unknown, readonly UsageSeries[]> {
  const times: number[] = [];
  for (const record of records) {
    const at = timeOf(record);
    if (at === undefined) return [];
    times.push(at);
    yield;
  }
  // Several rows of one time: {date, model, cost} for each model.
  const grouped = new Set(times).size < times.length;
  const groupKey = grouped ? yield* groupKeyOf(records, times) : undefined;
  if (grouped && groupKey === undefined) return [];
  const groups = new Map<string, Row[]>();
  for (const [index, record] of records.entries()) {
    const flat = yield* flatten(record);
    const numbers = yield* numbersIn(flat);
    const cells = numbers.filter(([key, cell]) => cell.kind === 'money' || !isTime(flat[key]));
    const group = (groupKey && asText(record[groupKey])) || name;
    const rows = groups.get(group) ?? [];
    rows.push({ at: times[index]!, cells: new Map(cells) });
    groups.set(group, rows);
  }
  const all: UsageSeries[] = [];
  for (const [group, rows] of groups) {
    const series = yield* seriesOf(rows, group);
    if (series) all.push(series);
  }
  return all;
}

/** Numbers one level inside ({metrics: {runs: 3}}) count as the row's own. */
function* flatten(record: UnknownObject): Generator<unknown, UnknownObject> {
  const flat: [string, unknown][] = [];
  for (const [key, value] of Object.entries(record)) {
    if (isObject(value) && !usageCell(record, key) && !isTime(pick(value, 'start', 'from'))) {
      for (const [inner, innerValue] of Object.entries(value))
        flat.push([Object.hasOwn(record, inner) ? `${key}.${inner}` : inner, innerValue]);
    } else flat.push([key, value]);
    yield;
  }
  return Object.fromEntries(flat);
}

/** The first name under which every row has text, so that each time occurs once for each text. */
function* groupKeyOf(
  records: readonly UnknownObject[],
  times: readonly number[],
): Generator<unknown, string | undefined> {
  for (const key of Object.keys(records[0] ?? {})) {
    const isGroup = records.every((record) => typeof record[key] === 'string' && !isTime(record[key]));
    const places = () => new Set(records.map((record, at) => `${times[at]} ${record[key] as string}`));
    if (isGroup && places().size === records.length) return key;
    yield;
  }
  return undefined;
}

/** The entries of a record that are amounts or other numbers. */
function* numbersIn(record: UnknownObject): Generator<unknown, [string, UsageCell][]> {
  const cells: [string, UsageCell][] = [];
  for (const key of Object.keys(record)) {
    const cell = usageCell(record, key);
    if (cell?.kind === 'money' || cell?.kind === 'number') cells.push([key, cell]);
    yield;
  }
  return cells;
}

/** Times, each with all measures: rows with ever other names are a table, not a series. */
const MOST_POINTS = 300_000;

/** The series of rows in the order of time; undefined when they hold no number. */
function* seriesOf(rows: readonly Row[], name: string): Generator<unknown, UsageSeries | undefined> {
  const sorted = [...rows].sort((a, b) => a.at - b.at);
  const names = new Set(sorted.flatMap((row) => [...row.cells.keys()]));
  if (names.size === 0 || names.size * rows.length > MOST_POINTS) return undefined;
  const measures: UsageMeasure[] = [];
  for (const measure of names) {
    const cells = sorted.map((row) => row.cells.get(measure));
    const currencies = [...new Set(cells.flatMap((cell) => currencyOf(cell) ?? []))];
    if ((measures.length + currencies.length) * rows.length > MOST_POINTS) return undefined;
    addAll(measures, measuresOf(measure, cells, currencies));
    yield;
  }
  return { name, times: sorted.map((row) => row.at), measures };
}

/** One measure; of several currencies one for each, since their amounts do not add up. */
function measuresOf(
  name: string,
  cells: readonly (UsageCell | undefined)[],
  currencies: readonly string[],
): UsageMeasure[] {
  const isMoney = cells.some((cell) => cell?.kind === 'money');
  const valuesOf = (belongs: (cell: UsageCell) => boolean) =>
    cells.map((cell) => (cell && belongs(cell) ? amountIn(cell) : undefined));
  const [currency] = currencies;
  if (currencies.length < 2)
    return [{ name, isMoney, ...(currency !== undefined && { currency }), values: valuesOf(() => true) }];
  const others = valuesOf((cell) => currencyOf(cell) === undefined);
  return [
    ...currencies.map((one) => ({
      ...{ name: `${name}.${one}`, isMoney, currency: one },
      values: valuesOf((cell) => currencyOf(cell) === one),
    })),
    ...(others.some((value) => value !== undefined) ? [{ name, isMoney, values: others }] : []),
  ];
}

function currencyOf(cell: UsageCell | undefined): string | undefined {
  return cell?.kind === 'money' ? cell.money.currency : undefined;
}

function amountIn(cell: UsageCell): string | undefined {
  if (cell.kind === 'number') return cell.amount;
  return cell.kind === 'money' ? cell.money.amount : undefined;
}

/** The name of a record. */
export function seriesLabel(record: UnknownObject): string | undefined {
  return asText(pick(record, 'model', 'name', 'label', 'title', 'key', 'slug', 'group', 'id', 'mode'));
}
