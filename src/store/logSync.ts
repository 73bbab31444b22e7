import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';

const sync = promisify(fdatasync);

/**
 * Syncs the write-ahead log to the disk, off the thread: a disk may take tens of milliseconds for it, which SQLite would
 * wait for in the commit. What a commit without a sync has written is in the log, whole; synced, it survives a loss of
 * power (SQLite's documentation of `PRAGMA synchronous`). Changes that are made meanwhile share the next sync.
 */
export class LogSync {
  #last: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(
    private readonly sync: () => Promise<void>,
    private readonly end: () => void,
  ) {}

  /** Undefined where the log cannot be opened beside SQLite: commits sync it themselves then. */
  static of(databaseFile: string): LogSync | undefined {
    try {
      const descriptor = openSync(`${databaseFile}-wal`, 'r+');
      return new LogSync(
        () => sync(descriptor),
        () => closeSync(descriptor),
      );
    } catch {
      return undefined;
    }
  }

  /** Resolves when what has been committed is on the disk. */
  synced(): Promise<void> {
    // One that is under way may have begun before the commit.
    this.#next ??= this.#last
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        this.#last = this.sync();
        return this.#last;
      });
    return this.#next;
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    await (this.#next ?? this.#last).catch(() => undefined);
    this.end();
  }
}
