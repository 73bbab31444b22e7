import { Turns } from '../service/turns';
import type { JobHead, JobItem } from '../store/jobKind';
import type { Jobs } from '../store/jobs';
import type { JobWork } from './jobWork';

interface Parts<Head extends JobHead, Item, Payload = undefined> {
  readonly jobs: Jobs<Head, Item, Payload>;
  readonly head: Head;
  readonly items: readonly JobItem<Item>[];
  readonly work: Pick<JobWork<Item>, 'isReady'>;
}

/** Takes in the store's state of a job's items: another window may have worked on it. */
export async function reread<Head extends JobHead, Item, Payload>(
  parts: Parts<Head, Item, Payload>,
): Promise<void> {
  const { jobs, head, items, work } = parts;
  for (const row of await jobs.allItems(head.id)) {
    const item = items[row.index];
    if (!item) continue;
    delete item.reason;
    Object.assign(item, row);
    if (item.state === 'ready' && work.isReady?.(item) === false) item.state = 'planned';
  }
}

/** Leaves out items that another job has done since this one was planned. The target's lease is held. */
export async function skipDone<Head extends JobHead, Item, Payload>(
  parts: Parts<Head, Item, Payload>,
): Promise<void> {
  const { jobs, head, items } = parts;
  const done: JobItem<Item>[] = [];
  const turns = new Turns();
  for (const item of items) {
    if ((item.state === 'planned' || item.state === 'ready') && jobs.outcomes.isDone(head, item))
      done.push(item);
    if (!turns.isOver) continue;
    await leaveOut(parts, done.splice(0));
    await turns.next();
  }
  await leaveOut(parts, done);
}

async function leaveOut<Head extends JobHead, Item, Payload>(
  { jobs, head }: Parts<Head, Item, Payload>,
  items: readonly JobItem<Item>[],
): Promise<void> {
  if (items.length === 0) return;
  await jobs.left(
    head,
    items.map(({ index }) => index),
    'skipped',
  );
  for (const item of items) item.state = 'skipped';
}
