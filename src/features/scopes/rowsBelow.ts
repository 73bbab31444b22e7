import { type Dataset, datasetKey } from '../../domain/dataset';
import { addAll } from '../../domain/many';
import type { Datasets, FilePage } from '../../store/datasets';
import type { IndexedFile } from '../../store/items';
import type { NotIndexed, ScopesNode } from './nodes';

/** Rows that are read at once; between two such readings others run. */
const STEP = 500;

/** The first rows of the folders and items directly in a folder of a dataset ('' is the top), folders first. */
export async function rowsBelow(
  datasets: Datasets,
  dataset: Dataset,
  folder: string,
  limit: number,
): Promise<{ readonly rows: ScopesNode[]; readonly left: number }> {
  const folders = await firstOf(limit, (page) => datasets.folders(dataset, folder, page), pathOf);
  const items = await firstOf(
    limit - folders.length,
    (page) => datasets.itemsIn(dataset, folder, page),
    idOf,
  );
  const total = datasets.level(dataset, folder);
  return {
    rows: [
      ...folders.map(({ path, items: count }) => folderRow(dataset, path, count)),
      ...items.map((item): ScopesNode => ({ kind: 'item', id: itemRowId(item), dataset: item, item })),
    ],
    left: Math.max(0, total.folders + total.items - folders.length - items.length),
  };
}

/** The rows of files of one outcome, in the order they were first indexed. */
export async function rowsOfOutcome(
  datasets: Datasets,
  dataset: Dataset,
  outcome: NotIndexed,
  limit: number,
): Promise<ScopesNode[]> {
  const items = await datasets.itemsWith(dataset, outcome, limit);
  return items.map((item) => {
    return { kind: 'item', id: `${outcome} ${itemRowId(item)}`, dataset: item, item, under: outcome };
  });
}

export function folderRow(dataset: Dataset, path: string, items: number): ScopesNode {
  return { kind: 'folder', id: `folder ${datasetKey(dataset)} ${path}`, dataset, path, items };
}

/** Rows of the files that failed or are unconfirmed; where there are none, no row. */
export function notIndexed({ dataset, summary }: ScopesNode & { readonly kind: 'dataset' }): ScopesNode[] {
  return (['failed', 'unknown'] as const).flatMap((outcome) => {
    const items = summary?.counts[outcome] ?? 0;
    return items === 0 ? [] : [notIndexedRow(dataset, outcome, items)];
  });
}

export function notIndexedRow(dataset: Dataset, outcome: NotIndexed, items: number): ScopesNode {
  return { kind: 'notIndexed', id: `${outcome} of ${datasetKey(dataset)}`, dataset, outcome, items };
}

const pathOf = ({ path }: { readonly path: string }) => path;
const idOf = ({ imageId }: IndexedFile) => imageId;

async function firstOf<T>(
  limit: number,
  read: (page: FilePage) => readonly T[],
  nameOf: (row: T) => string,
): Promise<T[]> {
  const rows: T[] = [];
  while (rows.length < limit) {
    const last = rows.at(-1);
    const step = Math.min(STEP, limit - rows.length);
    const page = read({ limit: step, ...(last && { after: nameOf(last) }) });
    addAll(rows, page);
    if (page.length < step) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return rows;
}

/** ID of an item's row; the same for any outcome of the item. */
function itemRowId(item: IndexedFile): string {
  return `item ${datasetKey(item)} ${item.imageId}`;
}
