import type { Json } from '../domain/json';
import { getAt } from '../domain/value';
import { classifyResult, type ResultContext } from './classify';
import type { ResultView, TableRows, TableSort, TreeMatches, TreeNode } from './resultView';
import { withRest } from './shownStrings';
import { rowOrder, tableRowsIn } from './table';
import { searchTree, treeChildren } from './tree';

/** An output with its view, on the host: pages request the parts of it that they show. */
export interface ResultSource {
  readonly output: unknown;
  readonly view: ResultView;
  children(pointer: string, from: number, count: number): TreeNode[];
  search(text: string): TreeMatches;
  /** Rows of the table section at `pointer`; empty when there is no such table. */
  rows(pointer: string, sort: TableSort | undefined, from: number, count: number): TableRows;
  /** The value at a pointer, whole. */
  valueAt(pointer: string): unknown;
}

export function resultSource(output: unknown, context: ResultContext = {}): ResultSource {
  const view = withRest(output, classifyResult(output, context));
  let sorted: { key: string; order: ReturnType<typeof rowOrder> } | undefined;
  return {
    output,
    view,
    children: (pointer, from, count) => treeChildren(output, pointer, from, count),
    search: (text) => searchTree(output, text),
    rows(pointer, sort, from, count) {
      const part = view.sections.find((section) => section.pointer === pointer)?.part;
      const items = getAt(output as Json, pointer);
      if (part?.kind !== 'table' || !Array.isArray(items)) return [];
      const key = JSON.stringify([pointer, sort]);
      if (sorted?.key !== key) sorted = { key, order: rowOrder(items, part, sort) };
      return tableRowsIn(items, part, sorted.order, from, count);
    },
    valueAt: (pointer) => getAt(output as Json, pointer),
  };
}
