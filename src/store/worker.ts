import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from './open';
import { asProblem, StoreProblem } from './storeProblem';

/** What takes too long for the thread of an extension host. Each is done by a connection of its own. */
export type Task =
  /** Looks at every page; resolves to what is damaged, a line each. */
  | { readonly task: 'check'; readonly storeFolder: string }
  /** Brings the write-ahead log home at each message `checkpoint`, until the message `end`. */
  | { readonly task: 'checkpoints'; readonly storeFolder: string };

export type Reply = { readonly result: unknown } | { readonly kind?: string; readonly message: string };

async function perform(task: Exclude<Task, { task: 'checkpoints' }>): Promise<unknown> {
  const { database } = await openDatabase(task.storeFolder);
  try {
    const lines = database.all('PRAGMA quick_check(20)', (row) => String(row.quick_check));
    return lines.filter((line) => line !== 'ok');
  } finally {
    await database.close();
  }
}

async function checkpoints(storeFolder: string): Promise<void> {
  const { database } = await openDatabase(storeFolder);
  parentPort?.on('message', (message: 'checkpoint' | 'end') => {
    if (message === 'end') {
      parentPort?.close();
      void database.close();
      return;
    }
    try {
      database.all('PRAGMA wal_checkpoint(PASSIVE)', () => undefined);
    } catch {
      // The next one brings more of it home.
    }
    parentPort?.postMessage('done');
  });
}

async function doOnce(task: Exclude<Task, { task: 'checkpoints' }>): Promise<void> {
  const reply = await perform(task).then(
    (result): Reply => ({ result }),
    (error: unknown): Reply => {
      const problem = asProblem(error, task.storeFolder);
      const message = problem instanceof Error ? problem.message : String(problem);
      return { message, ...(problem instanceof StoreProblem && { kind: problem.kind }) };
    },
  );
  parentPort?.postMessage(reply);
}

if (!isMainThread) {
  const task = workerData as Task;
  await (task.task === 'checkpoints' ? checkpoints(task.storeFolder) : doOnce(task));
}
