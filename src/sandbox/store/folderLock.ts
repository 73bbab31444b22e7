import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { proofOf } from '../access/apiKey';
import { isObject, type JsonObject } from '../json';
import { FILE_MODE, readJsonFile } from './privateFiles';

/** The line that a process prints when it is ready; the lock file shares it with other processes. */
export interface ReadyLine {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly uploadOrigin: string;
  readonly pid: number;
}

/** Time for a process that has the lock to start listening. */
const START_MS = 10_000;

/** One process serves a folder: two that append to the same files would each have another balance. */
export class FolderLock {
  readonly #path: string;

  constructor(dataDir: string) {
    this.#path = join(dataDir, 'lock.json');
  }

  /** Takes the lock, also from a process that has ended. False: another process serves the folder. */
  async take(): Promise<boolean> {
    if (this.#create()) return true;
    const before = readJsonFile(this.#path);
    if (before !== undefined && (await this.#isServing(before))) return false;
    const aside = `${this.#path}.${process.pid}`;
    try {
      renameSync(this.#path, aside);
      rmSync(aside);
    } catch {
      // Another process was faster: the next line decides.
    }
    return this.#create();
  }

  /** The line of the process that serves the folder, once it is ready. */
  holder(): ReadyLine | undefined {
    const line = readJsonFile(this.#path);
    return typeof line?.baseUrl === 'string' ? (line as unknown as ReadyLine) : undefined;
  }

  /** Shares the address of this process. */
  announce(line: ReadyLine): void {
    writeFileSync(this.#path, JSON.stringify(line), { mode: FILE_MODE });
  }

  release(): void {
    rmSync(this.#path, { force: true });
  }

  #create(): boolean {
    try {
      writeFileSync(this.#path, JSON.stringify({ pid: process.pid }), { flag: 'wx', mode: FILE_MODE });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }

  /** Its process is alive, and either proves that it is the sandbox or has only just started. */
  async #isServing(line: JsonObject): Promise<boolean> {
    if (typeof line.pid !== 'number' || !isAlive(line.pid)) return false;
    if (typeof line.baseUrl !== 'string') return this.#ageMs() < START_MS;
    try {
      const nonce = randomBytes(16).toString('hex');
      const response = await fetch(`${line.baseUrl}/__sandbox/proof/${nonce}`, {
        redirect: 'error',
        signal: AbortSignal.timeout(5_000),
      });
      if (response.status === 404) return true; // a sandbox of version 0.1, which has no such route
      const body: unknown = await response.json();
      return isObject(body) && body.proof === proofOf(String(line.apiKey), line.baseUrl, nonce);
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
