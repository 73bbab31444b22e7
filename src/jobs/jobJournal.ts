import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { money } from '../domain/money';
import type { Journal } from '../journal/journal';
import { openJournal } from '../journal/openJournal';

/** What a job is, its journal's first line. */
const head = z.object({
  kind: z.literal('job'),
  id: z.string(),
  environment: z.string(),
  baseUrl: z.string(),
  model: z.string(),
  modelName: z.string(),
  scope: z.string(),
  mode: z.string(),
  params: z.record(z.string(), z.json()),
  at: z.number(),
});

const plannedItem = z.object({
  uri: z.string(),
  imageId: z.string(),
  filename: z.string(),
  contentType: z.string(),
  sizeBytes: z.number(),
  modifiedMs: z.number(),
  sha256: z.optional(z.string()),
});

const end = z.enum(['finished', 'cancelled', 'discarded']);

/**
 * The steps of a job, written before and after each. Items are named by their place in the plan. `sent` stands on
 * disk before the bytes of a run leave: what was sent and not answered is unknown to whoever reads it later.
 */
const entry = z.discriminatedUnion('kind', [
  head,
  z.object({ kind: z.literal('planned'), items: z.array(plannedItem) }),
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
    /** `returned`: it was not executed, its items are to be sent again (in smaller parts, or after a pause). */
    outcome: z.enum(['indexed', 'failed', 'unknown', 'returned']),
    reason: z.optional(z.string()),
    runId: z.optional(z.string()),
    cost: z.optional(money),
    /** Items that failed in a run that was executed, with the service's reason. */
    failed: z.optional(z.array(z.object({ item: z.number(), reason: z.string() }))),
    at: z.number(),
  }),
  /** `skipped`: another window has indexed the same content meanwhile. */
  z.object({
    kind: z.literal('left'),
    item: z.number(),
    outcome: z.enum(['failed', 'skipped']),
    reason: z.optional(z.string()),
  }),
  z.object({ kind: z.literal('ended'), how: end, at: z.number() }),
]);

export type JobEntry = z.infer<typeof entry>;
export type JobHead = z.infer<typeof head>;
export type PlannedItem = Readonly<z.infer<typeof plannedItem>>;
export type JobEnd = z.infer<typeof end>;

/** An item as far as its job has come with it. */
export interface JobItem extends PlannedItem {
  readonly index: number;
  state: 'planned' | 'uploaded' | 'inFlight' | 'indexed' | 'failed' | 'unknown' | 'skipped';
  mediaRef?: string;
  /** Its content, where that stands in the request; only while it waits for its run. */
  text?: string;
  sha256?: string;
  sizeBytes: number;
  modifiedMs: number;
  reason?: string;
  /** Milliseconds since the epoch, of its outcome. */
  at?: number;
}

export interface JobRecord {
  readonly head: JobHead;
  readonly items: JobItem[];
  /** Number of the next run. */
  nextRun: number;
  readonly costs: { readonly amount: string; readonly currency?: string }[];
  ended?: JobEnd;
}

/** Items in one line of the plan: a torn line loses one line. */
const PLAN_LINE = 200;

/** Writes a new job with its plan into the folder, and returns the open journal. */
export async function createJobJournal(
  folder: string,
  job: Omit<JobHead, 'kind' | 'id' | 'at'>,
  items: readonly PlannedItem[],
): Promise<{ journal: Journal<JobEntry>; record: JobRecord; file: string }> {
  const id = randomUUID();
  const file = join(folder, `${id}.jsonl`);
  const journal = await openJournal(file, parseEntry);
  const lines: JobEntry[] = [{ kind: 'job', ...job, id, at: Date.now() }];
  for (let at = 0; at < items.length; at += PLAN_LINE)
    lines.push({ kind: 'planned', items: items.slice(at, at + PLAN_LINE).map(pickPlanned) });
  await journal.appendAll(lines);
  const record = replay(journal.records);
  if (!record) throw new Error('The plan of the job could not be written.');
  return { journal, record, file };
}

/** Opens a job that was left; undefined when the file holds none. */
export async function openJobJournal(
  file: string,
): Promise<{ journal: Journal<JobEntry>; record: JobRecord; file: string } | undefined> {
  const journal = await openJournal(file, parseEntry);
  const record = replay(journal.records);
  return record && { journal, record, file };
}

/** The jobs whose journals are still in the folder. */
export async function listJobFiles(folder: string): Promise<string[]> {
  const names = await fs.readdir(folder).catch((): string[] => []);
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name));
}

/** What a job's lines amount to. Runs without a response leave their items in flight: the caller knows whether anyone still waits for them. */
function replay(entries: readonly JobEntry[]): JobRecord | undefined {
  const [first, ...rest] = entries;
  if (first?.kind !== 'job') return undefined;
  const record: JobRecord = { head: first, items: [], nextRun: 0, costs: [] };
  const runs = new Map<number, readonly number[]>();
  for (const line of rest) applyEntry(record, runs, line);
  return record;
}

function applyEntry(record: JobRecord, runs: Map<number, readonly number[]>, line: JobEntry): void {
  const item = (index: number) => record.items[index];
  switch (line.kind) {
    case 'job':
      return;
    case 'planned':
      for (const planned of line.items)
        record.items.push({ ...planned, index: record.items.length, state: 'planned' });
      return;
    case 'uploaded': {
      const { mediaRef, sha256, sizeBytes, modifiedMs } = line;
      const uploaded = item(line.item);
      if (uploaded) Object.assign(uploaded, { mediaRef, sha256, sizeBytes, modifiedMs, state: 'uploaded' });
      return;
    }
    case 'sent':
      runs.set(line.run, line.items);
      record.nextRun = Math.max(record.nextRun, line.run + 1);
      for (const index of line.items) Object.assign(item(index) ?? {}, { state: 'inFlight' });
      return;
    case 'answered': {
      if (line.cost) record.costs.push(line.cost);
      const state = line.outcome === 'returned' ? 'uploaded' : line.outcome;
      for (const index of runs.get(line.run) ?? [])
        Object.assign(item(index) ?? {}, { state, reason: line.reason, at: line.at });
      for (const { item: index, reason } of line.failed ?? [])
        Object.assign(item(index) ?? {}, { state: 'failed', reason });
      return;
    }
    case 'left':
      Object.assign(item(line.item) ?? {}, { state: line.outcome, reason: line.reason });
      return;
    case 'ended':
      record.ended = line.how;
      return;
  }
}

function parseEntry(value: unknown): JobEntry | undefined {
  const parsed = entry.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

function pickPlanned(item: PlannedItem): PlannedItem {
  const { uri, imageId, filename, contentType, sizeBytes, modifiedMs, sha256 } = item;
  return { uri, imageId, filename, contentType, sizeBytes, modifiedMs, ...(sha256 && { sha256 }) };
}
