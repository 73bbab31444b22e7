import type { Dataset } from '../domain/dataset';
import type { Database } from './database';
import { type IndexedFile, key, parentOf, split, THIS_DATASET } from './items';
import { number } from './rows';
import { sortKey } from './sortKey';

/** Records items inside a change. */
export function recordItems(database: Database, items: readonly IndexedFile[]): void {
  const ids = new Map<string, { id: number; added: number }>();
  const added = new Map<string, { dataset: number; folder: string; items: number }>();
  let asked: { of: string; id: number } | undefined;
  for (const item of items) {
    const named = JSON.stringify(key(item));
    if (asked?.of !== named) asked = { of: named, id: datasetId(database, item, item.at) };
    const dataset = asked.id;
    const { folder, name } = split(item.imageId);
    const place = `${dataset} ${folder}`;
    const known = ids.get(place) ?? { id: folderId(database, dataset, folder), added: 0 };
    ids.set(place, known);
    if (upsert(database, item, dataset, known.id, sortKey(name))) {
      const count = added.get(place) ?? { dataset, folder, items: 0 };
      count.items++;
      added.set(place, count);
    }
  }
  for (const { dataset, folder, items: more } of added.values())
    for (let path: string | undefined = folder; path !== undefined; path = parentOf(path))
      database.run('UPDATE folder SET items = items + ? WHERE dataset = ? AND path = ?', more, dataset, path);
}

/** Whether the item is new. */
function upsert(
  database: Database,
  item: IndexedFile,
  dataset: number,
  folder: number,
  nameKey: string,
): boolean {
  const { file, sha256, sizeBytes, modifiedMs, mediaRef = null, at, outcome, reason = null } = item;
  const values = [file, sha256, sizeBytes, modifiedMs, mediaRef, Math.round(at), outcome, reason] as const;
  const changed = database.run(
    `UPDATE item SET file = ?, sha256 = ?, size_bytes = ?, modified_ms = ?, media_ref = ?, at = ?, outcome = ?,
       reason = ? WHERE folder = ? AND name_key = ?`,
    ...values,
    folder,
    nameKey,
  );
  if (changed > 0) return false;
  database.run(
    `INSERT INTO item (file, sha256, size_bytes, modified_ms, media_ref, at, outcome, reason, folder, name_key, dataset)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...values,
    folder,
    nameKey,
    dataset,
  );
  return true;
}

/** The row of a dataset, made when it is not there; inside a change. */
export function datasetId(database: Database, dataset: Dataset, at: number): number {
  const known = database.get(
    `SELECT d.id FROM dataset d WHERE ${THIS_DATASET}`,
    (row) => number(row, 'id'),
    ...key(dataset),
  );
  return (
    known ??
    database.insert(
      'INSERT INTO dataset (base_url, model, scope, last_at) VALUES (?, ?, ?, ?)',
      ...key(dataset),
      Math.round(at),
    )
  );
}

function folderId(database: Database, dataset: number, path: string): number {
  const known = database.get(
    'SELECT id FROM folder WHERE dataset = ? AND path = ?',
    (row) => number(row, 'id'),
    dataset,
    path,
  );
  if (known !== undefined) return known;
  const parent = parentOf(path);
  if (parent !== undefined) folderId(database, dataset, parent);
  return database.insert(
    'INSERT INTO folder (dataset, path, parent, name_key) VALUES (?, ?, ?, ?)',
    ...[dataset, path, parent ?? null, sortKey(split(path).name)],
  );
}
