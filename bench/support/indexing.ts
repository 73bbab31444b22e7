import { createReadStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { JobPorts } from '../../src/jobs/jobParts';
import { openMediaCache } from '../../src/runs/uploads/mediaCache';
import { uploadOnce } from '../../src/runs/uploads/uploadFiles';
import type { ChildSandbox } from '../../test/support/sandbox';
import { jobFor, type Setup, setUp } from '../../test/unit/indexing/engine';

export interface IndexingOptions {
  readonly concurrency: number;
  readonly batchSize: number;
}

let scopes = 0;

/** What a window has: the client, the ledger and the cache of uploads, in a folder and a scope of their own. */
export async function openWindow(
  sandbox: ChildSandbox,
  folder: string,
  options: IndexingOptions,
): Promise<Setup & { close(): Promise<void> }> {
  const scope = `bench-${process.pid}-${++scopes}`;
  const storage = path.join(folder, scope);
  const setup = await setUp(sandbox, storage, scope, options);
  const cache = await openMediaCache(path.join(storage, 'uploads.jsonl'));
  // As the extension uploads: hashed, looked up, sent, remembered.
  const take: JobPorts['take'] = async ({ uri, filename, contentType }, signal) => {
    const file = new URL(uri);
    const { size, mtimeMs } = await fs.stat(file);
    const open = () => createReadStream(file);
    const source = { filename, contentType, mediaType: 'image', sizeBytes: size, open };
    const { mediaRef, key } = await uploadOnce(setup.client, cache, source, { signal });
    return { mediaRef, sha256: key.sha256, sizeBytes: size, modifiedMs: Math.floor(mtimeMs) };
  };
  return {
    ...setup,
    ports: { ...setup.ports, take },
    async close() {
      setup.client.close();
      await setup.ledger.close();
    },
  };
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
    const { indexed, total, reason } = job.progress;
    if (indexed !== total) throw new Error(`${indexed} of ${total} images were indexed: ${reason}`);
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
