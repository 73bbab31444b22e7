import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { type Dataset, datasetKey } from '../../domain/dataset';
import { jsonObject } from '../../domain/json';
import { money } from '../../domain/money';
import type { Database } from '../database';
import { type Item, split } from '../items';
import { INDEX_JOBS, type JobItem, type JobKind } from '../jobKind';
import { insertJob, insertJobItem } from '../jobRows';
import { recordItems } from '../recordItems';
import { number } from '../rows';
import { sortKey } from '../sortKey';
import { readFirstLine, readOldLines } from './oldLines';

/** A living window of version 0.1.0 touches its lock every few seconds. */
const TOUCHED_WITHIN_MS = 15_000;

const head = z.object({
  id: z.string(),
  environment: z.string(),
  baseUrl: z.string(),
  model: z.string(),
  modelName: z.string(),
  scope: z.string(),
  mode: z.string(),
  params: jsonObject,
  at: z.number(),
});
const file = z.object({
  uri: z.string(),
  imageId: z.string(),
  filename: z.string(),
  contentType: z.string(),
  sizeBytes: z.number(),
  modifiedMs: z.number(),
  sha256: z.optional(z.string()),
  mediaRef: z.optional(z.string()),
});
type OldHead = z.output<typeof head>;
type OldFile = z.output<typeof file>;

/** Jobs of version 0.1.0 indexed files. What resumes them has a kind of the same name. */
const oldKind: JobKind<OldHead, OldFile> = {
  name: INDEX_JOBS,
  head: (value) => head.safeParse(value).data,
  item: (value) => file.safeParse(value).data,
  target: datasetKey,
  key: ({ imageId }) => imageId,
};

const entry = z.discriminatedUnion('kind', [
  z.extend(head, { kind: z.literal('job') }),
  z.object({ kind: z.literal('planned'), items: z.array(file) }),
  z.object({
    kind: z.literal('uploaded'),
    item: z.number(),
    sha256: z.string(),
    sizeBytes: z.number(),
    modifiedMs: z.number(),
    mediaRef: z.optional(z.string()),
  }),
  z.object({ kind: z.literal('sent'), run: z.number(), items: z.array(z.number()) }),
  z.object({
    kind: z.literal('answered'),
    run: z.number(),
    outcome: z.enum(['indexed', 'failed', 'unknown', 'returned']),
    reason: z.optional(z.string()),
    runId: z.optional(z.string()),
    cost: z.optional(money),
    failed: z.optional(z.array(z.object({ item: z.number(), reason: z.string() }))),
    at: z.number(),
  }),
  z.object({
    kind: z.literal('left'),
    item: z.number(),
    outcome: z.enum(['failed', 'skipped']),
    reason: z.optional(z.string()),
  }),
  z.object({ kind: z.literal('ended'), how: z.string(), at: z.number() }),
]);
type Entry = z.output<typeof entry>;
type Told = Extract<Entry, { kind: 'answered' }>;
interface OldJob {
  head?: OldHead;
  readonly items: JobItem<OldFile>[];
  readonly requests: Map<number, { readonly items: readonly number[]; told?: Told }>;
  ended: boolean;
}

/** Whether a window of version 0.1.0 is working on the dataset of a job right now: its file is left for later. */
export function isWorkedOn(jobsFolder: string, file: string): boolean {
  const head = entry.safeParse(readFirstLine(file));
  if (!head.success || head.data.kind !== 'job') return false;
  try {
    const { mtimeMs } = statSync(`${lockOf(jobsFolder, head.data)}.lock`);
    return Date.now() - mtimeMs < TOUCHED_WITHIN_MS;
  } catch {
    return false;
  }
}

function lockOf(jobsFolder: string, dataset: Dataset): string {
  return join(
    jobsFolder,
    'locks',
    createHash('sha256').update(datasetKey(dataset)).digest('hex').slice(0, 32),
  );
}

/**
 * An interrupted job of `jobs/*.jsonl`. What it had sent without a response is unknown, for the given reason, and what
 * the ledger had not heard of goes into the dataset. Inside a change.
 */
export function importJob(database: Database, file: string, closedReason: string): { unreadable: number } {
  const { job, unreadable } = readJob(file);
  const { head, items, requests, ended } = job;
  if (!head || ended) return { unreadable };
  for (const { items: sent, told } of requests.values())
    if (!told) for (const n of sent) markLost(items[n], closedReason);
  database.run('DELETE FROM in_flight WHERE job = ?', head.id);
  database.run('DELETE FROM job WHERE id = ?', head.id);
  insertJob(database, oldKind, head);
  for (const item of items) insertJobItem(database, oldKind, head.id, item);
  for (const [n, { told }] of requests)
    database.run(
      'INSERT INTO request (job, n, sent_at, answered_at, outcome, reason, run_id, cost, currency) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ...[
        head.id,
        n,
        head.at,
        told?.at ?? Date.now(),
        newName(told?.outcome ?? 'unknown'),
        told?.reason ?? closedReason,
      ],
      ...[told?.runId ?? null, told?.cost?.amount ?? null, told?.cost?.currency ?? null],
    );
  const next = [...requests.keys()].reduce((most, n) => Math.max(most, n + 1), 0);
  database.run('UPDATE job SET planned = 1, next_request = ? WHERE id = ?', next, head.id);
  recordItems(
    database,
    items
      .filter(({ state }) => ['done', 'failed', 'unknown'].includes(state))
      .map((item) => itemOf(head, item))
      .filter((item) => !isKnown(database, item, item.at)),
  );
  return { unreadable };
}

function itemOf(
  { baseUrl, model, scope, at: plannedAt }: OldHead,
  {
    uri,
    sha256 = '',
    state,
    index: _,
    filename: _f,
    contentType: _c,
    at = plannedAt,
    ...item
  }: JobItem<OldFile>,
): Item {
  const outcome = state === 'done' ? 'indexed' : state === 'failed' ? 'failed' : 'unknown';
  return { baseUrl, model, scope, file: uri, sha256, at, outcome, ...item };
}

/** What was done was called by what it did. */
function newName<T extends string>(outcome: T | 'indexed'): T | 'done' {
  return outcome === 'indexed' ? 'done' : (outcome as T);
}

function markLost(item: JobItem<OldFile> | undefined, reason: string): void {
  if (item?.state === 'inFlight') Object.assign(item, { state: 'unknown', reason, at: Date.now() });
}

function isKnown(database: Database, { baseUrl, model, scope, imageId }: Item, at: number): boolean {
  const { folder, name } = split(imageId);
  const known = database.get(
    `SELECT i.at FROM dataset d JOIN folder f ON f.dataset = d.id JOIN item i ON i.folder = f.id
     WHERE d.base_url = ? AND d.model = ? AND d.scope = ? AND d.forgotten = 0 AND f.path = ? AND i.name_key = ?`,
    (row) => number(row, 'at'),
    ...[baseUrl, model, scope, folder, sortKey(name)],
  );
  return known !== undefined && known >= at;
}

function readJob(file: string): { job: OldJob; unreadable: number } {
  const job: OldJob = { items: [], requests: new Map(), ended: false };
  const { unreadable } = readOldLines(file, (value) => {
    const parsed = entry.safeParse(value);
    if (parsed.success) apply(job, parsed.data);
    return parsed.success;
  });
  return { job, unreadable };
}

function apply(job: OldJob, line: Entry): void {
  const change = (n: number, to: Partial<JobItem<OldFile>>) =>
    void (job.items[n] && Object.assign(job.items[n], to));
  switch (line.kind) {
    case 'job': {
      const { kind: _, ...first } = line;
      job.head ??= first;
      return;
    }
    case 'planned':
      for (const item of line.items) job.items.push({ ...item, index: job.items.length, state: 'planned' });
      return;
    case 'uploaded': {
      const { item, mediaRef, sha256, sizeBytes, modifiedMs } = line;
      change(item, {
        sha256,
        sizeBytes,
        modifiedMs,
        ...(mediaRef !== undefined && { mediaRef }),
        state: 'ready',
      });
      return;
    }
    case 'sent':
      job.requests.set(line.run, { items: line.items });
      for (const n of line.items) change(n, { state: 'inFlight' });
      return;
    case 'answered': {
      const request = job.requests.get(line.run);
      if (request) request.told = line;
      const { reason, at } = line;
      const state = line.outcome === 'returned' ? 'ready' : newName(line.outcome);
      for (const n of request?.items ?? []) change(n, { state, at, ...(reason !== undefined && { reason }) });
      for (const { item, reason } of line.failed ?? []) change(item, { state: 'failed', reason });
      return;
    }
    case 'left':
      change(line.item, { state: line.outcome, ...(line.reason !== undefined && { reason: line.reason }) });
      return;
    case 'ended':
      job.ended = true;
      return;
  }
}
