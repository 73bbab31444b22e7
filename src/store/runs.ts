import type { Database } from './database';
import type { Owners } from './owners';
import { type Copy, putResult, putRun } from './putRun';
import { INLINE_BYTES, type ResultFiles } from './resultFiles';
import { touch } from './revisions';
import { number, text } from './rows';
import { RUN_COLUMNS, RUN_TABLES, type RunRecord, runOf } from './runRecord';

export interface ResponseCopy {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

export interface RunsOptions {
  /** Most bytes of one response that are kept. */
  readonly maxResultBytes?: number;
  /** Most bytes of all responses together; the oldest go first, their records stay. */
  readonly maxTotalBytes?: number;
}

const MEGABYTE = 1024 * 1024;
const A_DAY_MS = 86_400_000;
/** Runs that one step deletes. */
const STEP = 200;

/** The history of runs, newest first. */
export class Runs {
  readonly #indexed: boolean;

  constructor(
    private readonly database: Database,
    private readonly owners: Owners,
    private readonly files: ResultFiles,
    private readonly options: RunsOptions = {},
  ) {
    const made = database.get("SELECT sql FROM sqlite_schema WHERE name = 'run_text'", (row) =>
      text(row, 'sql'),
    );
    this.#indexed = made?.includes('fts5') ?? false;
  }

  get(id: string): RunRecord | undefined {
    return this.database.get(`SELECT ${RUN_COLUMNS} FROM ${RUN_TABLES} WHERE r.id = ?`, runOf, id);
  }

  /** A page of runs that began before the one named. */
  list(page: { readonly before?: string; readonly limit: number }): RunRecord[] {
    const before = page.before && this.#placeOf(page.before);
    const [at, n] = before || [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
    return this.database.all(
      `SELECT ${RUN_COLUMNS} FROM ${RUN_TABLES} WHERE (r.started_at, r.n) < (?, ?)
       ORDER BY r.started_at DESC, r.n DESC LIMIT ?`,
      runOf,
      at,
      n,
      page.limit,
    );
  }

  /** The last runs of a model at a service, as an estimate looks at them. */
  ofModel(baseUrl: string, model: string, limit: number): RunRecord[] {
    return this.database.all(
      `SELECT ${RUN_COLUMNS} FROM ${RUN_TABLES} WHERE r.base_url = ? AND r.model = ?
       ORDER BY r.started_at DESC LIMIT ?`,
      runOf,
      baseUrl,
      model,
      limit,
    );
  }

  /** Runs in which all of the words occur, each as the beginning of a word; last recorded first. */
  search(words: string, limit: number): RunRecord[] {
    const terms = words.match(/[\p{L}\p{N}]+/gu) ?? [];
    if (terms.length === 0) return [];
    const found = this.#indexed ? 'run_text MATCH ?' : terms.map(() => 'text LIKE ?').join(' AND ');
    const asked = this.#indexed
      ? [terms.map((term) => `"${term}"*`).join(' ')]
      : terms.map((term) => `%${term}%`);
    return this.database.all(
      `SELECT ${RUN_COLUMNS} FROM ${RUN_TABLES}
       WHERE r.n IN (SELECT rowid FROM run_text WHERE ${found} ORDER BY rowid DESC LIMIT ?) ORDER BY r.n DESC`,
      runOf,
      ...asked,
      limit,
    );
  }

  /** Where `changedSince` begins for one who has read the history now. */
  revision(): number {
    return (
      this.database.get('SELECT n FROM revision WHERE topic = ?', (row) => number(row, 'n'), 'runs') ?? 0
    );
  }

  /** Runs that were recorded anew after a revision, by this window or another. */
  changedSince(revision: number): RunRecord[] {
    return this.database.all(
      `SELECT ${RUN_COLUMNS} FROM ${RUN_TABLES} WHERE r.revision > ? ORDER BY r.revision`,
      runOf,
      revision,
    );
  }

  /**
   * Records a run as it is now: before its bytes leave, and its outcome before that is shown. False when it was
   * deleted meanwhile. A copy of the response that cannot be kept does not lose the record.
   */
  async put(record: RunRecord, response?: ResponseCopy): Promise<boolean> {
    const copy = response && (await this.#copyOf(response));
    if (!copy) return this.#put(record);
    try {
      return await this.#put(record, copy);
    } catch {
      // A disk without room for the copy may have room for the record.
      return this.#put(record);
    }
  }

  /** The kept copy of a response. */
  async result(id: string): Promise<Uint8Array | undefined> {
    const kept = this.database.get(
      'SELECT s.body, s.file FROM run r JOIN result s ON s.run = r.n WHERE r.id = ?',
      (row) => ({ body: row.body, file: row.file }),
      id,
    );
    if (kept?.body instanceof Uint8Array) return kept.body;
    return typeof kept?.file === 'string' ? this.files.read(kept.file) : undefined;
  }

  async delete(ids: readonly string[]): Promise<void> {
    for (let at = 0; at < ids.length; at += STEP) {
      const some = ids.slice(at, at + STEP);
      const files = await this.database.write('durable', () => {
        const owned = some.flatMap((id) => this.#deleteRun(id) ?? []);
        touch(this.database, 'runs');
        return owned;
      });
      await this.#removeUnowned(files);
    }
  }

  /** Runs of windows that are gone, which say that they are under way; look again a little later for more. */
  left(): RunRecord[] {
    const owners = this.database.all(
      "SELECT DISTINCT owner FROM run WHERE state = 'running'",
      (row) => row.owner as string | null,
    );
    const gone = owners.filter((owner) => owner === null || this.owners.isGone(owner));
    return gone.flatMap((owner) =>
      this.database.all(
        `SELECT ${RUN_COLUMNS} FROM ${RUN_TABLES} WHERE r.state = 'running' AND r.owner IS ?`,
        runOf,
        owner,
      ),
    );
  }

  /** Marks runs of windows that are gone as unknown, and says so in `message`. Returns how many. */
  async settleLeft(message: string): Promise<number> {
    const left = this.left();
    if (left.length === 0) return 0;
    return this.database.write('durable', () => {
      let settled = 0;
      for (const { id } of left) {
        const now = this.get(id);
        if (now?.state !== 'running') continue;
        putRun(this.database, { ...now, state: 'unknown', message }, null);
        settled++;
      }
      return settled;
    });
  }

  /**
   * Over the limit the oldest go; a run that is under way stays. Runs of indexing jobs have the same limit of their
   * own. Then the oldest copies, until all together are small enough.
   */
  async prune(limit: number): Promise<void> {
    for (const kind of ["source <> 'indexing'", "source = 'indexing'"]) {
      const past = this.database.all(
        `SELECT id, state FROM run WHERE ${kind} ORDER BY started_at DESC, n DESC LIMIT -1 OFFSET ?`,
        (row) => (text(row, 'state') === 'running' ? [] : text(row, 'id')),
        Math.max(1, limit),
      );
      await this.delete(past.flat());
    }
    await this.#pruneCopies(this.options.maxTotalBytes ?? 500 * MEGABYTE);
    await this.database.write('eventual', () =>
      this.database.run('DELETE FROM deleted_run WHERE at < ?', Date.now() - A_DAY_MS),
    );
  }

  async #pruneCopies(most: number): Promise<void> {
    const total = this.database.get('SELECT total(kept_bytes) AS bytes FROM result', (row) =>
      number(row, 'bytes'),
    );
    if ((total ?? 0) <= most) return;
    const files = await this.database.write('durable', () => {
      const past = this.database.all(
        `SELECT run, file FROM (SELECT s.run, s.file, sum(s.kept_bytes) OVER (ORDER BY r.started_at DESC, r.n DESC) AS bytes
           FROM result s JOIN run r ON r.n = s.run) WHERE bytes > ?`,
        (row) => ({ run: number(row, 'run'), file: row.file as string | null }),
        most,
      );
      const revision = touch(this.database, 'runs');
      for (const { run } of past) {
        this.database.run('DELETE FROM result WHERE run = ?', run);
        this.database.run('UPDATE run SET revision = ? WHERE n = ?', revision, run);
      }
      return past.flatMap(({ file }) => file ?? []);
    });
    await this.#removeUnowned(files);
  }

  /** Removes the files of responses that no run owns, as a killed process leaves them. */
  async sweepFiles(): Promise<void> {
    await this.files.sweep((file) => this.#isOwned(file));
  }

  #put(record: RunRecord, copy?: Copy): Promise<boolean> {
    return this.database.write('durable', () => {
      const gone = this.database.get('SELECT 1 AS yes FROM deleted_run WHERE id = ?', () => true, record.id);
      if (gone) return false;
      if (record.state === 'running') this.owners.register();
      const n = putRun(this.database, record, record.state === 'running' ? this.owners.id : null);
      // Its file may have gone with another run of the same response in this moment: then the copy is lost.
      if (copy && (!copy.file || this.files.has(copy.file))) putResult(this.database, n, copy);
      return true;
    });
  }

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
    await this.database.write('eventual', () => {
      for (const file of files) if (!this.#isOwned(file)) this.files.remove(file);
    });
  }

  #isOwned(file: string): boolean {
    return this.database.get('SELECT 1 AS yes FROM result WHERE file = ? LIMIT 1', () => true, file) ?? false;
  }

  #placeOf(id: string): readonly [number, number] | undefined {
    return this.database.get(
      'SELECT started_at, n FROM run WHERE id = ?',
      (row) => [number(row, 'started_at'), number(row, 'n')] as const,
      id,
    );
  }

  async #copyOf({ bytes, contentType }: ResponseCopy): Promise<Copy | undefined> {
    const kept = bytes.subarray(0, this.options.maxResultBytes ?? 20 * MEGABYTE);
    const told = { contentType, sizeBytes: bytes.byteLength, keptBytes: kept.byteLength };
    if (kept.byteLength <= INLINE_BYTES) return { ...told, body: kept };
    try {
      return { ...told, file: await this.files.write(kept) };
    } catch {
      return undefined;
    }
  }
}
