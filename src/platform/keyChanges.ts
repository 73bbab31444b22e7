import { createHash } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type * as vscode from 'vscode';

/**
 * When the key of an environment was last entered or forgotten on this machine: a file for each name in a folder that
 * all windows share, without anything of the key. Some hosts (VS Code in a browser) give a window the secrets as they
 * were when it opened, and tell it of no change: a key older than what stands here is not used any more.
 */
export class KeyChanges implements vscode.Disposable {
  #watcher: FSWatcher | undefined;
  #disposed = false;

  constructor(
    private readonly folder: string,
    private readonly onChanged: () => void,
  ) {}

  /** Begins to tell of what other windows do; without a folder that can be watched, windows look when they get the focus. */
  async start(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    if (this.#disposed) return;
    this.#watcher = watch(this.folder, { persistent: false }, () => this.onChanged());
    this.#watcher.on('error', () => this.#watcher?.close());
  }

  /** Milliseconds since the epoch; 0 when nothing is known. */
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
    await mkdir(this.folder, { recursive: true });
    const file = this.#file(environment);
    const partial = `${file}.${process.pid}`;
    await writeFile(partial, String(at));
    await rename(partial, file);
    return at;
  }

  dispose(): void {
    this.#disposed = true;
    this.#watcher?.close();
  }

  #file(environment: string): string {
    return path.join(this.folder, createHash('sha256').update(environment).digest('hex').slice(0, 32));
  }
}
