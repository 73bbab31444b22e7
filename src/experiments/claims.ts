import { Turns } from '../service/turns';
import { readFileAt } from './files/door';
import { type ResultEntry, readLine } from './resultLine';
import { takenBack } from './resultOrder';
import { recordsIn } from './resultRecords';
import {
  appendLines,
  type FileEnd,
  type KnownResults,
  MARK_BYTES,
  MOST_RESULT_BYTES,
  readKnownResults,
} from './resultsFile';

interface Order {
  readonly id: string;
  readonly state: 'sent' | 'returned';
  readonly at: number;
  readonly settle?: (isOurs: boolean) => void;
  readonly fail?: (error: unknown) => void;
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
  readonly #queue: Order[] = [];
  /** Runs given back while the file could not be written: without their lines they would stay unconfirmed. */
  readonly #late: Order[] = [];
  #end: FileEnd | undefined;
  #working: Promise<void> | undefined;

  /**
   * @param sender tells this job from all others
   * @param replaced called when another file has taken the place of this one, as an older version of it
   */
  constructor(
    private readonly file: string,
    private readonly sender: string,
    private readonly known: KnownResults,
    private readonly replaced: () => void = () => undefined,
  ) {
    this.#end = known.end;
  }

  /**
   * Resolves when the line is on the disk, to whether the run is ours to send.
   * @param at when the run was recorded as sent, in milliseconds since the epoch
   * @throws when the file cannot be written or read
   */
  take(id: string, at: number): Promise<boolean> {
    return new Promise((settle, fail) => {
      this.#claimed.set(id, at);
      this.#add({ id, state: 'sent', at, settle, fail });
    });
  }

  /** The run was not executed, and does not wait to be any more. */
  giveBack(id: string): void {
    const at = this.#claimed.get(id);
    this.#claimed.delete(id);
    if (at !== undefined) this.#add({ id, state: 'returned', at });
  }

  /** Resolves when all that was given back is in the file, or cannot be written there now either. */
  async flush(): Promise<void> {
    if (this.#late.length > 0) this.#working ??= this.#work();
    for (let work = this.#working; work !== undefined; work = this.#working) await work;
  }

  #add(order: Order): void {
    this.#queue.push(order);
    this.#working ??= this.#work();
  }

  /** One append, one sync and one reading for all that leave together. */
  async #work(): Promise<void> {
    do {
      await new Promise((resolve) => setImmediate(resolve));
      const orders = [...this.#late.splice(0), ...this.#queue.splice(0)];
      try {
        await appendLines(
          this.file,
          orders.map((order) => this.#line(order)),
        );
        const taken = orders.filter(({ settle }) => settle);
        if (taken.length > 0) this.#settle(taken, await this.#ownership());
      } catch (error) {
        for (const { fail } of orders) fail?.(error);
        for (const order of orders) if (order.state === 'returned') this.#late.push(order);
      }
    } while (this.#queue.length > 0);
    this.#working = undefined;
  }

  #settle(taken: readonly Order[], isOurs: (id: string, at: number) => boolean): void {
    for (const { id, at, settle } of taken) {
      const ours = isOurs(id, at);
      if (!ours) this.giveBack(id);
      settle?.(ours);
    }
  }

  #line({ id, state, at }: Order): string {
    const started_at = new Date(at).toISOString();
    return JSON.stringify({ custom_id: id, state, started_at, sender: this.sender });
  }

  async #ownership(): Promise<(id: string, at: number) => boolean> {
    const isOwn = (entry: ResultEntry | undefined, at: number) =>
      entry?.state === 'sent' && entry.sender === this.sender && entry.at === new Date(at).toISOString();
    const isNew = (id: string, { mark }: ResultEntry) =>
      !this.known.entries.runs.get(id)?.some((one) => one.mark === mark);
    if (await this.#readNew())
      return (id, at) => {
        const lines = this.#since.get(id) ?? [];
        const isTakenBack = takenBack(lines);
        const standing = lines.filter(
          (entry) => isNew(id, entry) && entry.state !== 'returned' && !isTakenBack(entry),
        );
        return isOwn(standing[0], at);
      };
    // Another file has its place, as after a merge: the order of its lines says nothing.
    const { entries } = await readKnownResults(this.file);
    return (id, at) => {
      const lines = (entries.runs.get(id) ?? []).filter(
        (entry) => isNew(id, entry) && entry.state !== 'returned',
      );
      return lines.length > 0 && lines.every((entry) => isOwn(entry, at));
    };
  }

  /** False: the file is another one, or not continued. */
  async #readNew(): Promise<boolean> {
    const { inode, offset, mark } = this.#end ?? {};
    if (offset === undefined || mark === undefined) return false;
    const read = await readFileAt(this.file, MOST_RESULT_BYTES, offset - mark.length);
    const isSame =
      read &&
      (inode === undefined || inode === read.inode) &&
      Buffer.compare(read.bytes.subarray(0, mark.length), mark) === 0;
    if (!isSame) {
      this.#end = undefined;
      this.replaced();
      return false;
    }
    const end = read.bytes.lastIndexOf(0x0a) + 1;
    const text = new TextDecoder().decode(read.bytes.subarray(mark.length, end));
    const turns = new Turns();
    for (const record of recordsIn(text)) {
      const entry = record?.value && readLine(record.value, record.text);
      if (turns.isOver) await turns.next();
      if (!entry) continue;
      const { custom_id: id } = entry.line;
      const since = this.#since.get(id);
      if (since) since.push(entry);
      else this.#since.set(id, [entry]);
    }
    this.#end = {
      inode: read.inode,
      offset: offset - mark.length + end,
      mark: Uint8Array.from(read.bytes.subarray(Math.max(0, end - MARK_BYTES), end)),
    };
    return true;
  }
}
