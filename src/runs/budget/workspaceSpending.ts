import { loggedError } from '../../domain/loggedError';
import { type LogLine, logLine } from '../../domain/logLine';
import type { Money } from '../../domain/money';
import { addSpent, NOTHING_SPENT, negative, type ResolvedRun, type Spent } from '../../store/spending';
import type { Store } from '../../store/store';

interface Reserving {
  readonly kind: 'reserve';
  readonly baseUrl: string;
  readonly id: string;
  readonly amount: Money;
  check: (() => void) | undefined;
  /** The error that `check` threw. */
  refusal?: { readonly error: unknown };
}

/** A change of the sums that is on its way to the disk. */
type Order =
  | Reserving
  | {
      readonly kind: 'settle' | 'resolve';
      readonly baseUrl: string;
      readonly id: string;
      readonly cost: Money;
      /** The change of this workspace's sums, until it is stored. */
      readonly change: Spent;
    }
  | {
      readonly kind: 'reset';
      readonly baseUrl: string;
      readonly kept: ReadonlySet<string>;
      readonly change: Spent;
    };

/**
 * The money spent in a workspace at each service, of canonical amounts, one sum for all its windows; it outlives the
 * session. A run that may be charged reserves its estimate from its admission until its cost is known, even if its window
 * is gone. It is read without waiting, as admitting a run must be, and so includes an amount from the moment it is held
 * or charged.
 */
export class WorkspaceSpending {
  /** As last read. */
  readonly #stored = new Map<string, Spent>();
  /** The sums of each service at the last look at other windows' changes. */
  readonly #seen = new Map<string, Spent>();
  /** Runs of this window that are not in the store yet. */
  readonly #held = new Map<string, { readonly baseUrl: string; readonly amount: Money }>();
  /** In their sequence; those that could not be written are written with the next ones. */
  #orders: Order[] = [];
  #writing: Promise<void> | undefined;
  readonly #stopHearing: () => void;

  /**
   * @param workspace names the workspace on this machine
   * @param onChanged the sums in the store have changed, in this window or another
   */
  constructor(
    private readonly store: Pick<Store, 'spending' | 'changes'>,
    private readonly workspace: string,
    private readonly options: { readonly log: (line: LogLine) => void; readonly onChanged?: () => void },
  ) {
    this.#stopHearing = store.changes.on('spending', () => this.#look());
  }

  /** Before the store is closed: costs that could not be written are tried once more, since no next ones follow. */
  async close(): Promise<void> {
    this.#stopHearing();
    await this.#writing;
    if (this.#orders.length > 0) await this.#write();
  }

  of(baseUrl: string): Spent {
    const sums = this.#sums(baseUrl);
    if (!this.#seen.has(baseUrl)) this.#seen.set(baseUrl, sums);
    return sums;
  }

  /** Runs with a cost that became known later. */
  resolved(): readonly ResolvedRun[] {
    return unlessClosed(() => this.store.spending.resolved(), []);
  }

  /** A run of this window is admitted: its estimate counts at once. */
  hold(baseUrl: string, id: string, amount: Money): void {
    this.#held.set(heldKey(baseUrl, id), { baseUrl, amount });
  }

  /**
   * Before a held run leaves: all windows count it from now on. A kill of this one does not change that.
   * @param check called when the sums of all windows are known and none of them can change one
   * @throws the error of `check`
   */
  async reserve(baseUrl: string, id: string, check: () => void): Promise<void> {
    const held = this.#held.get(heldKey(baseUrl, id));
    if (!held) return;
    const order: Reserving = { kind: 'reserve', baseUrl, id, amount: held.amount, check };
    await this.#order(order);
    if (order.refusal) throw order.refusal.error;
  }

  /** This window knows the cost of a held run; zero: it was not billed. Counts at once. */
  settle(baseUrl: string, id: string, cost: Money): void {
    if (this.#held.delete(heldKey(baseUrl, id))) {
      this.#orders = this.#orders.filter(
        (one) => one.kind !== 'reserve' || one.baseUrl !== baseUrl || one.id !== id,
      );
      // The store does not know it.
      if (cost.amount === '0') return;
    }
    const counted = { spent: [cost], reserved: [] };
    const change = unlessClosed(() => this.store.spending.settling(baseUrl, id, cost), counted);
    void this.#order({ kind: 'settle', baseUrl, id, cost, change });
  }

  /** The cost of a run of any window became known later. False: it was known, or the run does not count. */
  resolve(baseUrl: string, id: string, cost: Money): boolean {
    const change = this.store.spending.resolving(baseUrl, id, cost);
    const isOrdered = this.#orders.some(
      (one) => one.kind === 'resolve' && one.baseUrl === baseUrl && one.id === id,
    );
    if (!change || isOrdered) return false;
    const isOurs = change.workspace === this.workspace;
    void this.#order({ kind: 'resolve', baseUrl, id, cost, change: isOurs ? change : NOTHING_SPENT });
    return true;
  }

  /** @param kept runs of this window that are in flight */
  reset(baseUrl: string, kept: ReadonlySet<string>): void {
    // Estimates count until the change is made.
    const change = { spent: this.#sums(baseUrl).spent.map(negative), reserved: [] };
    void this.#order({ kind: 'reset', baseUrl, kept, change });
  }

  /** Resolves when writing it was tried, together with all others that wait. */
  #order(order: Order): Promise<void> {
    this.#orders.push(order);
    this.#writing ??= this.#write();
    return this.#writing;
  }

  async #write(): Promise<void> {
    let made: readonly Order[] | undefined;
    try {
      await this.store.spending.write(() => {
        // Its turn has come: later orders are written by the next change.
        this.#writing = undefined;
        made = this.#orders.splice(0);
        for (const order of made) this.#make(order);
      });
    } catch (error) {
      if (!made) this.#writing = undefined;
      const failed = made ?? this.#orders.splice(0);
      for (const order of failed) {
        if (order.kind !== 'reserve') continue;
        // Its run leaves all the same: this window counts it.
        order.check = undefined;
        if (!order.refusal) this.hold(order.baseUrl, order.id, order.amount);
      }
      const isKept = (order: Order) => (order.kind === 'reserve' ? !order.refusal : order.kind !== 'reset');
      this.#orders = [...failed.filter(isKept), ...this.#orders];
      this.options.log(logLine`What was spent could not be saved: ${loggedError(error)}`);
    }
  }

  /** Inside a change: from its commit on, the stored sums include it. */
  #make(order: Order): void {
    const { spending } = this.store;
    const { baseUrl } = order;
    switch (order.kind) {
      case 'reserve':
        try {
          order.check?.();
        } catch (error) {
          order.refusal = { error };
          return;
        }
        this.#held.delete(heldKey(baseUrl, order.id));
        spending.hold(this.workspace, baseUrl, order.id, order.amount);
        break;
      case 'settle':
        spending.settle(this.workspace, baseUrl, order.id, order.cost);
        break;
      case 'resolve':
        spending.resolve(baseUrl, order.id, order.cost);
        break;
      case 'reset':
        spending.reset(this.workspace, baseUrl, order.kept);
    }
  }

  #look(): void {
    let isChanged = false;
    for (const [baseUrl, before] of this.#seen) {
      const sums = this.#sums(baseUrl);
      isChanged ||= JSON.stringify(sums) !== JSON.stringify(before);
      this.#seen.set(baseUrl, sums);
    }
    if (isChanged) this.options.onChanged?.();
  }

  /** The stored sums of all windows, and this one's amounts that are not stored yet. */
  #sums(baseUrl: string): Spent {
    const stored = unlessClosed(
      () => this.store.spending.of(this.workspace, baseUrl),
      this.#stored.get(baseUrl) ?? NOTHING_SPENT,
    );
    this.#stored.set(baseUrl, stored);
    let sums = stored;
    for (const order of this.#orders)
      if (order.baseUrl === baseUrl && order.kind !== 'reserve') sums = addSpent(sums, order.change);
    for (const { baseUrl: at, amount } of this.#held.values())
      if (at === baseUrl) sums = addSpent(sums, { spent: [], reserved: [amount] });
    return sums;
  }
}

/** The store is closed, or cannot be read. */
function unlessClosed<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** Of runs of two services, each with its own IDs. */
function heldKey(baseUrl: string, id: string): string {
  return `${baseUrl} ${id}`;
}
