import type { JobHead, JobItem } from '../store/jobKind';
import type { ItemCounts, Jobs } from '../store/jobs';
import { closedBeforeResponse } from '../wording/runStates';
import { Job } from './job';
import type { JobWork } from './jobWork';

/** A job without a process: its extension host was closed or killed. */
export interface InterruptedJob<Head> {
  readonly head: Head;
  readonly counts: ItemCounts;
}

/** Plans a job: it is on the disk when this resolves. Sending begins with `start`. */
export async function planJob<Head extends JobHead, Item, Payload = undefined>(
  jobs: Jobs<Head, Item, Payload>,
  head: Omit<Head, keyof JobHead>,
  items: readonly Item[],
  workOf: (head: Head) => JobWork<Item, Payload>,
): Promise<Job<Head, Item, Payload>> {
  const whole = await jobs.plan(head, items);
  const planned = items.map((item, index): JobItem<Item> => {
    // Without unkept members: a job of many items would hold them until it ends.
    return { ...(jobs.kind.item(item) ?? item), index, state: 'planned' };
  });
  return new Job({ jobs, head: whole, items: planned, work: workOf(whole), isNew: true });
}

/** Opens an interrupted job, to resume it. Undefined: another window has finished it. */
export async function reopenJob<Head extends JobHead, Item>(
  jobs: Jobs<Head, Item>,
  id: string,
  workOf: (head: Head) => JobWork<Item>,
): Promise<Job<Head, Item> | undefined> {
  const head = jobs.get(id);
  if (!head) return undefined;
  return new Job({ jobs, head, items: await jobs.allItems(id), work: workOf(head), isNew: false });
}

/**
 * Ends an interrupted job without its service: known and unknown outcomes stay in the store, and sending stops.
 * False: another window has resumed it.
 */
export async function discardJob<Head extends JobHead, Item, Payload>(
  jobs: Jobs<Head, Item, Payload>,
  head: Head,
): Promise<boolean> {
  // A job that waits for its target belongs to the window that waits.
  if (jobs.isOpen(head) || !(await jobs.claim(head))) return false;
  try {
    if (!(await jobs.takeOver(head, closedBeforeResponse())) || !jobs.get(head.id)) return false;
    await jobs.end(head);
    return true;
  } finally {
    await jobs.release(head);
  }
}

/**
 * Jobs that have not ended, that no process has open, and with a target that no process works on. Whether a process
 * is gone shows after it was watched for a while: right after a crash its jobs are counted in `held`, and found at
 * one of the next looks.
 */
export function interruptedJobs<Head extends JobHead, Item, Payload>(
  jobs: Jobs<Head, Item, Payload>,
): { interrupted: InterruptedJob<Head>[]; held: number } {
  const all = jobs.list();
  const interrupted = all
    .filter((head) => !jobs.isWorkedOn(head) && !jobs.isOpen(head))
    .map((head) => ({ head, counts: jobs.counts(head.id) }));
  return { interrupted, held: all.length - interrupted.length };
}

/** Jobs that a process has open, or had open when it was killed lately: this one, or another window or terminal. */
export function openJobs<Head extends JobHead, Item, Payload>(
  jobs: Jobs<Head, Item, Payload>,
): InterruptedJob<Head>[] {
  const open = jobs.list().filter((head) => jobs.isOpen(head));
  return open.map((head) => ({ head, counts: jobs.counts(head.id) }));
}
