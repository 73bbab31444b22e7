import { createHash, randomUUID } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import type * as vscode from 'vscode';
import { makePrivateFolder, writePrivateFile } from '../vscode/privateFiles';

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
    try {
      const at = Number(await readFile(this.#file(environment), 'utf8'));
      return Number.isFinite(at) ? at : 0;
    } catch {
      return 0;
    }
  }

  /** Notes a change, later than every one before; resolves to its time. */
  async note(environment: string): Promise<number> {
    const at = Math.max(Date.now(), (await this.lastOf(environment)) + 1);
    await makePrivateFolder(this.folder);
    const file = this.#file(environment);
    // A name of its own: a window may note two changes at the same time.
    const partial = `${file}.${randomUUID()}`;
    await writePrivateFile(partial, String(at));
    await rename(partial, file);
    return at;
  }

  dispose(): void {
    this.#disposed = true;
    this.#unwatch();
  }

  #file(environment: string): string {
    return path.join(this.folder, createHash('sha256').update(environment).digest('hex').slice(0, 32));
  }
}
