import type { Dataset } from '../domain/dataset';
import { inSteps } from './chunks';
import type { Database, Row } from './database';
import { ITEM_COLUMNS, type Item, type ItemOutcome, itemOf, joined, key, split, THIS_DATASET } from './items';
import { datasetId, recordItems } from './recordItems';
import { touch } from './revisions';
import { number, oneOf, text } from './rows';

export interface DatasetSummary extends Dataset {
  /** Items of every outcome. */
  readonly items: number;
  readonly counts: Readonly<Record<ItemOutcome, number>>;
  /** When it was last written to, or added; milliseconds since the epoch. */
  readonly lastAt: number;
}

/** What says whether a file is as it was when it was indexed. */
export interface KnownFile {
  readonly imageId: string;
  readonly file: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly outcome: ItemOutcome;
}

export interface FolderRow {
  readonly path: string;
  /** Items below it, at any depth. */
  readonly items: number;
}

const ITEM_TABLES = 'dataset d JOIN folder f ON f.dataset = d.id JOIN item i ON i.folder = f.id';
/** Rows that one step handles: a few milliseconds. */
const STEP = 500;
/** Items that are recorded in a step: each is an entry in four indexes. */
const RECORD_STEP = 150;

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

  find(dataset: Dataset, imageId: string): Item | undefined {
    const { folder, name } = split(imageId);
    return this.database.get(
      `SELECT ${ITEM_COLUMNS} FROM ${ITEM_TABLES} WHERE ${THIS_DATASET} AND f.path = ? AND i.name = ?`,
      itemOf,
      ...key(dataset),
      folder,
      name,
    );
  }

  /** Every dataset a file is in. */
  ofFile(file: string): Item[] {
    return this.database.all(
      `SELECT ${ITEM_COLUMNS} FROM item i JOIN folder f ON f.id = i.folder JOIN dataset d ON d.id = i.dataset
       WHERE i.file = ? AND d.forgotten = 0`,
      itemOf,
      file,
    );
  }

  /** Folders directly below a folder ('' is the top), by path. */
  folders(dataset: Dataset, parent: string): FolderRow[] {
    return this.database.all(
      `SELECT f.path, f.items FROM dataset d JOIN folder f ON f.dataset = d.id
       WHERE ${THIS_DATASET} AND f.parent = ? AND f.items > 0 ORDER BY f.path`,
      (row) => ({ path: text(row, 'path'), items: number(row, 'items') }),
      ...key(dataset),
      parent,
    );
  }

  /** Items directly in a folder, by name, from after the one named. */
  itemsIn(dataset: Dataset, folder: string, page: { after?: string; limit: number }): Item[] {
    return this.database.all(
      `SELECT ${ITEM_COLUMNS} FROM ${ITEM_TABLES} WHERE ${THIS_DATASET} AND f.path = ? AND i.name > ?
       ORDER BY i.name LIMIT ?`,
      itemOf,
      ...key(dataset),
      folder,
      page.after ?? '',
      page.limit,
    );
  }

  /** All items, in the order they were first indexed, a page at a time: between two the thread is free. */
  async *items(dataset: Dataset): AsyncGenerator<Item> {
    for await (const page of this.#pages(dataset, ITEM_COLUMNS, itemOf)) yield* page;
  }

  /** What is known of every file of a dataset: a plan compares a hundred thousand of them. */
  async *knownFiles(dataset: Dataset): AsyncGenerator<readonly KnownFile[]> {
    yield* this.#pages(
      dataset,
      'f.path AS folder, i.name, i.file, i.size_bytes, i.modified_ms, i.outcome',
      knownFileOf,
    );
  }

  /** Records items, new ones or over what was known of them. */
  async record(items: readonly Item[]): Promise<void> {
    for (let at = 0; at < items.length; at += RECORD_STEP)
      await this.database.write('durable', () => {
        recordItems(this.database, items.slice(at, at + RECORD_STEP));
        touch(this.database, 'datasets');
      });
  }

  /** Adds a dataset that was made elsewhere, by name. */
  add(dataset: Dataset): Promise<void> {
    return this.database.write('durable', () => {
      datasetId(this.database, dataset, Date.now());
      touch(this.database, 'datasets');
    });
  }

  /** Forgets a dataset here, at once; its rows are removed in steps afterwards, or after the next start. */
  async forget(dataset: Dataset): Promise<void> {
    await this.database.write('durable', () => {
      this.database.run(
        'UPDATE dataset SET forgotten = 1 WHERE base_url = ? AND model = ? AND scope = ? AND forgotten = 0',
        ...key(dataset),
      );
      touch(this.database, 'datasets');
    });
  }

  /** Removes the rows of forgotten datasets. */
  async sweep(): Promise<void> {
    const forgotten = this.database.all('SELECT id FROM dataset WHERE forgotten = 1', (row) =>
      number(row, 'id'),
    );
    for (const id of forgotten) {
      await inSteps(this.database, STEP, (limit) =>
        this.database.run(
          'DELETE FROM item WHERE id IN (SELECT id FROM item WHERE dataset = ? LIMIT ?)',
          id,
          limit,
        ),
      );
      await inSteps(this.database, STEP, (limit) =>
        this.database.run(
          'DELETE FROM folder WHERE id IN (SELECT id FROM folder WHERE dataset = ? LIMIT ?)',
          id,
          limit,
        ),
      );
      await this.database.write('eventual', () => this.database.run('DELETE FROM dataset WHERE id = ?', id));
    }
  }

  async *#pages<T>(dataset: Dataset, columns: string, parse: (row: Row) => T): AsyncGenerator<readonly T[]> {
    const id = this.database.get(
      `SELECT d.id FROM dataset d WHERE ${THIS_DATASET}`,
      (row) => number(row, 'id'),
      ...key(dataset),
    );
    if (id === undefined) return;
    for (let after = 0; ; ) {
      const page = this.database.all(
        `SELECT i.id AS item_id, ${columns} FROM item i JOIN folder f ON f.id = i.folder
         JOIN dataset d ON d.id = i.dataset WHERE i.id > ? AND i.dataset = ? ORDER BY i.id LIMIT ${STEP}`,
        (row) => {
          after = number(row, 'item_id');
          return parse(row);
        },
        after,
        id,
      );
      if (page.length === 0) return;
      yield page;
      await new Promise((resolve) => setImmediate(resolve));
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

const outcomeOf = oneOf(['indexed', 'failed', 'unknown']);

function knownFileOf(row: Row): KnownFile {
  return {
    imageId: joined(text(row, 'folder'), text(row, 'name')),
    file: text(row, 'file'),
    sizeBytes: number(row, 'size_bytes'),
    modifiedMs: number(row, 'modified_ms'),
    outcome: outcomeOf(row, 'outcome'),
  };
}
