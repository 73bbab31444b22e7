import { jsonObject } from '../domain/json';
import type { Database, Row } from './database';
import { itemStates, type JobHead, type JobItem, type JobKind } from './jobKind';
import { json, number, oneOf, optional, text } from './rows';
import { StoreProblem } from './storeProblem';

/** Inside a change. */
export function insertJob<Head extends JobHead, Item>(
  database: Database,
  kind: JobKind<Head, Item>,
  head: Head,
): void {
  database.run(
    'INSERT INTO job (id, kind, target, head, at) VALUES (?, ?, ?, ?, ?)',
    ...[head.id, kind.name, kind.target(head), JSON.stringify(head), head.at],
  );
}

/** Inside a change. */
export function insertJobItem<Head extends JobHead, Item>(
  database: Database,
  kind: JobKind<Head, Item>,
  job: string,
  item: JobItem<Item>,
): void {
  database.run(
    'INSERT INTO job_item (job, n, key, body, state, reason, at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ...[job, item.index, kind.key(item), bodyOf(kind, item), item.state],
    ...[item.reason ?? null, item.at ?? null],
  );
}

/** The kept part of an item. */
export function bodyOf<Head extends JobHead, Item>(kind: JobKind<Head, Item>, item: Item): string {
  return JSON.stringify(kind.item(item));
}

export const readItemState = oneOf(itemStates);
const recordOf = json(jsonObject);

/** Undefined: a newer version has written it. */
export function readHead<Head extends JobHead, Item>(kind: JobKind<Head, Item>, row: Row): Head | undefined {
  return kind.head({ ...recordOf(row, 'head'), id: text(row, 'id'), at: number(row, 'at') });
}

export function jobItemOf<Head extends JobHead, Item>(kind: JobKind<Head, Item>, row: Row): JobItem<Item> {
  const item = kind.item(recordOf(row, 'body'));
  if (item === undefined)
    throw new StoreProblem('damaged', `Item ${row.n} of the job ${row.job} cannot be read.`);
  return {
    ...item,
    index: number(row, 'n'),
    state: readItemState(row, 'state'),
    ...optional(row, 'reason', text),
    ...optional(row, 'at', number),
  };
}

export function unpricedRequests(database: Database, job: string): number {
  const sql = `SELECT count(*) AS n FROM request
    WHERE job = ? AND cost IS NULL AND outcome IN ('done', 'unknown')`;
  return database.count(sql, job);
}
