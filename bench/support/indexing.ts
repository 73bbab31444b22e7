import path from 'node:path';
import { jobFor, type Setup, setUp } from '../../test/support/indexingJobs';
import type { ChildSandbox } from '../../test/support/sandbox';

export interface IndexingOptions {
  readonly concurrency: number;
  readonly batchSize: number;
}

let scopes = 0;

/** The services around a window's jobs, in a folder and a scope of its own. */
export async function openWindow(
  sandbox: ChildSandbox,
  folder: string,
  options: IndexingOptions,
): Promise<Setup> {
  const scope = `bench-${process.pid}-${++scopes}`;
  return setUp(sandbox, path.join(folder, scope), scope, { ...options, remembersUploads: true });
}

/** Indexes a folder into a scope of its own, as one job from its plan to its end; every image must get in. */
export async function indexFolder(
  sandbox: ChildSandbox,
  storage: string,
  pictures: string,
  options: IndexingOptions,
): Promise<number> {
  const window = await openWindow(sandbox, storage, options);
  try {
    const start = performance.now();
    const job = await jobFor(window, pictures);
    job.start();
    await job.done;
    const took = performance.now() - start;
    const { done, total, reason } = job.progress;
    if (done !== total) throw new Error(`${done} of ${total} images were indexed: ${reason}`);
    return took;
  } finally {
    await window.close();
  }
}

/** Requests that reached the sandbox, our own looks at its ledger aside. */
export async function requestsSeen(sandbox: ChildSandbox): Promise<number> {
  const { requests } = await sandbox.ledger();
  return Object.entries(requests)
    .filter(([route]) => !route.startsWith('inspect'))
    .reduce((sum, [, times]) => sum + times, 0);
}
