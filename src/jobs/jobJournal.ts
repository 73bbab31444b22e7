import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { type Money, money } from '../domain/money';
import type { Journal } from '../journal/journal';
import { openJournal } from '../journal/openJournal';
import type { JobHead, JobItem, JobKind } from './jobWork';

const end = z.enum(['finished', 'cancelled', 'discarded']);
export type JobEnd = z.infer<typeof end>;

/**
 * The steps of a run, written before and after each. Items are named by their place in the plan. `sent` is on
 * disk before the bytes of a run leave: whoever reads `sent` without `answered` later knows that the outcome is
 * unknown.
 */
const step = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sent'), run: z.number(), items: z.array(z.number()) }),
  z.object({
    kind: z.literal('answered'),
    run: z.number(),
    /** `indexed`: done, of every kind of job. `returned`: it was not executed, its items are sent again. */
    outcome: z.enum(['indexed', 'failed', 'unknown', 'returned']),
    reason: z.optional(z.string()),
    runId: z.optional(z.string()),
    cost: z.optional(money),
    /** Items that failed in a run that was executed, with the service's reason. */
    failed: z.optional(z.array(z.object({ item: z.number(), reason: z.string() }))),
    at: z.number(),
  }),
  /** An outcome without a run. */
  z.object({
    kind: z.literal('left'),
    item: z.number(),
    outcome: z.enum(['failed', 'skipped']),
    reason: z.optional(z.string()),
  }),
  z.object({ kind: z.literal('ended'), how: end, at: z.number() }),
]);
type Step = z.infer<typeof step>;

/** A line of a journal, as it is on disk. `uploaded`: an item was prepared. */
export type JobLine<Head, Item> =
  | ({ readonly kind: 'job' } & Head)
  | { readonly kind: 'planned'; readonly items: readonly Item[] }
  | ({ readonly kind: 'uploaded'; readonly item: number } & Partial<Item>)
  | Step;

export interface JobRecord<Head, Item> {
  readonly head: Head;
  readonly items: JobItem<Item>[];
  /** Number of the next run. */
  nextRun: number;
  readonly costs: readonly Money[];
  readonly ended: JobEnd | undefined;
}

export interface OpenJournal<Head, Item> {
  readonly journal: Journal<JobLine<Head, Item>>;
  readonly record: JobRecord<Head, Item>;
  readonly file: string;
}

/** Items in one line of the plan: a torn line loses one line. */
const PLAN_LINE = 200;

/** Writes a new job with its plan into the folder, and returns the open journal. */
export async function createJobJournal<Head extends JobHead, Item>(
  kind: JobKind<Head, Item>,
  folder: string,
  head: Omit<Head, keyof JobHead>,
  items: readonly Item[],
): Promise<OpenJournal<Head, Item>> {
  const id = randomUUID();
  const file = join(folder, `${id}.jsonl`);
  const journal = await openJournal(file, lineReader(kind));
  const lines: unknown[] = [{ kind: 'job', ...head, id, at: Date.now() }];
  for (let at = 0; at < items.length; at += PLAN_LINE)
    lines.push({ kind: 'planned', items: items.slice(at, at + PLAN_LINE).map((item) => kind.item(item)) });
  await journal.appendAll(lines as JobLine<Head, Item>[]);
  const record = replay(journal.records);
  if (!record) throw new Error('The plan of the job could not be written.');
  return { journal, record, file };
}

/** Opens the journal of an interrupted job; undefined when the file holds none. */
export async function openJobJournal<Head extends JobHead, Item>(
  kind: JobKind<Head, Item>,
  file: string,
): Promise<OpenJournal<Head, Item> | undefined> {
  const journal = await openJournal(file, lineReader(kind));
  const record = replay(journal.records);
  return record && { journal, record, file };
}

/** The jobs whose journals are still in the folder. */
export async function listJobFiles(folder: string): Promise<string[]> {
  const names = await fs.readdir(folder).catch((): string[] => []);
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name));
}

function lineReader<Head extends JobHead, Item>(kind: JobKind<Head, Item>) {
  return (value: unknown): JobLine<Head, Item> | undefined => {
    const line = value as { kind?: unknown; items?: unknown; item?: unknown } | null;
    switch (line?.kind) {
      case 'job': {
        const head = kind.head(value);
        return head && { kind: 'job', ...head };
      }
      case 'planned': {
        const items = Array.isArray(line.items) ? line.items.map((item: unknown) => kind.item(item)) : [];
        return items.includes(undefined) ? undefined : { kind: 'planned', items: items as Item[] };
      }
      case 'uploaded': {
        const prepared = kind.prepared(value);
        return typeof line.item === 'number' && prepared
          ? { kind: 'uploaded', item: line.item, ...prepared }
          : undefined;
      }
      default: {
        const read = step.safeParse(value);
        return read.success ? read.data : undefined;
      }
    }
  };
}

/**
 * What a job's lines amount to. Items of runs without a response are `inFlight`: the caller knows whether a
 * process still waits for them.
 */
function replay<Head, Item>(lines: readonly JobLine<Head, Item>[]): JobRecord<Head, Item> | undefined {
  const [first] = lines;
  if (first?.kind !== 'job') return undefined;
  const { kind: _kind, ...head } = first;
  const record: Replayed<Item> = { items: [], costs: [], runs: new Map(), nextRun: 0, ended: undefined };
  for (const line of lines) replayLine(record, line);
  return { head: head as Head, ...record };
}

interface Replayed<Item> {
  readonly items: JobItem<Item>[];
  readonly costs: Money[];
  /** Items of each run. */
  readonly runs: Map<number, readonly number[]>;
  nextRun: number;
  ended: JobEnd | undefined;
}

function replayLine<Head, Item>(record: Replayed<Item>, line: JobLine<Head, Item>): void {
  const { items, costs, runs } = record;
  const change = (index: number, changes: object) => Object.assign(items[index] ?? {}, changes);
  switch (line.kind) {
    case 'job':
      return;
    case 'planned':
      for (const item of line.items) items.push({ ...item, index: items.length, state: 'planned' });
      return;
    case 'uploaded': {
      const { kind: _kind, item, ...prepared } = line;
      change(item, { ...prepared, state: 'ready' });
      return;
    }
    case 'sent':
      runs.set(line.run, line.items);
      record.nextRun = Math.max(record.nextRun, line.run + 1);
      for (const index of line.items) change(index, { state: 'inFlight' });
      return;
    case 'answered': {
      const { outcome, reason, at, cost, failed = [] } = line;
      if (cost) costs.push(cost);
      const state = outcome === 'returned' ? 'ready' : outcome === 'indexed' ? 'done' : outcome;
      for (const index of runs.get(line.run) ?? []) change(index, { state, reason, at });
      for (const { item, reason } of failed) change(item, { state: 'failed', reason });
      return;
    }
    case 'left':
      change(line.item, { state: line.outcome, reason: line.reason });
      return;
    case 'ended':
      record.ended = line.how;
  }
}
