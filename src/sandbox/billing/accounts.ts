import { join } from 'node:path';
import { HttpError } from '../http/errors';
import { JsonLines } from '../store/jsonLines';
import { formatAmount, type Micros } from './money';

/** A run as it is charged and shown in the activity. */
export interface RunRecord {
  readonly kind: 'run';
  readonly run_id: string;
  readonly model: string;
  readonly mode: string;
  readonly scope?: string;
  readonly status: 'succeeded' | 'failed';
  /** What was charged, in millionths; 0 for a run that failed. */
  readonly micros: Micros;
  /** How many things were worked on: images of an index run, else 1. */
  readonly items: number;
  /** Of an index run: the ids it wrote. */
  readonly ids?: readonly string[];
  /** Epoch milliseconds at the end of the run. */
  readonly at: number;
  readonly duration_ms: number;
}

/** A new balance: at the first start, and by `--wallet`. */
interface BalanceRecord {
  readonly kind: 'balance';
  readonly micros: Micros;
  readonly at: number;
}

const PLAY_MONEY: Micros = 10_000_000;

/** The wallet and every run that was charged to it. */
export class Accounts {
  readonly #file: JsonLines<RunRecord | BalanceRecord>;
  readonly #runs: RunRecord[] = [];
  #balance: Micros = 0;
  #reserved: Micros = 0;
  #changedAt = 0;

  constructor(
    dataDir: string,
    private readonly now: () => number,
  ) {
    this.#file = new JsonLines(join(dataDir, 'accounts.jsonl'));
    for (const row of this.#file.rows) this.#apply(row);
    if (this.#file.rows.length === 0) this.setBalance(PLAY_MONEY);
  }

  get balance(): Micros {
    return this.#balance;
  }

  /** Epoch milliseconds. */
  get changedAt(): number {
    return this.#changedAt;
  }

  /** Oldest first. */
  get runs(): readonly RunRecord[] {
    return this.#runs;
  }

  setBalance(micros: Micros): void {
    this.#record({ kind: 'balance', micros, at: this.now() });
  }

  /**
   * Reserves the price of a run, so that concurrent runs cannot spend the same money. Returns what ends the
   * reservation: the run of a record is charged; without a record, nothing is. @throws {HttpError} 402
   */
  reserve(micros: Micros): (record?: RunRecord) => void {
    if (this.#balance - this.#reserved < micros) {
      throw new HttpError(
        402,
        'insufficient_funds',
        `This run costs ${formatAmount(micros)} USD and the wallet holds ${formatAmount(this.#balance)} USD of play ` +
          'money. Restart the sandbox with --wallet 10 to refill it.',
      );
    }
    this.#reserved += micros;
    return (record) => {
      this.#reserved -= micros;
      if (record !== undefined) this.#record(record);
    };
  }

  close(): void {
    this.#file.close();
  }

  #record(row: RunRecord | BalanceRecord): void {
    this.#file.append([row]);
    this.#apply(row);
  }

  #apply(row: RunRecord | BalanceRecord): void {
    this.#changedAt = row.at;
    if (row.kind === 'balance') this.#balance = row.micros;
    else {
      this.#balance -= row.micros;
      this.#runs.push(row);
    }
  }
}
