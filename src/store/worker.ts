import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { type ImportPlaces, importOldFiles } from './import/importOld';
import { openDatabase } from './open';
import { asProblem, StoreProblem } from './storeProblem';

/** What takes too long for the thread of an extension host. Each is done by a connection of its own. */
export type Task =
  | { readonly task: 'import'; readonly storeFolder: string; readonly places: ImportPlaces }
  /** Looks at every page; resolves to what is damaged, a line each. */
  | { readonly task: 'check'; readonly storeFolder: string };

export type Reply = { readonly result: unknown } | { readonly kind?: string; readonly message: string };

/** Another window's import of a million items is waited for. */
const PATIENCE_MS = 300_000;

async function perform(task: Task): Promise<unknown> {
  const { database } = await openDatabase(task.storeFolder, { changePatienceMs: PATIENCE_MS });
  try {
    if (task.task === 'import') return await importOldFiles(database, task.places);
    const lines = database.all('PRAGMA quick_check(20)', (row) => String(row.quick_check));
    return lines.filter((line) => line !== 'ok');
  } finally {
    await database.close();
  }
}

if (!isMainThread) {
  const reply = await perform(workerData as Task).then(
    (result): Reply => ({ result }),
    (error: unknown): Reply => {
      const problem = asProblem(error);
      const message = problem instanceof Error ? problem.message : String(problem);
      return { message, ...(problem instanceof StoreProblem && { kind: problem.kind }) };
    },
  );
  parentPort?.postMessage(reply);
}
