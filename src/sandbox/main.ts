import { setTimeout as sleep } from 'node:timers/promises';
import { readArguments, USAGE } from './commandLine';
import { type Sandbox, startSandbox } from './server';
import { FolderLock, type ReadyLine } from './store/folderLock';
import { makeFolder } from './store/privateFiles';

const STANDBY_POLL_MS = 300;

/**
 * The sandbox as a process. Prints one line of JSON when there is a service to talk to: `{baseUrl, apiKey,
 * uploadOrigin, pid}`. When another process serves the folder already, that is its line, with `shared: true`; this
 * one then stands by, and takes over at the same address when the other ends (its window was closed).
 * Ends when its standard input closes (its parent is gone) and on SIGTERM or SIGINT.
 */
async function main(): Promise<void> {
  const options = readArguments(process.argv.slice(2));
  makeFolder(options.dataDir);
  const lock = new FolderLock(options.dataDir);
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

  let told = false;
  const tell = (line: ReadyLine & { shared?: true }) => {
    if (!told) process.stdout.write(`${JSON.stringify(line)}\n`);
    told = true;
  };
  while (!(await lock.take())) {
    const holder = lock.holder();
    if (holder !== undefined) tell({ ...holder, shared: true });
    await sleep(STANDBY_POLL_MS);
  }
  try {
    sandbox = await startSandbox(options);
  } catch (error) {
    lock.release();
    throw error;
  }
  const { baseUrl, apiKey, uploadOrigin } = sandbox;
  const line = { baseUrl, apiKey, uploadOrigin, pid: process.pid };
  lock.announce(line);
  tell(line);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
  process.exit(1);
});
