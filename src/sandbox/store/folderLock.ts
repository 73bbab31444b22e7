import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../json';

/** What the process that serves a folder tells the others: the line it printed when it was ready. */
export interface ReadyLine {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly uploadOrigin: string;
  readonly pid: number;
}

/** A process that has the lock but does not listen is given so long to come up. */
const START_MS = 10_000;

/** One process a folder: two that append to the same files would each believe in a wallet of their own. */
export class FolderLock {
  readonly #path: string;

  constructor(dataDir: string) {
    this.#path = join(dataDir, 'lock.json');
  }

  /** Takes the lock, also from a process that is gone. False: another process serves the folder. */
  async take(): Promise<boolean> {
    if (this.#create()) return true;
    const before = this.#read();
    if (before !== undefined && (await this.#isServing(before))) return false;
    const aside = `${this.#path}.${process.pid}`;
    try {
      renameSync(this.#path, aside);
      rmSync(aside);
    } catch {
      // Somebody else was quicker: the next line decides.
    }
    return this.#create();
  }

  /** The line of the process that serves the folder, once it is ready. */
  holder(): ReadyLine | undefined {
    const line = this.#read();
    return typeof line?.baseUrl === 'string' ? (line as unknown as ReadyLine) : undefined;
  }

  /** Tells the others where this process listens. */
  announce(line: ReadyLine): void {
    writeFileSync(this.#path, JSON.stringify(line), { mode: 0o600 });
  }

  release(): void {
    rmSync(this.#path, { force: true });
  }

  #create(): boolean {
    try {
      writeFileSync(this.#path, JSON.stringify({ pid: process.pid }), { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }

  #read(): Record<string, unknown> | undefined {
    try {
      const line: unknown = JSON.parse(readFileSync(this.#path, 'utf8'));
      return isObject(line) ? line : undefined;
    } catch {
      return undefined;
    }
  }

  /** Its process is alive, and either replies or has only just begun; a number used again does not reply. */
  async #isServing(line: Record<string, unknown>): Promise<boolean> {
    if (typeof line.pid !== 'number' || !isAlive(line.pid)) return false;
    if (typeof line.baseUrl !== 'string') return this.#ageMs() < START_MS;
    try {
      const reply = await fetch(`${line.baseUrl}/api/billing/wallet`, {
        headers: { 'X-API-Key': String(line.apiKey) },
        signal: AbortSignal.timeout(5_000),
      });
      return reply.status !== 401 || this.#ageMs() < START_MS;
    } catch (error) {
      return error instanceof DOMException && error.name === 'TimeoutError';
    }
  }

  #ageMs(): number {
    try {
      return Date.now() - statSync(this.#path).mtimeMs;
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
