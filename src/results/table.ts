import { isObject, ownOf } from '../domain/value';
import { beginning } from '../domain/words';
import { limits } from './limits';
import type { PartOf, TableRows, TableSort } from './resultView';
import { isNumber, isScalar } from './sampling';
import { shortJson } from './tree';

/** Records with properties in common, or a plain list of values. */
export function resultTable(
  items: readonly unknown[],
  sample: readonly unknown[],
): PartOf<'table'> | undefined {
  if (sample.every(isScalar)) {
    return {
      kind: 'table',
      columns: [{ name: '', numeric: sample.every(isNumber) }],
      rows: items.length,
      moreColumns: 0,
    };
  }
  if (!sample.every(isObject)) return undefined;
  const names = [...new Set(sample.flatMap((item) => Object.keys(item)))];
  if (names.length === 0) return undefined;
  const columns = names.slice(0, limits.columns).map((name) => ({
    name,
    numeric:
      sample.some((item) => isNumber(ownOf(item, name))) &&
      sample.every((item) => (ownOf(item, name) ?? null) === null || isNumber(ownOf(item, name))),
  }));
  return { kind: 'table', columns, rows: items.length, moreColumns: names.length - columns.length };
}

function cellOf(item: unknown, column: string): unknown {
  return column === '' && !isObject(item) ? item : isObject(item) ? ownOf(item, column) : undefined;
}

export function cellTextAt(items: readonly unknown[], row: number, column: string): string {
  return cellText(cellOf(items[row], column));
}

function cellText(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return beginning(value, limits.cellCharacters);
  return shortJson(value, limits.cellCharacters);
}

function sortKey(value: unknown): number | string | undefined {
  return isNumber(value) ? value : value === undefined || value === null ? undefined : cellText(value);
}

/** Numbers before other values before nothing; strings in natural order ("a2" before "a10"). */
function compareKeys(compareTexts: (a: string, b: string) => number) {
  const rank = (key: unknown) => (typeof key === 'number' ? 0 : key === undefined ? 2 : 1);
  return (a: number | string | undefined, b: number | string | undefined): number =>
    rank(a) - rank(b) ||
    (typeof a === 'number' && typeof b === 'number'
      ? a - b
      : typeof a === 'string' && typeof b === 'string'
        ? compareTexts(a, b)
        : 0);
}

/** Natural order takes seconds for a million texts. */
function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * The indexes of a table's rows in the order asked for; equal rows keep the service's order. Undefined: in that order.
 */
export function rowOrder(
  items: readonly unknown[],
  part: PartOf<'table'>,
  sort: TableSort | undefined,
): readonly number[] | undefined {
  const column = sort && part.columns[sort.column];
  if (!sort || !column) return undefined;
  const keys = items.map((item) => sortKey(cellOf(item, column.name)));
  const collator = new Intl.Collator(undefined, { numeric: true });
  const compare = compareKeys(items.length > limits.naturallySorted ? byCodeUnits : collator.compare);
  const sign = sort.descending ? -1 : 1;
  return [...keys.keys()].sort((a, b) => sign * compare(keys[a], keys[b]) || a - b);
}

/** `count` rows from the `from`th of this order on. */
export function tableRowsIn(
  items: readonly unknown[],
  part: PartOf<'table'>,
  order: readonly number[] | undefined,
  from: number,
  count: number,
): TableRows {
  const until = Math.min(items.length, from + Math.min(count, limits.childrenAtOnce));
  const rows = Array.from({ length: Math.max(0, until - from) }, (_, at) => order?.[from + at] ?? from + at);
  return rows.map((row) => ({
    row,
    cells: part.columns.map((column) => cellText(cellOf(items[row], column.name))),
  }));
}
