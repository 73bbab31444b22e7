import type { ResultEntry } from '../results/resultLine';
import { takenBack } from '../results/resultOrder';
import { appendLines, type ResultsFile } from '../results/resultsFile';

interface Order {
  readonly id: string;
  readonly at: number;
  readonly settle: (isOurs: boolean) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Writes into the results file that a run is sent, before it leaves, so that no other window, terminal or machine
 * with this file sends it too. Lines are appended whole: of several senders the first line counts, and the others
 * read that afterwards. The user has already decided about lines known before the runs were chosen.
 */
export class Claims {
  /** Lines since the runs were chosen, by run, in the order of the file. */
  readonly #since = new Map<string, ResultEntry[]>();
  /** When a run was claimed that has not been given back. */
  readonly #claimed = new Map<string, number>();
  readonly #taken: Order[] = [];
  /** Lines of runs that were given back: without them they would stay unconfirmed. */
  readonly #returned: string[] = [];
  /** Some of them were not tried to be written. */
  #isReturnNew = false;
  #working: Promise<void> | undefined;

  /** @param sender tells this job from all others */
  constructor(
    private readonly file: ResultsFile,
    private readonly sender: string,
  ) {
    file.onLine = (entry) => {
      const { custom_id: id } = entry.line;
      this.#since.set(id, [...(this.#since.get(id) ?? []), entry]);
    };
  }

  /**
   * Resolves when the line is on the disk, to whether the run is ours to send.
   * @param at when the run was recorded as sent, in milliseconds since the epoch
   * @throws when the file cannot be written or read, or is another one now
   */
  take(id: string, at: number): Promise<boolean> {
    return new Promise((settle, fail) => {
      this.#claimed.set(id, at);
      this.#taken.push({ id, at, settle, fail });
      this.#working ??= this.#work();
    });
  }

  /** The run was not executed, and does not wait to be any more. */
  giveBack(id: string): void {
    const at = this.#claimed.get(id);
    this.#claimed.delete(id);
    if (at === undefined) return;
    this.#returned.push(this.#line(id, 'returned', at));
    this.#isReturnNew = true;
    this.#working ??= this.#work();
  }

  /** Resolves when all that was given back is in the file, or cannot be written there now either. */
  async flush(): Promise<void> {
    if (this.#returned.length > 0) this.#working ??= this.#work();
    for (let work = this.#working; work !== undefined; work = this.#working) await work;
  }

  /** One append, one sync and one reading for all that leave together. */
  async #work(): Promise<void> {
    do {
      await new Promise((resolve) => setImmediate(resolve));
      const taken = this.#taken.splice(0);
      try {
        if (taken.length > 0) await this.file.append(taken.map(({ id, at }) => this.#line(id, 'sent', at)));
        for (const { id, at, settle } of taken) {
          const isOurs = this.#isOurs(id, at);
          if (!isOurs) this.giveBack(id);
          settle(isOurs);
        }
      } catch (error) {
        for (const { fail } of taken) fail(error);
      }
      await this.#writeReturned();
    } while (this.#taken.length > 0 || this.#isReturnNew);
    this.#working = undefined;
  }

  /** Also into another file of that name: its lines may say that they were sent. */
  async #writeReturned(): Promise<void> {
    const lines = [...this.#returned];
    this.#isReturnNew = false;
    if (lines.length === 0) return;
    const isWritten = await appendLines(this.file.path, lines, undefined, false).then(
      () => true,
      () => false,
    );
    if (isWritten) this.#returned.splice(0, lines.length);
  }

  #line(id: string, state: 'sent' | 'returned', at: number): string {
    const started_at = new Date(at).toISOString();
    return JSON.stringify({ custom_id: id, state, started_at, sender: this.sender });
  }

  #isOurs(id: string, at: number): boolean {
    const lines = this.#since.get(id) ?? [];
    const isTakenBack = takenBack(lines);
    const first = lines.find((entry) => entry.state !== 'returned' && !isTakenBack(entry));
    const isOwn = first?.state === 'sent' && first.sender === this.sender;
    return isOwn && first.at === new Date(at).toISOString();
  }
}
