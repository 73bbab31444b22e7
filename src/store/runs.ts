import { loggedError } from '../domain/loggedError';
import { type LogLine, logLine } from '../domain/logLine';
import type { ResponseBody } from '../domain/response';
import type { PastRun, RunRecord } from '../domain/runRecord';
import type { Database, Parameters, Row } from './database';
import type { Owners } from './owners';
import { pastRuns } from './pastRuns';
import { type Copy, indexRun, putResult, putRun } from './putRun';
import { INLINE_BYTES, type ResultFiles } from './resultFiles';
import { touch } from './revisions';
import { number } from './rows';
import { RUN_COLUMNS, RUN_TABLES, readRun, wordsOf } from './runRecord';
import { RunRemoval } from './runRemoval';

export interface StoredRunsOptions {
  /** Most bytes of one response that are kept. */
  readonly maxResultBytes?: number;
  /** Most bytes of all responses together; the oldest go first, their records stay. */
  readonly maxTotalBytes?: number;
  readonly log?: (line: LogLine) => void;
  /** Called inside the change that records a run. */
  readonly onPut?: (record: RunRecord) => void;
}

/** The user's notes on a run of the history; a missing member stays unchanged. */
export interface RunMark {
  readonly pinned?: boolean;
  /** Empty: the name is removed. */
  readonly name?: string;
}

const MEGABYTE = 1024 * 1024;
/** Of runs with an outcome that the user may set. */
const OPEN_STATES = "('unknown', 'accepted', 'unclear')";
/** Of more changes at once than this, only the last are reported one by one. */
const MOST_CHANGED = 500;

/** The history of runs, newest first. */
export class StoredRuns {
  readonly #removal: RunRemoval;

  constructor(
    private readonly database: Database,
    private readonly owners: Owners,
    private readonly files: ResultFiles,
    private readonly options: StoredRunsOptions = {},
  ) {
    this.#removal = new RunRemoval(database, files);
  }

  get(id: string): RunRecord | undefined {
    return this.database.get(`SELECT ${RUN_COLUMNS} FROM ${RUN_TABLES} WHERE r.id = ?`, readRun, id);
  }

  /** A page of runs that began before the one named. */
  list(page: { readonly before?: string; readonly limit: number }): RunRecord[] {
    const before = page.before && this.#placeOf(page.before);
    const [at, n] = before || [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
    return this.#newest('(r.started_at, r.n) < (?, ?)', page.limit, at, n);
  }

  /** The last runs of a model, at any service. */
  ofModel(model: string, limit: number): RunRecord[] {
    return this.#newest('r.model = ?', limit, model);
  }

  /** Those the user has pinned, newest first. */
  pinned(): RunRecord[] {
    const marked = 'SELECT run FROM run_mark WHERE pinned = 1';
    return this.#runs(`WHERE r.n IN (${marked}) ORDER BY r.started_at DESC, r.n DESC`);
  }

  /** Marks a run; one that was deleted meanwhile stays deleted. */
  mark(id: string, { pinned, name }: RunMark): Promise<void> {
    const { database } = this;
    return database.write(() => {
      const n = database.get('SELECT n FROM run WHERE id = ?', (row) => number(row, 'n'), id);
      if (n === undefined) return;
      database.run('INSERT OR IGNORE INTO run_mark (run) VALUES (?)', n);
      if (pinned !== undefined)
        database.run('UPDATE run_mark SET pinned = ? WHERE run = ?', Number(pinned), n);
      if (name !== undefined) {
        database.run('UPDATE run_mark SET name = ? WHERE run = ?', name === '' ? null : name, n);
        indexRun(database, n, this.get(id)!);
      }
      touch(database, 'runs');
    });
  }

  /** Accepted runs that can be asked for, oldest first; also those of which the last poll was not understood. */
  accepted(): RunRecord[] {
    return this.#runs(
      "WHERE r.state IN ('accepted', 'unclear') AND r.follow_url IS NOT NULL ORDER BY r.started_at, r.n",
    );
  }

  /** Runs with an outcome that the user may set, newest first. */
  unsettled(limit: number): RunRecord[] {
    return this.#newest(`r.state IN ${OPEN_STATES}`, limit);
  }

  /** Runs that may have been billed, with an unknown outcome or cost, newest first. */
  unresolved(baseUrl: string, limit: number): RunRecord[] {
    const unpaid =
      "r.state <> 'running' AND EXISTS (SELECT 1 FROM reserve v WHERE v.base_url = r.base_url AND v.id = r.id AND v.cost IS NULL)";
    return this.#newest(`r.base_url = ? AND (r.state IN ${OPEN_STATES} OR ${unpaid})`, limit, baseUrl);
  }

  /** The facts that an estimate reads. */
  past(baseUrl: string, model: string, mode?: string): PastRun[] {
    return pastRuns(this.database, 'run', baseUrl, model, mode);
  }

  /** The run to which a service gave an identifier. */
  withRunId(baseUrl: string, runId: string): RunRecord | undefined {
    return this.database.get(
      `SELECT ${RUN_COLUMNS} FROM ${RUN_TABLES} WHERE r.run_id = ? AND r.base_url = ? LIMIT 1`,
      readRun,
      ...[runId, baseUrl],
    );
  }

  /** How many there are, or how many began in a time, `to` excluded. */
  count(time?: { readonly from: number; readonly to: number }): number {
    const all = 'SELECT count(*) AS n FROM run';
    const n = (row: Row) => number(row, 'n');
    if (!time) return this.database.get(all, n) ?? 0;
    return this.database.get(`${all} WHERE started_at >= ? AND started_at < ?`, n, time.from, time.to) ?? 0;
  }

  /** Runs in which all of the words occur, each as the beginning of a word; last recorded first. */
  search(words: string, limit: number): RunRecord[] {
    const terms = wordsOf(words);
    if (terms.length === 0) return [];
    const condition = terms.map(() => 'instr(text, ?) > 0').join(' AND ');
    const matches = `SELECT run FROM run_text WHERE ${condition} ORDER BY run DESC LIMIT ?`;
    return this.#runs(
      `WHERE r.n IN (${matches}) ORDER BY r.n DESC`,
      ...terms.map((term) => ` ${term}`),
      limit,
    );
  }

  /** Where `changedSince` begins for one who has read the history now. */
  revision(): number {
    return this.database.count('SELECT n FROM revision WHERE topic = ?', 'runs');
  }

  /** Runs that were recorded after a revision, by this window or another; the last of them, should there be many. */
  changedSince(revision: number): RunRecord[] {
    return this.#runs(`WHERE r.revision > ? ORDER BY r.revision DESC LIMIT ${MOST_CHANGED}`, revision);
  }

  /**
   * Records a run's present state: before its bytes leave, and its outcome before that is shown. False when it was
   * deleted meanwhile. A copy of the response that cannot be kept does not lose the record.
   */
  async put(record: RunRecord, response?: ResponseBody): Promise<boolean> {
    const copy = response && (await this.#copyOf(response));
    if (!copy) return this.#put(record);
    try {
      return await this.#put(record, copy);
    } catch (error) {
      // A disk without room for the copy may have room for the record.
      const put = await this.#put(record);
      this.#logLost(error);
      return put;
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

  delete(ids: readonly string[]): Promise<void> {
    return this.#removal.delete(ids);
  }

  /** Deletes all but those under way. */
  clear(): Promise<void> {
    return this.#removal.clear();
  }

  /** How many `clear` deletes. */
  countEnded(): number {
    const running = "SELECT count(*) AS n FROM run WHERE state = 'running'";
    return this.count() - this.database.count(running);
  }

  /** Whether another window has runs under way, or a window that is gone left some. */
  areRunningElsewhere(): boolean {
    const other = "SELECT 1 AS yes FROM run WHERE state = 'running' AND owner IS NOT ? LIMIT 1";
    return this.database.has(other, this.owners.id);
  }

  /**
   * Marks runs of windows that are gone as accepted where the service has said so, else as unknown, which `message`
   * explains. Returns how many; look again a little later.
   */
  async settleLeft(message: string): Promise<number> {
    const left = this.#left();
    if (left.length === 0) return 0;
    return this.database.write(() => {
      let settled = 0;
      for (const { id } of left) {
        const now = this.get(id);
        if (now?.state !== 'running') continue;
        const left =
          now.followUrl === undefined
            ? ({ state: 'unknown', message } as const)
            : { state: 'accepted' as const };
        putRun(this.database, { ...now, ...left }, null);
        settled++;
      }
      return settled;
    });
  }

  /**
   * Over the limit the oldest go, except those in progress; runs of indexing jobs have the same limit of their own.
   * The oldest copies of responses go until all together are small enough. Undefined: no run is too many.
   */
  async prune(limit: number | undefined): Promise<void> {
    if (limit !== undefined) await this.#removal.deleteOldest(limit);
    await this.#removal.removeCopies(this.options.maxTotalBytes ?? 500 * MEGABYTE);
  }

  /** Removes data that no longer has an owner. */
  sweep(): Promise<void> {
    return this.#removal.sweep();
  }

  #put(record: RunRecord, copy?: Copy): Promise<boolean> {
    return this.database.write(() => {
      const gone = this.database.has('SELECT 1 AS yes FROM deleted_run WHERE id = ?', record.id);
      if (gone) return false;
      if (record.state === 'running') this.owners.register();
      const n = putRun(this.database, record, record.state === 'running' ? this.owners.id : null);
      // Its file may have gone with another run of the same response in this moment: then the copy is lost.
      if (copy && (!copy.file || this.files.has(copy.file))) putResult(this.database, n, copy);
      this.options.onPut?.(record);
      return true;
    });
  }

  #newest(where: string, limit: number, ...values: Parameters): RunRecord[] {
    return this.#runs(`WHERE ${where} ORDER BY r.started_at DESC, r.n DESC LIMIT ?`, ...values, limit);
  }

  /** @param rest of the query: its conditions and order */
  #runs(rest: string, ...values: Parameters): RunRecord[] {
    return this.database.all(`SELECT ${RUN_COLUMNS} FROM ${RUN_TABLES} ${rest}`, readRun, ...values);
  }

  /** Runs of windows that are gone, which say that they are under way. Those of early versions have no owner. */
  #left(): RunRecord[] {
    const all = this.database.all(
      "SELECT DISTINCT owner FROM run WHERE state = 'running'",
      (row) => row.owner as string | null,
    );
    const gone = all.filter((owner) => owner === null || this.owners.isGone(owner));
    return gone.flatMap((owner) => this.#runs("WHERE r.state = 'running' AND r.owner IS ?", owner));
  }

  #placeOf(id: string): readonly [number, number] | undefined {
    return this.database.get(
      'SELECT started_at, n FROM run WHERE id = ?',
      (row) => [number(row, 'started_at'), number(row, 'n')] as const,
      id,
    );
  }

  async #copyOf({ bytes, contentType }: ResponseBody): Promise<Copy | undefined> {
    const kept = bytes.subarray(0, this.options.maxResultBytes ?? 20 * MEGABYTE);
    const facts = { contentType, sizeBytes: bytes.byteLength, keptBytes: kept.byteLength };
    if (kept.byteLength <= INLINE_BYTES) return { ...facts, body: kept };
    try {
      return { ...facts, file: await this.files.write(kept) };
    } catch (error) {
      this.#logLost(error);
      return undefined;
    }
  }

  #logLost(error: unknown): void {
    this.options.log?.(logLine`The copy of a response could not be kept: ${loggedError(error)}`);
  }
}
