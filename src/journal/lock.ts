import * as fs from 'node:fs/promises';
import { hostname } from 'node:os';

/**
 * Mutual exclusion between processes, by a folder beside the file that its holder keeps touching. One that was
 * killed loses the lock after `STALE_MS`.
 */
const STALE_MS = 10_000;

export interface HeldLock {
  /** Aborts when the lock was lost, as after a machine's sleep: another process may hold it now. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/**
 * Takes the lock on a path, which need not exist (its folder must), or returns undefined when another holds it.
 * The holder leaves its process number beside it, so that a lock of a killed process on this machine is taken
 * over at once. Taking and taking over happen under a second, short lock: nobody takes over what was just taken.
 */
export async function tryLock(path: string): Promise<HeldLock | undefined> {
  return withLock(`${path}.guard`, async () => {
    const free = await take(path, 0);
    if (free) return withHolder(path, free);
    if (!(await holderIsDead(path))) return undefined;
    await fs.rm(`${path}.lock`, { recursive: true, force: true });
    const taken = await take(path, 0);
    return taken && withHolder(path, taken);
  });
}

async function withHolder(path: string, lock: HeldLock): Promise<HeldLock> {
  await fs.writeFile(`${path}.holder`, JSON.stringify({ pid: process.pid, host: hostname() }));
  return lock;
}

async function holderIsDead(path: string): Promise<boolean> {
  return (await holderOf(path)) === 'dead';
}

/** `elsewhere`: on another machine, or nothing tells. */
async function holderOf(path: string): Promise<'alive' | 'dead' | 'elsewhere'> {
  try {
    const holder = JSON.parse(await fs.readFile(`${path}.holder`, 'utf8')) as {
      pid?: unknown;
      host?: unknown;
    };
    if (holder.host !== hostname() || typeof holder.pid !== 'number') return 'elsewhere';
    process.kill(holder.pid, 0);
    return 'alive';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A process that we may not signal is there.
    return code === 'ESRCH' ? 'dead' : code === 'EPERM' ? 'alive' : 'elsewhere';
  }
}

/** A lock as others see it, without taking it; undefined when nobody holds it. */
export interface SeenLock {
  /** When its holder last touched it, in milliseconds since the epoch. */
  readonly touchedAt: number;
  /** Longer ago than a holder that works leaves it: it sleeps, is stalled, or is gone. */
  readonly stale: boolean;
  readonly holder: 'alive' | 'dead' | 'elsewhere';
}

export async function lookAtLock(path: string): Promise<SeenLock | undefined> {
  try {
    const { mtimeMs } = await fs.stat(`${path}.lock`);
    return { touchedAt: mtimeMs, stale: Date.now() - mtimeMs > STALE_MS, holder: await holderOf(path) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Runs `work` while holding the lock on a path; waits for its turn for up to about a minute. */
export async function withLock<R>(path: string, work: () => Promise<R>): Promise<R> {
  const lock = await take(path, 60);
  if (!lock) throw new Error(`Another process holds ${path}.`);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

async function take(path: string, retries: number): Promise<HeldLock | undefined> {
  const lockfile = (await import('proper-lockfile')).default;
  const lost = new AbortController();
  try {
    const release = await lockfile.lock(path, {
      realpath: false,
      stale: STALE_MS,
      update: STALE_MS / 4,
      retries: { retries, minTimeout: 20, maxTimeout: 1_000, factor: 1.5 },
      onCompromised: () => lost.abort(),
    });
    return {
      lost: lost.signal,
      // One that was lost meanwhile is no longer ours to release.
      release: () => release().catch(() => undefined),
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOCKED') return undefined;
    throw error;
  }
}
