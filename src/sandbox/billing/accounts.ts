import { HttpError } from '../http/errors';
import type { Database, Row } from '../store/database';
import { formatAmount, type Micros } from './money';
import type { Period } from './period';

/** A run as recorded in charges and in the activity. */
export interface LedgerRun {
  readonly run_id: string;
  readonly model: string;
  readonly mode: string;
  readonly scope?: string;
  readonly status: 'succeeded' | 'failed';
  /** The charge in millionths; 0 for a run that failed. */
  readonly micros: Micros;
  /** How many things were worked on: images of an index run, else 1. */
  readonly items: number;
  /** Of an index run: the ids it wrote. */
  readonly ids?: readonly string[];
  /** Epoch milliseconds at the end of the run. */
  readonly at: number;
  readonly duration_ms: number;
}

/** A part of the activity, newest first. */
interface ActivityPage {
  readonly runs: readonly LedgerRun[];
  /** How many there are on all pages. */
  readonly total: number;
  readonly hasMore: boolean;
}

const PLAY_MONEY: Micros = 10_000_000;

/** The wallet and every run that was charged to it. */
export class Accounts {
  #reserved: Micros = 0;

  constructor(
    private readonly database: Database,
    private readonly now: () => number,
  ) {
    if (database.get('SELECT 1 FROM wallet') === undefined) this.refill();
  }

  get balance(): Micros {
    return this.#wallet().balance;
  }

  /** Epoch milliseconds. */
  get changedAt(): number {
    return this.#wallet().changedAt;
  }

  setBalance(micros: Micros): void {
    setWallet(this.database, micros, this.now());
  }

  /** Resets the balance to that of a new sandbox. */
  refill(): void {
    this.setBalance(PLAY_MONEY);
  }

  /**
   * Reserves the price of a run, so that concurrent runs cannot spend the same money. Returns a function to end the
   * reservation, charged or not.
   * @throws {HttpError} 402
   */
  reserve(micros: Micros): () => void {
    const { balance } = this;
    if (balance - this.#reserved < micros) {
      throw new HttpError(
        402,
        'insufficient_funds',
        `This run costs ${formatAmount(micros)} USD and the wallet holds ${formatAmount(balance)} USD of play ` +
          'money. Run “Refill Play Money” in VS Code.',
      );
    }
    this.#reserved += micros;
    return () => {
      this.#reserved -= micros;
    };
  }

  /** Records a run and takes its price from the wallet; belongs in the transaction of the run's own writes. */
  charge(record: LedgerRun): void {
    chargeRun(this.database, record);
  }

  /** When the first run ended, in epoch milliseconds; undefined before it. */
  firstRunAt(): number | undefined {
    const at = this.database.get('SELECT min(ended_at) AS at FROM runs')?.at;
    return at === null ? undefined : Number(at);
  }

  /** Oldest first. */
  runsIn({ from, to }: Period): LedgerRun[] {
    const sql = 'SELECT * FROM runs WHERE ended_at >= ? AND ended_at < ? ORDER BY position';
    return this.database.all(sql, from, to).map(asRecord);
  }

  /** The runs before the run `cursor`, of one model or of all; undefined: there is no such cursor. */
  activity(query: { model: string | null; cursor: string | null; limit: number }): ActivityPage | undefined {
    const { model, cursor, limit } = query;
    const start =
      cursor === null
        ? Number.MAX_SAFE_INTEGER
        : this.database.get('SELECT position FROM runs WHERE run_id = ?', cursor)?.position;
    if (start === undefined) return undefined;
    const where = model === null ? '' : 'AND model = ?';
    const filter = model === null ? [] : [model];
    const rows = this.database.all(
      `SELECT * FROM runs WHERE position < ? ${where} ORDER BY position DESC LIMIT ?`,
      ...[Number(start), ...filter, limit + 1],
    );
    const total = this.database.get(`SELECT count(*) AS n FROM runs WHERE true ${where}`, ...filter)?.n;
    return { runs: rows.slice(0, limit).map(asRecord), total: Number(total), hasMore: rows.length > limit };
  }

  #wallet() {
    const { micros, changed_at: at } = this.database.get('SELECT * FROM wallet')!;
    return { balance: Number(micros), changedAt: Number(at) };
  }
}

function setWallet(database: Database, micros: Micros, at: number): void {
  database.run('INSERT OR REPLACE INTO wallet VALUES (1, ?, ?)', micros, Math.round(at));
}

function chargeRun(database: Database, run: LedgerRun): void {
  const { run_id, model, mode, scope = null, status, micros, items, ids, at, duration_ms } = run;
  database.run(
    `INSERT INTO runs (run_id, model, mode, scope, status, micros, items, ids, ended_at, duration_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[run_id, model, mode, scope, status, micros, items, ids === undefined ? null : JSON.stringify(ids)],
    ...[Math.round(at), Math.round(duration_ms)],
  );
  database.run('UPDATE wallet SET micros = micros - ?, changed_at = ?', micros, Math.round(at));
}

function asRecord(row: Row): LedgerRun {
  return {
    run_id: String(row.run_id),
    model: String(row.model),
    mode: String(row.mode),
    ...(row.scope !== null && { scope: String(row.scope) }),
    status: row.status as LedgerRun['status'],
    micros: Number(row.micros),
    items: Number(row.items),
    ...(row.ids !== null && { ids: JSON.parse(String(row.ids)) as string[] }),
    at: Number(row.ended_at),
    duration_ms: Number(row.duration_ms),
  };
}
