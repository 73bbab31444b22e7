import type { Dataset } from '../domain/dataset';
import type { Database, Row } from './database';
import {
  type IndexedFile,
  type IndexedFileState,
  ITEM_COLUMNS,
  itemOf,
  joined,
  key,
  readFileState,
  THIS_DATASET,
} from './items';
import { number, text } from './rows';

/** Rows of a page: about a millisecond. */
const PAGE = 500;

/** The facts that show whether a file has changed since it was indexed. */
export interface KnownFile {
  readonly imageId: string;
  readonly file: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly outcome: IndexedFileState;
}

/** Items of a dataset in the order they were first indexed; those of one outcome if it is given. */
export function itemPages(
  database: Database,
  dataset: Dataset,
  outcome?: Exclude<IndexedFileState, 'indexed'>,
): AsyncGenerator<readonly IndexedFile[]> {
  const those = outcome === undefined ? '' : `AND i.outcome = '${outcome}' AND i.outcome <> 'indexed'`;
  const sql = `SELECT i.id AS item_id, ${ITEM_COLUMNS} FROM item i JOIN folder f ON f.id = i.folder
    JOIN dataset d ON d.id = i.dataset WHERE i.id > ? AND i.dataset = ? ${those} ORDER BY i.id LIMIT ${PAGE}`;
  return pages(database, dataset, (...at) => database.all(sql, ...at), itemOf);
}

export function knownFilePages(database: Database, dataset: Dataset): AsyncGenerator<readonly KnownFile[]> {
  const sql = `SELECT i.id AS item_id, f.path, i.name_key, i.file, i.size_bytes, i.modified_ms, i.outcome
    FROM item i JOIN folder f ON f.id = i.folder WHERE i.id > ? AND i.dataset = ? ORDER BY i.id LIMIT ${PAGE}`;
  return pages(database, dataset, (...at) => database.all(sql, ...at), knownFileOf);
}

async function* pages<T>(
  database: Database,
  dataset: Dataset,
  read: (parse: (row: Row) => T, after: number, datasetId: number) => T[],
  parse: (row: Row) => T,
): AsyncGenerator<readonly T[]> {
  const id = database.get(
    `SELECT d.id FROM dataset d WHERE ${THIS_DATASET}`,
    (row) => number(row, 'id'),
    ...key(dataset),
  );
  if (id === undefined) return;
  for (let after = 0; ; ) {
    const noted = (row: Row) => {
      after = number(row, 'item_id');
      return parse(row);
    };
    const page = read(noted, after, id);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function knownFileOf(row: Row): KnownFile {
  return {
    imageId: joined(text(row, 'path'), text(row, 'name_key')),
    file: text(row, 'file'),
    sizeBytes: number(row, 'size_bytes'),
    modifiedMs: number(row, 'modified_ms'),
    outcome: readFileState(row, 'outcome'),
  };
}
