import { isObject, ownOf } from '../domain/value';
import { limits } from './limits';
import type { Pauses } from './pauses';
import type { PartOf, TableRows, TableSort } from './resultView';
import { isNumber, isScalar } from './sampling';
import { shortJson } from './tree';

/** Records with properties in common, or a plain list of values. */
export function tableOf(items: readonly unknown[], sample: readonly unknown[]): PartOf<'table'> | undefined {
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

function cellText(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') {
    return value.length > limits.cellCharacters ? `${value.slice(0, limits.cellCharacters)}…` : value;
  }
  return shortJson(value, limits.cellCharacters);
}

/** What a cell is sorted by. */
function sortKey(value: unknown): number | string | undefined {
  return isNumber(value) ? value : value === undefined || value === null ? undefined : cellText(value);
}

/** Numbers before other values before nothing; strings in natural order ("a2" before "a10"). */
function compareKeys(collator: Intl.Collator) {
  const rank = (key: unknown) => (typeof key === 'number' ? 0 : key === undefined ? 2 : 1);
  return (a: number | string | undefined, b: number | string | undefined): number =>
    rank(a) - rank(b) ||
    (typeof a === 'number' && typeof b === 'number'
      ? a - b
      : typeof a === 'string' && typeof b === 'string'
        ? collator.compare(a, b)
        : 0);
}

/**
 * The indexes of a table's rows in the order asked for; equal rows keep the service's order. Undefined: as they came.
 * In turns: two million texts take seconds.
 */
export async function rowOrder(
  items: readonly unknown[],
  part: PartOf<'table'>,
  sort: TableSort | undefined,
  pauses: Pauses,
): Promise<readonly number[] | undefined> {
  const column = sort && part.columns[sort.column];
  if (!sort || !column) return undefined;
  const keys: (number | string | undefined)[] = [];
  const rows: number[] = [];
  for (let row = 0; row < items.length; row++) {
    keys.push(sortKey(cellOf(items[row], column.name)));
    rows.push(row);
    if (pauses.isOver) await pauses.next();
  }
  const compare = compareKeys(new Intl.Collator(undefined, { numeric: true }));
  const sign = sort.descending ? -1 : 1;
  return pauses.sorted(rows, (a, b) => sign * compare(keys[a], keys[b]) || a - b);
}

/** `count` rows from the `from`th of this order on. */
export function tableRowsOf(
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
