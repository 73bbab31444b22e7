import { isObject } from '../domain/value';
import { limits } from './limits';
import type { PartOf, TableRows, TableSort } from './resultView';
import { isNumber } from './sampling';
import { shortJson } from './tree';

/** Rows of a table as text, on demand and sorted here: a page holds only the rows it shows. */

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

/** Numbers before texts before nothing; texts as people order them ("a2" before "a10"). */
function compareCells(collator: Intl.Collator) {
  const rank = (value: unknown) => (isNumber(value) ? 0 : value === undefined || value === null ? 2 : 1);
  return (a: unknown, b: unknown): number =>
    rank(a) - rank(b) ||
    (isNumber(a) && isNumber(b) ? a - b : rank(a) === 1 ? collator.compare(cellText(a), cellText(b)) : 0);
}

/** The places of a table's rows in the order asked for; rows that are alike keep the service's order. */
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
