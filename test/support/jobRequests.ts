import assert from 'node:assert/strict';
import type { JobRecorder } from '../../src/jobs/jobRecorder';
import { JobRequests } from '../../src/jobs/jobRequests';
import type { JobWork } from '../../src/jobs/jobWork';
import { WorkQueue } from '../../src/jobs/workQueue';
import type { JobHead, JobItem } from '../../src/store/jobKind';

export type Item = JobItem<object>;
export const going = new AbortController().signal;
export const places = (items: readonly Item[]) => items.map(({ index }) => index);

/** A job of some items, and its records, in order. */
export function requestsOf(count: number, work: Partial<JobWork<object>> = {}) {
  const items = Array.from({ length: count }, (_, index): Item => ({ index, state: 'planned' }));
  const written: string[] = [];
  const sentAt: number[] = [];
  let runs = 0;
  const refuses = { sent: false, prepared: false };
  const recorder = {
    prepared: async (item: Item) => {
      written.push(`prepared ${item.index}`);
      return !refuses.prepared;
    },
    sent: async (batch: readonly Item[], at: number) => {
      if (refuses.sent) throw new Error('no room');
      sentAt.push(at);
      written.push(`sent ${places(batch)}`);
      return ++runs;
    },
    returned: async (run: number) => void written.push(`returned ${run}`),
    failedAlone: async (item: Item, reason: string) => {
      item.state = 'failed';
      written.push(`failed ${item.index}: ${reason}`);
    },
    settled: async (
      run: number,
      batch: readonly Item[],
      _sentAt: number,
      result: { outcome: Item['state']; reason?: string },
    ) => {
      const failed = (result as { failed?: ReadonlyMap<Item, string> }).failed;
      for (const item of batch) item.state = failed?.has(item) ? 'failed' : result.outcome;
      written.push([`settled ${run}`, result.outcome, result.reason].filter(Boolean).join(' '));
    },
  } as unknown as JobRecorder<JobHead, object>;
  const whole: JobWork<object> = {
    run: async () => ({ outcome: 'done' }),
    batchSize: () => 4,
    concurrency: () => 1,
    ...work,
  };
  const queue = new WorkQueue(items, whole.batchSize, true);
  const requests = new JobRequests(whole, items, queue, recorder, () => undefined);
  return {
    ...{ items, queue, requests, written, sentAt, refuses, work: whole },
    /** Prepares the next item; resolves to why the job must pause. */
    async prepare(signal = going) {
      const item = queue.takeUnprepared();
      assert.ok(item, 'nothing to prepare');
      const stop = await requests.prepare(item, signal);
      queue.preparationEnded(item);
      return { item, stop };
    },
    /** Sends the next batch; resolves to why the job must pause. */
    async run(turn = going) {
      const batch = queue.takeBatch();
      return { batch: places(batch), stop: await requests.run(batch, turn) };
    },
  };
}

type Requests = ReturnType<typeof requestsOf>;
/** With every item prepared, and nothing of that written down. */
export async function prepared(job: Requests): Promise<Requests> {
  for (const _ of job.items) await job.prepare();
  job.written.length = 0;
  return job;
}
