import { setImmediate } from 'node:timers/promises';
import type { Database } from './database';
import type { ResultFiles } from './resultFiles';
import { touch } from './revisions';
import { number, text } from './rows';

const A_DAY_MS = 86_400_000;
/** Rows that one change removes: few, since others wait for the thread and the database meanwhile. */
const STEP = 50;

/** How runs, and the copies of their responses, leave the history. */
export class RunRemoval {
  constructor(
    private readonly database: Database,
    private readonly files: ResultFiles,
  ) {}

  async delete(ids: readonly string[]): Promise<void> {
    for (let at = 0; at < ids.length; at += STEP) {
      const files = await this.database.write(() => {
        const owned = ids.slice(at, at + STEP).flatMap((id) => this.#deleteRun(id) ?? []);
        touch(this.database, 'runs');
        return owned;
      });
      await this.#removeUnowned(files);
      await setImmediate();
    }
  }

  /** Deletes all but those under way. */
  clear(): Promise<void> {
    return this.#deleteWhile("SELECT id FROM run WHERE state <> 'running'");
  }

  /**
   * Over the limit the oldest go; a run that is under way or pinned stays.
   */
  async deleteOldest(limit: number): Promise<void> {
    const unpinned = 'n NOT IN (SELECT run FROM run_mark WHERE pinned = 1)';
    const last = this.database.get(
      `SELECT started_at, n FROM run WHERE ${unpinned} ORDER BY started_at DESC, n DESC LIMIT 1 OFFSET ?`,
      (row) => [number(row, 'started_at'), number(row, 'n')] as const,
      limit,
    );
    if (last)
      await this.#deleteWhile(
        `SELECT id FROM run WHERE ${unpinned} AND (started_at, n) <= (?, ?) AND state <> 'running'`,
        ...last,
      );
  }

  /**
   * Removes the oldest copies until all together have at most `most` bytes. Their records stay, and so do the copies
   * of pinned runs.
   */
  async removeCopies(most: number): Promise<void> {
    const total = 'SELECT total(kept_bytes) AS bytes FROM result';
    let over = (this.database.get(total, (row) => number(row, 'bytes')) ?? 0) - most;
    while (over > 0) {
      const oldest = this.database.all(
        `SELECT run, file, kept_bytes FROM result
         WHERE run NOT IN (SELECT run FROM run_mark WHERE pinned = 1) ORDER BY run LIMIT ${STEP}`,
        (row) => ({
          run: number(row, 'run'),
          file: row.file as string | null,
          bytes: number(row, 'kept_bytes'),
        }),
      );
      if (oldest.length === 0) return;
      const files = await this.database.write(() => {
        const revision = touch(this.database, 'runs');
        const owned: (string | null)[] = [];
        for (const { run, file, bytes } of oldest) {
          this.database.run('DELETE FROM result WHERE run = ?', run);
          this.database.run('UPDATE run SET revision = ? WHERE n = ?', revision, run);
          owned.push(file);
          over -= bytes;
          if (over <= 0) break;
        }
        return owned.flatMap((file) => file ?? []);
      });
      await this.#removeUnowned(files);
      await setImmediate();
    }
  }

  /** Removes the files of responses without a run, as a killed process leaves them, and records of deleted runs. */
  async sweep(): Promise<void> {
    await this.files.sweep((file) => this.#isOwned(file));
    await this.database.write(() =>
      this.database.run('DELETE FROM deleted_run WHERE at < ?', Date.now() - A_DAY_MS),
    );
  }

  /** @param which selects ids of runs */
  async #deleteWhile(which: string, ...parameters: readonly number[]): Promise<void> {
    for (;;) {
      const some = this.database.all(`${which} LIMIT ${STEP}`, (row) => text(row, 'id'), ...parameters);
      if (some.length === 0) return;
      await this.delete(some);
    }
  }

  /** Its file, if it had one. */
  #deleteRun(id: string): string | undefined {
    const file = this.database.get(
      'SELECT s.file FROM run r JOIN result s ON s.run = r.n WHERE r.id = ?',
      (row) => row.file as string | null,
      id,
    );
    this.database.run('INSERT OR IGNORE INTO deleted_run VALUES (?, ?)', id, Date.now());
    this.database.run('DELETE FROM run WHERE id = ?', id);
    return file ?? undefined;
  }

  async #removeUnowned(files: readonly string[]): Promise<void> {
    if (files.length === 0) return;
    // Inside a change, so that no window comes to own one between the look and the removal.
    await this.database.write(() => {
      for (const file of files) if (!this.#isOwned(file)) this.files.remove(file);
    });
  }

  #isOwned(file: string): boolean {
    return this.database.has('SELECT 1 AS yes FROM result WHERE file = ? LIMIT 1', file);
  }
}
