import { type Dataset, datasetKey } from '../../domain/dataset';
import type { LedgerItem } from '../../indexing/ledgerItem';
import type { ScopesNode } from './nodes';

/** Rows of the folders and items directly below a path of a dataset ('' or 'a/b/'), folders first, each by name. */
export function rowsBelow(prefix: string, dataset: Dataset, all: readonly LedgerItem[]): ScopesNode[] {
  /** How many items are below each. */
  const folders = new Map<string, number>();
  const items: LedgerItem[] = [];
  for (const item of all) {
    if (!item.imageId.startsWith(prefix)) continue;
    const slash = item.imageId.indexOf('/', prefix.length);
    if (slash < 0) items.push(item);
    else {
      const folder = item.imageId.slice(0, slash);
      folders.set(folder, (folders.get(folder) ?? 0) + 1);
    }
  }
  // picture-2 before picture-10.
  const byName = new Intl.Collator(undefined, { numeric: true });
  return [
    ...[...folders]
      .sort(([a], [b]) => byName.compare(a, b))
      .map(([path, count]): ScopesNode => {
        return { kind: 'folder', id: `folder ${datasetKey(dataset)} ${path}`, dataset, path, items: count };
      }),
    ...items
      .sort((a, b) => byName.compare(a.imageId, b.imageId))
      .map((item): ScopesNode => ({ kind: 'item', id: itemRowId(item), dataset: item, item })),
  ];
}

/** Id of an item's row; the same whatever the item's outcome. */
export function itemRowId(item: LedgerItem): string {
  return `item ${datasetKey(item)} ${item.imageId}`;
}
