import { createHash } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type * as vscode from 'vscode';
import { greatestOf } from '../domain/many';
import { makePrivateFolder, PRIVATE_FILE } from '../vscode/privateFiles';

/**
 * When the key of an environment was last entered or forgotten on this machine: a file for each name in a folder that
 * all windows share, without anything of the key. Some hosts (VS Code in a browser) give a window the secrets from
 * the time when it opened, and report no changes: a key older than the time noted here is no longer used.
 */
export class KeyChanges implements vscode.Disposable {
  #watcher: FSWatcher | undefined;
  #starting: Promise<void> | undefined;
  #disposed = false;

  constructor(
    private readonly folder: string,
    private readonly onChanged: () => void,
  ) {}

  /** Whether changes made by other windows are reported. */
  get isWatching(): boolean {
    return this.#watcher !== undefined;
  }

  /** Reports changes from now on; rejects once if the folder cannot be watched. Windows then look on focus. */
  start(): Promise<void> {
    const isFirst = this.#starting === undefined;
    this.#starting ??= this.#watch();
    return isFirst ? this.#starting : this.#starting.catch(() => undefined);
  }

  async #watch(): Promise<void> {
    await makePrivateFolder(this.folder);
    if (this.#disposed) return;
    this.#watcher = watch(this.folder, { persistent: false }, () => this.onChanged());
    this.#watcher.on('error', () => this.#unwatch());
  }

  #unwatch(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  /** Milliseconds since the epoch; 0 when no change was noted. */
  async lastOf(environment: string): Promise<number> {
    return greatestOf([0, ...(await this.#times(environment))]);
  }

  /**
   * Notes a change, later than every one before in any window, even if the clock was set back; resolves to its time.
   * The time is in the name of the file, of which there can be one only.
   */
  async note(environment: string): Promise<number> {
    await makePrivateFolder(this.folder);
    for (let at = Date.now(); ; at++) {
      at = Math.max(at, (await this.lastOf(environment)) + 1);
      if (!(await this.#claim(environment, at))) continue;
      const times = await this.#times(environment);
      const isLast = greatestOf(times) === at;
      const replaced = isLast ? times.filter((time) => time < at) : [at];
      await Promise.all(replaced.map((time) => rm(this.#file(environment, time), { force: true })));
      if (isLast) return at;
    }
  }

  /** @returns false where another window noted this time */
  async #claim(environment: string, at: number): Promise<boolean> {
    try {
      await writeFile(this.#file(environment, at), '', { flag: 'wx', mode: PRIVATE_FILE });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }

  /** The noted times: one, and others only while windows note theirs. */
  async #times(environment: string): Promise<number[]> {
    const start = `${idOf(environment)}-`;
    const names = await readdir(this.folder).catch((): string[] => []);
    return names.filter((name) => name.startsWith(start)).map((name) => Number(name.slice(start.length)));
  }

  dispose(): void {
    this.#disposed = true;
    this.#unwatch();
  }

  #file(environment: string, at: number): string {
    return path.join(this.folder, `${idOf(environment)}-${at}`);
  }
}

const idOf = (environment: string): string =>
  createHash('sha256').update(environment).digest('hex').slice(0, 32);
