import { isObject } from '../domain/value';
import { limits } from './limits';
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
      sample.some((item) => isNumber(item[name])) &&
      sample.every((item) => item[name] === undefined || item[name] === null || isNumber(item[name])),
  }));
  return { kind: 'table', columns, rows: items.length, moreColumns: names.length - columns.length };
}

function cellOf(item: unknown, column: string): unknown {
  return column === '' && !isObject(item) ? item : isObject(item) ? item[column] : undefined;
}

function cellText(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') {
    return value.length > limits.cellCharacters ? `${value.slice(0, limits.cellCharacters)}…` : value;
  }
  return shortJson(value, limits.cellCharacters);
}

/** Numbers before other values before nothing; strings in natural order ("a2" before "a10"). */
function compareCells(collator: Intl.Collator) {
  const rank = (value: unknown) => (isNumber(value) ? 0 : value === undefined || value === null ? 2 : 1);
  return (a: unknown, b: unknown): number =>
    rank(a) - rank(b) ||
    (isNumber(a) && isNumber(b) ? a - b : rank(a) === 1 ? collator.compare(cellText(a), cellText(b)) : 0);
}

/** The indexes of a table's rows in the order asked for; equal rows keep the service's order. */
export function rowOrder(
  items: readonly unknown[],
  part: PartOf<'table'>,
  sort: TableSort | undefined,
): Uint32Array {
  const order = Uint32Array.from(items, (_, index) => index);
  const column = sort && part.columns[sort.column];
  if (!sort || !column) return order;
  const compare = compareCells(new Intl.Collator(undefined, { numeric: true }));
  const cells = items.map((item) => cellOf(item, column.name));
  const sign = sort.descending ? -1 : 1;
  return order.sort((a, b) => sign * compare(cells[a], cells[b]) || a - b);
}

/** `count` rows from the `from`th of this order on. */
export function tableRowsOf(
  items: readonly unknown[],
  part: PartOf<'table'>,
  order: Uint32Array,
  from: number,
  count: number,
): TableRows {
  return [...order.slice(from, from + Math.min(count, limits.childrenAtOnce))].map((row) => ({
    row,
    cells: part.columns.map((column) => cellText(cellOf(items[row], column.name))),
  }));
}
