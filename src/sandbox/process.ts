import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandbox } from './server';
import { asDataProblem, DataProblem } from './store/dataProblem';
import { FolderLock, type ReadyLine } from './store/folderLock';
import { makeFolder } from './store/privateFiles';

const STANDBY_POLL_MS = 300;

/**
 * The sandbox as a process. Prints one line of JSON when a service is ready: `{baseUrl, apiKey,
 * uploadOrigin, pid}`. When another process already serves the folder, it is the line of that
 * process, with `shared: true`; this one then waits, and takes over at the same address when the other ends.
 * `setAside` names the file of a damaged database, which was moved. A line `{problem}` instead says why the data of
 * the folder cannot be used (dataProblem.ts). Ends when its standard input closes (its parent has ended) and on SIGTERM
 * or SIGINT.
 */
export function runSandbox(dataDir: string, start: () => Promise<Sandbox>): void {
  serve(dataDir, start).catch((cause: unknown) => {
    const error = asDataProblem(cause);
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    if (error instanceof DataProblem) process.stdout.write(`${JSON.stringify({ problem: error.kind })}\n`);
    process.exitCode = 1;
    process.stdin.destroy(); // otherwise stdin would keep the process alive
  });
}

async function serve(dataDir: string, start: () => Promise<Sandbox>): Promise<void> {
  makeFolder(dataDir);
  const lock = new FolderLock(dataDir);
  let sandbox: Sandbox | undefined;

  const end = () => {
    void (sandbox?.stop() ?? Promise.resolve()).finally(() => {
      if (sandbox !== undefined) lock.release();
      process.exit(0);
    });
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  process.stdin.on('end', end).on('error', end).resume();

  let printed = false;
  const printReady = (line: ReadyLine & { shared?: true; setAside?: string | undefined }) => {
    if (!printed) process.stdout.write(`${JSON.stringify(line)}\n`);
    printed = true;
  };
  while (!(await lock.take())) {
    const holder = lock.holder();
    if (holder !== undefined) printReady({ ...holder, shared: true });
    await sleep(STANDBY_POLL_MS);
  }
  try {
    sandbox = await start();
  } catch (error) {
    lock.release();
    throw error;
  }
  const { baseUrl, apiKey, uploadOrigin } = sandbox;
  const line = { baseUrl, apiKey, uploadOrigin, pid: process.pid };
  lock.announce(line);
  printReady({ ...line, setAside: sandbox.setAside });
}
