import { inSteps } from './chunks';
import type { Database, Row } from './database';
import { touch } from './revisions';
import { number, oneOf, text } from './rows';
import { StoreProblem } from './storeProblem';

/** For this long a paid result can be restored for free after its file was lost. */
const KEPT_MS = 180 * 86_400_000;
const STEP = 200;

const states = ['finished', 'failed', 'unconfirmed'] as const;
const readState = oneOf(states);

/** A large or binary result, or a medium of it. */
export interface StoredFile {
  /** Relative to the results file. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface StoredResult {
  readonly customId: string;
  readonly state: (typeof states)[number];
  /** Its line in the results file, without the line's end. */
  readonly line: string;
  readonly at: number;
  readonly files?: readonly StoredFile[];
}

/** An outcome that the store has, and the results file that it was of. */
export interface KeptOutcome extends Pick<StoredResult, 'customId' | 'state'> {
  readonly file: string;
  /** From its line, as the sender; or ''. */
  readonly startedAt: string;
  readonly sender: string;
}

/** A person's judgement of one run: of several of a kind, the last. */
export interface StoredJudgement {
  readonly customId: string;
  readonly kind: string;
  /** Its line in the results file, without the line's end. */
  readonly line: string;
  readonly at: number;
}

/** The last outcome of each run, and those of its requests before. */
const TABLES = ['experiment_result', 'experiment_earlier'] as const;

/** Of a run without an outcome in the file: the job that has sent it, or when the outcome that is written soon was begun. */
interface RunInFlight {
  readonly job?: string;
  /** The job is of another file. */
  readonly isElsewhere?: boolean;
  readonly startedAt?: string;
}

/** As a result's line has it. */
const inLine = (member: string) =>
  `CASE WHEN json_valid(line) THEN coalesce(json_extract(line, '$.${member}'), '') ELSE '' END`;
const STARTED_AT = inLine('started_at');

/**
 * Results of experiments by the absolute path of their results file: the last one of each run, and its earlier costs.
 */
export class ExperimentResults {
  constructor(private readonly database: Database) {}

  /** Inside a change. They are not in the file yet. */
  recordNow(file: string, results: readonly StoredResult[]): void {
    const revision = touch(this.database, 'results');
    for (const { customId, state, line, at, files = [] } of results) {
      const [first, ...others] = files;
      this.database.run(
        `INSERT INTO experiment_earlier (file, custom_id, state, line, at, written)
         SELECT file, custom_id, state, line, at, written FROM experiment_result
         WHERE file = ? AND custom_id = ? AND line <> ? AND json_valid(line)
           AND coalesce(json_extract(line, '$.cost'), json_extract(line, '$.run_id')) IS NOT NULL`,
        ...[file, customId, line],
      );
      this.database.run(
        `INSERT INTO experiment_result (file, custom_id, state, line, at, revision, body_name, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (file, custom_id) DO UPDATE SET state = excluded.state, line = excluded.line, at = excluded.at,
           revision = excluded.revision, body_name = excluded.body_name, body = excluded.body, written = 0`,
        ...[file, customId, state, line, at, revision, first?.name ?? null, first?.bytes ?? null],
      );
      this.database.run('DELETE FROM experiment_file WHERE file = ? AND custom_id = ?', file, customId);
      for (const [n, other] of others.entries()) this.#addFile(file, customId, n, other);
    }
  }

  /** Inside a change: an outcome of a request before the one that is kept; it is not in the file yet. */
  recordEarlierNow(file: string, { customId, state, line, at }: StoredResult): void {
    this.database.run(
      'INSERT INTO experiment_earlier (file, custom_id, state, line, at, written) VALUES (?, ?, ?, ?, ?, 0)',
      ...[file, customId, state, line, at],
    );
  }

  /** How many changes have recorded results: no clock says in which order windows and terminals do that. */
  revision(): number {
    return this.database.count("SELECT n FROM revision WHERE topic = 'results'");
  }

  /** Whether a reader of the file at that revision can have missed the last outcome of a run. */
  isNewSince(file: string, customId: string, since: number): boolean {
    return this.database.has(
      'SELECT 1 AS yes FROM experiment_result WHERE file = ? AND custom_id = ? AND (revision > ? OR written = 0)',
      ...[file, customId, since],
    );
  }

  /** The last outcome of a run, without its files; undefined: there is none. */
  recorded(file: string, customId: string): StoredResult | undefined {
    return this.database.get(
      'SELECT custom_id, state, line, at, NULL AS body_name FROM experiment_result WHERE file = ? AND custom_id = ?',
      readResult,
      ...[file, customId],
    );
  }

  /**
   * Adds files to a result, with its line that names them; it is to be written again. A result that has changed since it
   * was read stays.
   */
  async addFiles(
    file: string,
    { customId, line }: StoredResult,
    next: { readonly line: string; readonly files: readonly StoredFile[] },
  ): Promise<void> {
    const key = [file, customId];
    await this.database.write(() => {
      const known = this.database.get(
        'SELECT * FROM experiment_result WHERE file = ? AND custom_id = ? AND line = ?',
        readResult,
        ...[...key, line],
      );
      if (!known) return;
      const copies = known.first ? 1 + this.#otherFiles(file, customId).length : 0;
      this.database.run(
        'UPDATE experiment_result SET line = ?, written = 0 WHERE file = ? AND custom_id = ?',
        ...[next.line, ...key],
      );
      for (const [n, added] of next.files.entries())
        if (copies + n === 0)
          this.database.run(
            'UPDATE experiment_result SET body_name = ?, body = ? WHERE file = ? AND custom_id = ?',
            ...[added.name, added.bytes, ...key],
          );
        else this.#addFile(file, customId, copies + n - 1, added);
    });
  }

  /** Results that no file contains yet, in the order of their outcomes. */
  unwritten(file: string, limit: number): StoredResult[] {
    const results = this.database.all(
      `SELECT custom_id, state, line, at, body_name, body FROM experiment_result WHERE file = ? AND written = 0
       UNION ALL SELECT custom_id, state, line, at, NULL, NULL FROM experiment_earlier WHERE file = ? AND written = 0
       ORDER BY at, custom_id LIMIT ?`,
      readResult,
      ...[file, file, limit],
    );
    return results.map(({ first, ...result }) =>
      first ? { ...result, files: [first, ...this.#otherFiles(file, result.customId)] } : result,
    );
  }

  /** @param n its place behind the first file, which is in the row of the result */
  #addFile(file: string, customId: string, n: number, { name, bytes }: StoredFile): void {
    this.database.run(
      'INSERT INTO experiment_file (file, custom_id, n, name, bytes) VALUES (?, ?, ?, ?, ?)',
      ...[file, customId, n, name, bytes],
    );
  }

  #otherFiles(file: string, customId: string): StoredFile[] {
    return this.database.all(
      'SELECT name, bytes FROM experiment_file WHERE file = ? AND custom_id = ? ORDER BY n',
      (row) => ({ name: text(row, 'name'), bytes: readBytes(row.bytes) }),
      ...[file, customId],
    );
  }

  /** Runs that jobs of this store have in flight, for any file, or with an outcome that this file lacks yet, by their ids. */
  inFlight(file: string): ReadonlyMap<string, RunInFlight> {
    const flying = this.database.all(
      "SELECT key, job, target FROM in_flight WHERE kind = 'experiment'",
      (row) =>
        [
          text(row, 'key'),
          { job: text(row, 'job'), ...(text(row, 'target') !== file && { isElsewhere: true }) },
        ] as const,
    );
    const unwritten = this.database.all(
      `SELECT custom_id, ${STARTED_AT} AS started FROM experiment_result WHERE file = ? AND written = 0`,
      (row) => [text(row, 'custom_id'), { startedAt: text(row, 'started') }] as const,
      file,
    );
    return new Map<string, RunInFlight>([...unwritten, ...flying]);
  }

  /** Whether a job of another file has sent a run, or has its outcome since that revision. */
  isElsewhere(file: string, customId: string, since: number): boolean {
    return this.database.has(
      `SELECT 1 AS yes FROM in_flight WHERE kind = 'experiment' AND key = ? AND target <> ?
         UNION ALL SELECT 1 FROM experiment_result WHERE custom_id = ? AND file <> ? AND revision > ? LIMIT 1`,
      ...[customId, file, customId, file, since],
    );
  }

  /**
   * The outcomes of runs, under any file: the same run in another experiment, before a renaming, or of a file that has
   * lost it. Of several, one that has finished, then that of this file, then the last.
   */
  kept(file: string, customIds: readonly string[]): KeptOutcome[] {
    return this.database.all(
      `SELECT custom_id, state, file, ${STARTED_AT} AS started, ${inLine('sender')} AS sender, max((state = 'finished') * 4 + (file = ?) * 2 + revision / 1e12)
       FROM experiment_result WHERE custom_id IN (SELECT value FROM json_each(?)) GROUP BY custom_id ORDER BY at, custom_id`,
      (row) => ({
        customId: text(row, 'custom_id'),
        state: readState(row, 'state'),
        file: text(row, 'file'),
        startedAt: text(row, 'started'),
        sender: text(row, 'sender'),
      }),
      ...[file, JSON.stringify(customIds)],
    );
  }

  /**
   * The file now contains these lines; another line of the run, recorded meanwhile, is still to be written. A loss of
   * power writes them there again, which changes nothing.
   */
  async noteWritten(
    file: string,
    results: readonly Pick<StoredResult, 'customId' | 'line'>[],
  ): Promise<void> {
    await this.database.write(() => {
      for (const { customId, line } of results)
        for (const table of TABLES)
          this.database.run(
            `UPDATE ${table} SET written = 1 WHERE file = ? AND custom_id = ? AND line = ?`,
            ...[file, customId, line],
          );
    });
  }

  async recordJudgements(file: string, judgements: readonly StoredJudgement[]): Promise<void> {
    await this.database.write(() => {
      for (const { customId, kind, line, at } of judgements)
        this.database.run(
          'INSERT OR REPLACE INTO experiment_judgement (file, custom_id, kind, line, at) VALUES (?, ?, ?, ?, ?)',
          ...[file, customId, kind, line, at],
        );
    });
  }

  /** The lines of judgements of runs, in the order in which they were made. */
  judgements(customIds: readonly string[]): string[] {
    return this.database.all(
      `SELECT DISTINCT line FROM experiment_judgement
       WHERE custom_id IN (SELECT value FROM json_each(?)) ORDER BY at, custom_id, kind`,
      (row) => text(row, 'line'),
      JSON.stringify(customIds),
    );
  }

  /** A results file has another path now. Results under that path stay. */
  async moved(from: string, to: string): Promise<void> {
    await this.database.write(() => {
      for (const table of ['experiment_result', 'experiment_judgement'])
        this.database.run(`UPDATE OR IGNORE ${table} SET file = ? WHERE file = ?`, to, from);
    });
  }

  /** Takes outcomes over, to be written into the file. */
  async bring(file: string, outcomes: readonly KeptOutcome[]): Promise<void> {
    await this.writeAgain(
      file,
      outcomes.map(({ customId }) => customId),
    );
    await this.database.write(() => {
      const revision = touch(this.database, 'results');
      for (const { customId, file: from } of outcomes)
        if (from !== file) this.#copy(from, file, customId, revision);
    });
  }

  #copy(from: string, to: string, customId: string, revision: number): void {
    this.database.run('DELETE FROM experiment_result WHERE file = ? AND custom_id = ?', to, customId);
    for (const [table, columns, values] of [
      [
        'experiment_result',
        'state, line, at, body_name, body, revision, written',
        `state, line, at, body_name, body, ${revision}, 0`,
      ],
      ['experiment_file', 'n, name, bytes', 'n, name, bytes'],
      ['experiment_earlier', 'state, line, at, written', 'state, line, at, 0'],
    ])
      this.database.run(
        `INSERT INTO ${table} (file, custom_id, ${columns}) SELECT ?, custom_id, ${values} FROM ${table} WHERE file = ? AND custom_id = ?`,
        ...[to, from, customId],
      );
  }

  /** They are gone from the file, and are to be written there again. */
  async writeAgain(file: string, customIds: readonly string[]): Promise<void> {
    await this.database.write(() => {
      // Who has read the file without them counts them as new.
      const revision = touch(this.database, 'results');
      for (const customId of customIds) {
        const key = [file, customId];
        this.database.run(
          'UPDATE experiment_result SET written = 0, revision = ? WHERE file = ? AND custom_id = ?',
          ...[revision, ...key],
        );
        this.database.run(
          'UPDATE experiment_earlier SET written = 0 WHERE file = ? AND custom_id = ?',
          ...key,
        );
      }
    });
  }

  /**
   * Changes the lines of the run that a service knows by this id, and marks them to be written into their files again.
   * @param times when its outcome was recorded, in milliseconds since the epoch: another service may have the same id
   * @param change returns undefined for a line that stays
   * @returns the files
   */
  async changeLines(
    runId: string,
    times: { readonly from: number; readonly to: number },
    change: (line: string) => string | undefined,
  ): Promise<readonly string[]> {
    const rows = TABLES.flatMap((table) =>
      this.database.all(
        `SELECT file, custom_id, line FROM ${table}
         WHERE at BETWEEN ? AND ? AND json_valid(line) AND json_extract(line, '$.run_id') = ?`,
        (row) => ({
          table,
          file: text(row, 'file'),
          customId: text(row, 'custom_id'),
          line: text(row, 'line'),
        }),
        ...[times.from, times.to, runId],
      ),
    );
    const changed = rows.flatMap(({ line, ...row }) => {
      const next = change(line);
      return next === undefined ? [] : [{ ...row, line, next }];
    });
    if (changed.length === 0) return [];
    await this.database.write(() => {
      for (const { table, file, customId, line, next } of changed)
        this.database.run(
          `UPDATE ${table} SET line = ?, written = 0 WHERE file = ? AND custom_id = ? AND line = ?`,
          ...[next, file, customId, line],
        );
    });
    return [...new Set(changed.map(({ file }) => file))];
  }

  /**
   * Changes the line of a run's last outcome, and marks it to be written into its file again.
   * @param change returns undefined for a line that stays
   */
  async changeLine(
    file: string,
    customId: string,
    change: (line: string) => string | undefined,
  ): Promise<void> {
    await this.database.write(() => {
      const known = this.recorded(file, customId);
      const next = known && change(known.line);
      if (next === undefined) return;
      this.database.run(
        'UPDATE experiment_result SET line = ?, written = 0 WHERE file = ? AND custom_id = ?',
        ...[next, file, customId],
      );
    });
  }

  /** Removes old results that their file contains. */
  async sweep(now = Date.now()): Promise<void> {
    await inSteps(this.database, STEP, (limit) =>
      this.database.run(
        `DELETE FROM experiment_result WHERE rowid IN
         (SELECT rowid FROM experiment_result WHERE at < ? AND written = 1 LIMIT ?)`,
        ...[now - KEPT_MS, limit],
      ),
    );
    await this.database.write(() =>
      this.database.run('DELETE FROM experiment_judgement WHERE at < ?', now - KEPT_MS),
    );
  }
}

/** A result with the first of its files. */
function readResult(row: Row): StoredResult & { readonly first?: StoredFile } {
  return {
    customId: text(row, 'custom_id'),
    state: readState(row, 'state'),
    line: text(row, 'line'),
    at: number(row, 'at'),
    ...(row.body_name !== null && { first: { name: text(row, 'body_name'), bytes: readBytes(row.body) } }),
  };
}

function readBytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new StoreProblem('damaged', 'The column body holds no bytes.');
}
