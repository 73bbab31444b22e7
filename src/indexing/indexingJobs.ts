import { type ModelContract, modeOf } from '../domain/model';
import type { Job } from '../jobs/job';
import type { JobHead } from '../jobs/jobWork';
import {
  discardJob,
  type InterruptedJob,
  interruptedJobs,
  type JobPlace,
  planJob,
  reopenJob,
} from '../jobs/openJob';
import { type IndexHead, type IndexItem, indexKind, type JobFile } from './indexKind';
import { type IndexPorts, indexWork } from './indexWork';
import type { Ledger } from './ledger';
import { ledgerOutcomes } from './ledgerOutcomes';
import { type PayloadShape, payloadShape } from './payload';

export type IndexingJob = Job<IndexHead, IndexItem>;
export type InterruptedIndexingJob = InterruptedJob<IndexHead, IndexItem>;

/** Where indexing jobs keep their journals and locks, and the ledger of what they did. */
export interface IndexingPlace {
  readonly folder: string;
  readonly ledger: Ledger;
}

/** Plans a job of these files: its journal is on disk when this resolves. Nothing is sent before `start`. */
export function planIndexingJob(
  place: IndexingPlace,
  head: Omit<IndexHead, keyof JobHead>,
  files: readonly JobFile[],
  shape: PayloadShape,
  ports: IndexPorts,
): Promise<IndexingJob> {
  return planJob(jobPlace(place), head, files, (whole) => indexWork(whole, shape, ports));
}

/** Opens an interrupted job, to resume it. Undefined: another window has finished it. */
export function reopenIndexingJob(
  place: IndexingPlace,
  { file }: InterruptedIndexingJob,
  shape: PayloadShape,
  ports: IndexPorts,
): Promise<IndexingJob | undefined> {
  return reopenJob(jobPlace(place), file, (head) => indexWork(head, shape, ports));
}

/** Ends an interrupted job without its service. False: another window has resumed it. */
export function discardIndexingJob(place: IndexingPlace, job: InterruptedIndexingJob): Promise<boolean> {
  return discardJob(jobPlace(place), job);
}

export function interruptedIndexingJobs(folder: string) {
  return interruptedJobs({ kind: indexKind, folder });
}

/** How a mode of the model takes files; undefined when there is no such mode or it takes none. */
export function shapeOf(contract: ModelContract, mode: string): PayloadShape | undefined {
  const found = modeOf(contract, mode);
  return found && payloadShape(found);
}

function jobPlace({ folder, ledger }: IndexingPlace): JobPlace<IndexHead, IndexItem> {
  return { kind: indexKind, folder, outcomes: ledgerOutcomes(ledger) };
}
