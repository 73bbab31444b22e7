import type { Dataset } from '../domain/dataset';
import { inSteps } from './chunks';
import type { Database, Row } from './database';
import { itemPages, type KnownFile, knownFilePages } from './itemPages';
import {
  type IndexedFile,
  type IndexedFileState,
  ITEM_COLUMNS,
  itemOf,
  key,
  split,
  THIS_DATASET,
} from './items';
import { datasetId, recordItems } from './recordItems';
import { touch } from './revisions';
import { number, text } from './rows';
import { sortKey } from './sortKey';

export interface DatasetSummary extends Dataset {
  /** Items of every outcome. */
  readonly items: number;
  readonly counts: Readonly<Record<IndexedFileState, number>>;
  /** When it was last written to, or added; milliseconds since the epoch. */
  readonly lastAt: number;
}

export interface FolderRow {
  readonly path: string;
  /** Items below it, at any depth. */
  readonly items: number;
}

/** Rows of one level, from after the one named, in the order of their names. */
export interface FilePage {
  readonly after?: string;
  readonly limit: number;
}

const ITEM_TABLES = 'dataset d JOIN folder f ON f.dataset = d.id JOIN item i ON i.folder = f.id';
/** Items that are recorded in a step: each is an entry in five indexes. */
const RECORD_STEP = 150;
/** Rows that are removed in a step: a few milliseconds. */
const STEP = 500;

/** Datasets and their items. */
export class Datasets {
  constructor(private readonly database: Database) {}

  summaries(baseUrl: string): DatasetSummary[] {
    return this.database.all(
      'SELECT * FROM dataset WHERE base_url = ? AND forgotten = 0 ORDER BY id',
      summaryOf,
      baseUrl,
    );
  }

  find(dataset: Dataset, imageId: string): IndexedFile | undefined {
    const { folder, name } = split(imageId);
    return this.database.get(
      `SELECT ${ITEM_COLUMNS} FROM ${ITEM_TABLES} WHERE ${THIS_DATASET} AND f.path = ? AND i.name_key = ?`,
      itemOf,
      ...[...key(dataset), folder, sortKey(name)],
    );
  }

  /** The item of a hit, which names it by its ID, or by its reference at the service. */
  ofHit(dataset: Dataset, id: string): IndexedFile | undefined {
    const byReference = () =>
      this.database.get(
        `SELECT ${ITEM_COLUMNS} FROM item i JOIN folder f ON f.id = i.folder JOIN dataset d ON d.id = i.dataset
         WHERE ${THIS_DATASET} AND i.media_ref = ? LIMIT 1`,
        itemOf,
        ...[...key(dataset), id],
      );
    return this.find(dataset, id) ?? byReference();
  }

  /** Every dataset a file is in. */
  ofFile(file: string): IndexedFile[] {
    return this.database.all(
      `SELECT ${ITEM_COLUMNS} FROM item i JOIN folder f ON f.id = i.folder JOIN dataset d ON d.id = i.dataset
       WHERE i.file = ? AND d.forgotten = 0`,
      itemOf,
      file,
    );
  }

  /** Items of all datasets in the order of their files' URIs, from a URI on. */
  byFile(from: string, limit: number): IndexedFile[] {
    return this.database.all(
      `SELECT ${ITEM_COLUMNS} FROM item i JOIN folder f ON f.id = i.folder JOIN dataset d ON d.id = i.dataset
       WHERE i.file >= ? AND d.forgotten = 0 ORDER BY i.file LIMIT ?`,
      itemOf,
      ...[from, limit],
    );
  }

  /** How many folders and items are directly in a folder ('' is the top). */
  level(dataset: Dataset, folder: string): { readonly folders: number; readonly items: number } {
    const level = this.database.get(
      `SELECT f.items - total(c.items) AS items, count(c.id) AS folders FROM dataset d
       JOIN folder f ON f.dataset = d.id
       LEFT JOIN folder c ON c.dataset = f.dataset AND c.parent = f.path AND c.items > 0
       WHERE ${THIS_DATASET} AND f.path = ? GROUP BY f.id`,
      (row) => ({ folders: number(row, 'folders'), items: number(row, 'items') }),
      ...[...key(dataset), folder],
    );
    return level ?? { folders: 0, items: 0 };
  }

  /** Folders directly below a folder. */
  folders(dataset: Dataset, parent: string, { after, limit }: FilePage): FolderRow[] {
    return this.database.all(
      `SELECT f.path, f.items FROM dataset d JOIN folder f ON f.dataset = d.id
       WHERE ${THIS_DATASET} AND f.parent = ? AND f.name_key > ? AND f.items > 0 ORDER BY f.name_key LIMIT ?`,
      (row) => ({ path: text(row, 'path'), items: number(row, 'items') }),
      ...[...key(dataset), parent, after === undefined ? '' : sortKey(split(after).name), limit],
    );
  }

  /** Items directly in a folder. */
  itemsIn(dataset: Dataset, folder: string, { after, limit }: FilePage): IndexedFile[] {
    return this.database.all(
      `SELECT ${ITEM_COLUMNS} FROM ${ITEM_TABLES} WHERE ${THIS_DATASET} AND f.path = ? AND i.name_key > ?
       ORDER BY i.name_key LIMIT ?`,
      itemOf,
      ...[...key(dataset), folder, after === undefined ? '' : sortKey(split(after).name), limit],
    );
  }

  /** All items, in the order they were first indexed, a page at a time: between two the thread is free. */
  items(dataset: Dataset): AsyncGenerator<readonly IndexedFile[]> {
    return itemPages(this.database, dataset);
  }

  /** Items that are not indexed, or not known to be. @param most missing: all */
  async itemsWith(
    dataset: Dataset,
    outcome: Exclude<IndexedFileState, 'indexed'>,
    most = Number.POSITIVE_INFINITY,
  ): Promise<IndexedFile[]> {
    const items: IndexedFile[] = [];
    for await (const page of itemPages(this.database, dataset, outcome)) {
      items.push(...page.slice(0, most - items.length));
      if (items.length >= most) break;
    }
    return items;
  }

  /** Every known file of a dataset: a plan compares a hundred thousand of them. */
  knownFiles(dataset: Dataset): AsyncGenerator<readonly KnownFile[]> {
    return knownFilePages(this.database, dataset);
  }

  /** Records new items, or replaces their earlier records. */
  async record(items: readonly IndexedFile[]): Promise<void> {
    for (let at = 0; at < items.length; at += RECORD_STEP) {
      await this.database.write(() => this.recordNow(items.slice(at, at + RECORD_STEP)));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** The same inside a change, of a few items. */
  recordNow(items: readonly IndexedFile[]): void {
    if (items.length === 0) return;
    recordItems(this.database, items);
    touch(this.database, 'datasets');
  }

  /** Adds a dataset that was made elsewhere, by name. */
  add(dataset: Dataset): Promise<void> {
    return this.database.write(() => {
      datasetId(this.database, dataset, Date.now());
      touch(this.database, 'datasets');
    });
  }

  /** Forgets a dataset here, at once; its rows are removed in steps afterwards, or after the next start. */
  async forget(dataset: Dataset): Promise<void> {
    await this.database.write(() => {
      this.database.run(
        'UPDATE dataset SET forgotten = 1 WHERE base_url = ? AND model = ? AND scope = ? AND forgotten = 0',
        ...key(dataset),
      );
      touch(this.database, 'datasets');
    });
  }

  /** Removes the rows of forgotten datasets, in steps. */
  async sweep(): Promise<void> {
    const { database } = this;
    const forgotten = database.all('SELECT id FROM dataset WHERE forgotten = 1', (row) => number(row, 'id'));
    for (const id of forgotten) {
      for (const table of ['item', 'folder'])
        await inSteps(database, STEP, (limit) =>
          database.run(
            `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE dataset = ? LIMIT ?)`,
            ...[id, limit],
          ),
        );
      await database.write(() => database.run('DELETE FROM dataset WHERE id = ?', id));
    }
  }
}

function summaryOf(row: Row): DatasetSummary {
  const counts = {
    indexed: number(row, 'indexed'),
    failed: number(row, 'failed'),
    unknown: number(row, 'unknown'),
  };
  return {
    baseUrl: text(row, 'base_url'),
    model: text(row, 'model'),
    scope: text(row, 'scope'),
    items: counts.indexed + counts.failed + counts.unknown,
    counts,
    lastAt: number(row, 'last_at'),
  };
}
