import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { watchedSandboxProgram } from './programs';
import type { CountersSnapshot } from './sandbox/counters';
import { startWatched, type WatchedOptions, type WatchedSandbox } from './sandbox/watchedSandbox';

/** A sandbox for one test: on ports the system picked, in a folder of its own that goes with `stop`. */
export interface TestSandbox {
  readonly baseUrl: string;
  readonly uploadOrigin: string;
  readonly apiKey: string;
  readonly dataDir: string;
  /** Ends it; its folder is removed unless the test brought it. */
  stop(): Promise<void>;
  /** The requests that it executed and received. */
  ledger(): Promise<CountersSnapshot>;
}

type Options = Omit<WatchedOptions, 'dataDir'> & { readonly dataDir?: string };

async function folderFor(options: Options): Promise<{ dataDir: string; remove: () => Promise<void> }> {
  if (options.dataDir !== undefined) return { dataDir: options.dataDir, remove: async () => {} };
  const dataDir = await mkdtemp(join(tmpdir(), 'model-bench-sandbox-'));
  return { dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) };
}

/**
 * Starts a sandbox inside the test's own process: quick, and `sandbox` gives faults, wallet and latency to change
 * while it runs.
 */
export async function sandboxInProcess(
  options: Options = {},
): Promise<TestSandbox & { readonly sandbox: WatchedSandbox }> {
  const { dataDir, remove } = await folderFor(options);
  const sandbox = await startWatched({ port: 0, uploadPort: 0, ...options, dataDir });
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    await sandbox.stop();
    await remove();
  };
  return {
    sandbox,
    baseUrl: sandbox.baseUrl,
    uploadOrigin: sandbox.uploadOrigin,
    apiKey: sandbox.apiKey,
    dataDir,
    ledger: async () => sandbox.counters.snapshot(),
    // A test may have ended it already.
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** How often a sandbox indexed each ID of a scope. */
export async function timesIndexed(
  sandbox: Pick<TestSandbox, 'ledger'>,
  scope: string,
): Promise<Map<string, number>> {
  // Each key is the model, the scope and the ID.
  const all = Object.entries((await sandbox.ledger()).indexed).map(([key, times]) => {
    const [, of, ...id] = key.split(' ');
    return { of, id: id.join(' '), times };
  });
  return new Map(all.filter(({ of }) => of === scope).map(({ id, times }) => [id, times]));
}

export interface ChildSandbox extends TestSandbox {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  /** The line that it printed when it was ready. */
  readonly ready: Readonly<Record<string, unknown>>;
  /** PUT /__sandbox/settings: `faults`, `seed`, `latencyMs`, `rateLimit`, `wallet`. */
  change(settings: Readonly<Record<string, unknown>>): Promise<void>;
}

/**
 * Starts a sandbox in a process of its own, which counts requests; with `bundle` the product's, which does not.
 * `flags` are added to the command line (sandbox/commandLine.ts). `stderr`: a descriptor that gets its standard error.
 */
export async function sandboxInChild(
  options: { dataDir?: string; bundle?: string; flags?: readonly string[]; stderr?: number } = {},
): Promise<ChildSandbox> {
  const { dataDir, remove } = await folderFor({ dataDir: options.dataDir });
  const program = options.bundle ?? (await watchedSandboxProgram());
  const isPortGiven = options.bundle !== undefined || options.flags?.includes('--port');
  const ports = isPortGiven ? [] : ['--port', '0', '--upload-port', '0'];
  const child = spawn(process.execPath, [program, '--data', dataDir, ...ports, ...(options.flags ?? [])], {
    stdio: ['pipe', 'pipe', options.stderr ?? 'inherit'],
  }) as ChildProcessByStdio<Writable, Readable, null>;
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, 'line'), once(child, 'exit')]);
  if (typeof first[0] !== 'string') throw new Error(`the sandbox ended with code ${String(first[0])}`);
  const ready = JSON.parse(first[0]) as Record<string, string>;
  const { baseUrl, uploadOrigin, apiKey } = ready;
  if (baseUrl === undefined || uploadOrigin === undefined || apiKey === undefined) {
    throw new Error(`the sandbox printed ${first[0]}`);
  }
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
  return {
    child,
    ready,
    baseUrl,
    uploadOrigin,
    apiKey,
    dataDir,
    ledger: async () => {
      const response = await fetch(`${baseUrl}/__sandbox/counters`, { headers });
      return (await response.json()) as CountersSnapshot;
    },
    change: async (settings) => {
      const body = JSON.stringify(settings);
      const response = await fetch(`${baseUrl}/__sandbox/settings`, { method: 'PUT', headers, body });
      if (!response.ok) throw new Error(`the sandbox refused the settings: ${await response.text()}`);
    },
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.stdin.end();
        await ended;
      }
      await remove();
    },
  };
}
