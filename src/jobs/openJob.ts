import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { tryLock } from '../journal/lock';
import { Job } from './job';
import {
  createJobJournal,
  type JobRecord,
  listJobFiles,
  type OpenJournal,
  openJobJournal,
} from './jobJournal';
import type { JobHead, JobKind, JobWork, OutcomeStore } from './jobWork';
import { recordMissing, recover } from './recover';

/** Where jobs of a kind keep their journals and locks, and their outcomes. */
export interface JobPlace<Head extends JobHead, Item> {
  readonly kind: JobKind<Head, Item>;
  readonly folder: string;
  readonly outcomes: OutcomeStore<Head, Item>;
}

/** A job whose extension host was closed or killed, and which no process works on. */
export interface InterruptedJob<Head, Item> {
  readonly file: string;
  readonly record: JobRecord<Head, Item>;
}

/** Plans a job: its journal is on disk when this resolves. Nothing is sent before `start`. */
export async function planJob<Head extends JobHead, Item>(
  place: JobPlace<Head, Item>,
  head: Omit<Head, keyof JobHead>,
  items: readonly Item[],
  workOf: (head: Head) => JobWork<Item>,
): Promise<Job<Head, Item>> {
  return makeJob(place, await createJobJournal(place.kind, place.folder, head, items), workOf);
}

/** Opens the journal of an interrupted job, to resume it. Undefined: another window has finished it. */
export async function reopenJob<Head extends JobHead, Item>(
  place: JobPlace<Head, Item>,
  file: string,
  workOf: (head: Head) => JobWork<Item>,
): Promise<Job<Head, Item> | undefined> {
  const opened = await openJobJournal(place.kind, file);
  return opened && makeJob(place, opened, workOf);
}

async function makeJob<Head extends JobHead, Item>(
  place: JobPlace<Head, Item>,
  opened: OpenJournal<Head, Item>,
  workOf: (head: Head) => JobWork<Item>,
): Promise<Job<Head, Item>> {
  const { head } = opened.record;
  return new Job({
    ...opened,
    kind: place.kind,
    outcomes: place.outcomes,
    lockPath: await lockPathOf(place, head),
    recordOthers: () => recordOthers(place, head, opened.file),
    work: workOf(head),
  });
}

/**
 * Ends an interrupted job without its service: what is known, and what is unknown, goes into the store, and
 * nothing more is sent. False: another window has resumed it.
 */
export async function discardJob<Head extends JobHead, Item>(
  place: JobPlace<Head, Item>,
  { file, record }: InterruptedJob<Head, Item>,
): Promise<boolean> {
  const lock = await tryLock(await lockPathOf(place, record.head));
  if (!lock) return false;
  try {
    const opened = await openJobJournal(place.kind, file);
    if (!opened) {
      await fs.rm(file, { force: true });
      return false;
    }
    await place.outcomes.refresh();
    await recover({ ...place, ...opened });
    await opened.journal.append({ kind: 'ended', how: 'discarded', at: Date.now() });
    await opened.journal.close();
    await fs.rm(file, { force: true });
    return true;
  } finally {
    await lock.release();
  }
}

/**
 * Jobs that have not ended and whose target no process holds. A killed process holds its lock until the lock is
 * stale: right after a crash its jobs are counted in `held`, and found a little later.
 */
export async function interruptedJobs<Head extends JobHead, Item>({
  kind,
  folder,
}: Pick<JobPlace<Head, Item>, 'kind' | 'folder'>): Promise<{
  interrupted: InterruptedJob<Head, Item>[];
  held: number;
}> {
  const interrupted: InterruptedJob<Head, Item>[] = [];
  let held = 0;
  for (const file of await listJobFiles(folder)) {
    const opened = await openJobJournal(kind, file);
    await opened?.journal.close();
    if (!opened || opened.record.ended) {
      await fs.rm(file, { force: true });
      continue;
    }
    const lock = await tryLock(await lockPathOf({ kind, folder }, opened.record.head));
    if (!lock) held++;
    else interrupted.push({ file, record: opened.record });
    await lock?.release();
  }
  return { interrupted, held };
}

/**
 * Records the outcomes of killed jobs of the same target. Called before another job sends anything: their items
 * would be sent, and paid, a second time.
 */
async function recordOthers<Head extends JobHead, Item>(
  { kind, folder, outcomes }: JobPlace<Head, Item>,
  head: Head,
  own: string,
): Promise<void> {
  for (const file of await listJobFiles(folder)) {
    if (file === own) continue;
    const opened = await openJobJournal(kind, file);
    await opened?.journal.close();
    if (opened && kind.target(opened.record.head) === kind.target(head))
      await recordMissing(opened.record, outcomes);
  }
}

async function lockPathOf<Head extends JobHead, Item>(
  { kind, folder }: Pick<JobPlace<Head, Item>, 'kind' | 'folder'>,
  head: Head,
): Promise<string> {
  const locks = join(folder, 'locks');
  await fs.mkdir(locks, { recursive: true });
  return join(locks, createHash('sha256').update(kind.target(head)).digest('hex').slice(0, 32));
}
