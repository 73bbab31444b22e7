import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { type Dataset, datasetKey } from '../domain/dataset';
import type { ModelContract } from '../domain/model';
import type { Ledger } from '../indexing/ledger';
import { type PayloadShape, payloadShape } from '../indexing/payload';
import { tryLock } from '../journal/lock';
import { IndexingJob } from './job';
import {
  createJobJournal,
  type JobHead,
  type JobRecord,
  listJobFiles,
  openJobJournal,
  type PlannedItem,
} from './jobJournal';
import type { JobPorts } from './jobParts';
import { unsaid } from './outcomes';
import { recover } from './recover';

/** Where jobs keep their journals and locks. */
export interface JobFolder {
  readonly folder: string;
  readonly ledger: Ledger;
}

/** A job left by a host that was closed or killed, which nobody is working on. */
export interface LeftJob {
  readonly file: string;
  readonly record: JobRecord;
}

/** Plans a job: its journal is on disk when this resolves. Nothing is sent before `start`. */
export async function planJob(
  { folder, ledger }: JobFolder,
  head: Omit<JobHead, 'kind' | 'id' | 'at'>,
  items: readonly PlannedItem[],
  shape: PayloadShape,
  ports: JobPorts,
): Promise<IndexingJob> {
  const made = await createJobJournal(folder, head, items);
  const settleOthers = () => settle(folder, ledger, head, made.file);
  return new IndexingJob({
    ...made,
    lockPath: await lockPathOf(folder, head),
    ledger,
    settleOthers,
    shape,
    ports,
  });
}

/** Opens a job that was left, to go on with it. */
export async function reopenJob(
  { folder, ledger }: JobFolder,
  { file }: LeftJob,
  shape: PayloadShape,
  ports: JobPorts,
): Promise<IndexingJob | undefined> {
  const opened = await openJobJournal(file);
  if (!opened) return undefined;
  const lockPath = await lockPathOf(folder, opened.record.head);
  const settleOthers = () => settle(folder, ledger, opened.record.head, file);
  return new IndexingJob({ ...opened, lockPath, ledger, settleOthers, shape, ports });
}

/**
 * Ends a job that was left, without its service: what is known, and what is unknown, goes into the ledger, and
 * nothing more is sent. False: another window has gone on with it.
 */
export async function discardJob({ folder, ledger }: JobFolder, { file, record }: LeftJob): Promise<boolean> {
  const lock = await tryLock(await lockPathOf(folder, record.head));
  if (!lock) return false;
  try {
    const opened = await openJobJournal(file);
    if (!opened) {
      await fs.rm(file, { force: true });
      return false;
    }
    await ledger.refresh();
    await recover({ ...opened, ledger });
    await opened.journal.append({ kind: 'ended', how: 'discarded', at: Date.now() });
    await opened.journal.close();
    await fs.rm(file, { force: true });
    return true;
  } finally {
    await lock.release();
  }
}

/**
 * Jobs that were left: not ended, and no process holds their dataset. A lock of a killed process is held until it
 * grows stale, so that a look right after a crash may find none; look again a little later.
 */
export async function leftJobs(folder: string): Promise<{ left: LeftJob[]; held: number }> {
  const left: LeftJob[] = [];
  let held = 0;
  for (const file of await listJobFiles(folder)) {
    const opened = await openJobJournal(file);
    await opened?.journal.close();
    if (!opened || opened.record.ended) {
      await fs.rm(file, { force: true });
      continue;
    }
    const lock = await tryLock(await lockPathOf(folder, opened.record.head));
    if (!lock) held++;
    else left.push({ file, record: opened.record });
    await lock?.release();
  }
  return { left, held };
}

/** The contract's way to take files for a mode; undefined when there is no such mode or it takes no files. */
export function shapeOf(contract: ModelContract, mode: string): PayloadShape | undefined {
  const found = contract.modes.find(({ name }) => name === mode);
  return found && payloadShape(found);
}

/**
 * A job that was killed knows of runs that the ledger has not heard of. Before another job of the same dataset
 * sends anything, they go into the ledger, or their files would be sent a second time.
 */
async function settle(folder: string, ledger: Ledger, dataset: Dataset, own: string): Promise<void> {
  for (const file of await listJobFiles(folder)) {
    if (file === own) continue;
    const opened = await openJobJournal(file);
    await opened?.journal.close();
    if (!opened || datasetKey(opened.record.head) !== datasetKey(dataset)) continue;
    await ledger.record(unsaid(opened.record, ledger));
  }
}

async function lockPathOf(folder: string, dataset: Dataset): Promise<string> {
  const locks = join(folder, 'locks');
  await fs.mkdir(locks, { recursive: true });
  return join(locks, createHash('sha256').update(datasetKey(dataset)).digest('hex').slice(0, 32));
}
