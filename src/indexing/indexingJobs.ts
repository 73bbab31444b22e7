import type { Job } from '../jobs/job';
import { type InterruptedJob, planJob, reopenJob } from '../jobs/openJob';
import type { JobHead } from '../store/jobKind';
import type { IndexJobs } from './indexJobs';
import type { IndexHead, IndexItem, JobFile } from './indexKind';
import { type IndexPorts, indexWork } from './indexWork';
import type { PayloadShape } from './payload';

export type IndexingJob = Job<IndexHead, IndexItem>;
export type InterruptedIndexingJob = InterruptedJob<IndexHead>;

/** Plans a job of these files: it is on the disk when this resolves. Sending begins with `start`. */
export function planIndexingJob(
  jobs: IndexJobs,
  head: Omit<IndexHead, keyof JobHead>,
  files: readonly JobFile[],
  shape: PayloadShape,
  ports: IndexPorts,
): Promise<IndexingJob> {
  return planJob(jobs, head, files, (whole) => indexWork(whole, shape, ports));
}

/** Opens an interrupted job, to resume it. Undefined: another window has finished it. */
export function reopenIndexingJob(
  jobs: IndexJobs,
  { head: { id } }: InterruptedIndexingJob,
  shape: PayloadShape,
  ports: IndexPorts,
): Promise<IndexingJob | undefined> {
  return reopenJob(jobs, id, (head) => indexWork(head, shape, ports));
}
