import * as z from 'zod/mini';
import { subtractAmounts, sumByCurrency } from '../domain/amounts';
import { type Money, money } from '../domain/money';
import type { Database } from './database';
import { touch } from './revisions';
import { json, optional, text } from './rows';

/** Sums, one of each currency: the known costs of runs, and the estimates of runs without a known cost. */
export interface Spent {
  readonly spent: readonly Money[];
  readonly reserved: readonly Money[];
}

/** The estimate of a run that is about to leave, or has left, and of which no cost is known. */
interface Reserve {
  readonly workspace: string;
  readonly amount: Money;
  /** Another window than the sender's has learned it; the amount is no longer reserved. */
  readonly cost?: Money;
}

/** A run that another window than the sender's has learned the cost of. */
export interface ResolvedRun {
  readonly baseUrl: string;
  readonly id: string;
  readonly cost: Money;
}

export const NOTHING_SPENT: Spent = { spent: [], reserved: [] };

const readMoney = json(money);
const readSums = json(z.array(money));

/**
 * The money spent in a workspace at a service: windows add to one sum, and each run that may be charged reserves its
 * estimate, even if its window is gone. Sums are never dropped: a budget that forgot would let more be spent. The
 * sandbox, with a new address at each start, adds a hundred bytes each.
 */
export class SpendingTable {
  constructor(private readonly database: Database) {}

  of(workspace: string, baseUrl: string): Spent {
    const sums = this.database.get(
      'SELECT spent, reserved FROM spending WHERE workspace = ? AND base_url = ?',
      (row) => ({ spent: readSums(row, 'spent'), reserved: readSums(row, 'reserved') }),
      ...[workspace, baseUrl],
    );
    return sums ?? NOTHING_SPENT;
  }

  /** @param id of the run: its record's, or `jobRunId` */
  reserve(baseUrl: string, id: string): Reserve | undefined {
    return this.database.get(
      'SELECT workspace, amount, cost FROM reserve WHERE base_url = ? AND id = ?',
      (row) => ({
        workspace: text(row, 'workspace'),
        amount: readMoney(row, 'amount'),
        ...optional(row, 'cost', readMoney),
      }),
      ...[baseUrl, id],
    );
  }

  /** Since the last sweep. */
  resolved(): ResolvedRun[] {
    return this.database.all('SELECT base_url, id, cost FROM reserve WHERE cost IS NOT NULL', (row) => ({
      baseUrl: text(row, 'base_url'),
      id: text(row, 'id'),
      cost: readMoney(row, 'cost'),
    }));
  }

  /** One change, made of the methods below. */
  write(work: () => void): Promise<void> {
    return this.database.write(() => {
      work();
      touch(this.database, 'spending');
    });
  }

  /** Inside a change: a run is about to leave. */
  hold(workspace: string, baseUrl: string, id: string, amount: Money): void {
    const held = this.reserve(baseUrl, id);
    this.database.run(
      'INSERT OR REPLACE INTO reserve (base_url, id, workspace, amount) VALUES (?, ?, ?, ?)',
      ...[baseUrl, id, workspace, JSON.stringify(amount)],
    );
    const before = held && held.cost === undefined ? [negative(held.amount)] : [];
    this.#add(workspace, baseUrl, { spent: [], reserved: [amount, ...before] });
  }

  /** The change of a workspace's sums when the sender of a run knows its cost, zero where it was not billed. */
  settling(baseUrl: string, id: string, cost: Money): Spent {
    const held = this.reserve(baseUrl, id);
    // Its cost was counted when it was learned elsewhere.
    if (held?.cost !== undefined) return NOTHING_SPENT;
    return { spent: [cost], reserved: held ? [negative(held.amount)] : [] };
  }

  /** Inside a change. */
  settle(workspace: string, baseUrl: string, id: string, cost: Money): void {
    this.#add(workspace, baseUrl, this.settling(baseUrl, id, cost));
    this.database.run('DELETE FROM reserve WHERE base_url = ? AND id = ?', baseUrl, id);
  }

  /** The change when the cost of a run became known elsewhere; undefined: it is known already, or no longer counts. */
  resolving(baseUrl: string, id: string, cost: Money): (Spent & { readonly workspace: string }) | undefined {
    const held = this.reserve(baseUrl, id);
    if (!held || held.cost !== undefined) return undefined;
    return { workspace: held.workspace, spent: [cost], reserved: [negative(held.amount)] };
  }

  /** Inside a change. */
  resolve(baseUrl: string, id: string, cost: Money): void {
    const change = this.resolving(baseUrl, id, cost);
    if (!change) return;
    this.#add(change.workspace, baseUrl, change);
    this.database.run(
      'UPDATE reserve SET cost = ? WHERE base_url = ? AND id = ?',
      ...[JSON.stringify(cost), baseUrl, id],
    );
  }

  /** The cost of a run has come after its sender, which may be gone. */
  learn(baseUrl: string, id: string, cost: Money): Promise<void> {
    return this.write(() => this.resolve(baseUrl, id, cost));
  }

  /** Inside a change. @param kept runs that are still in flight */
  reset(workspace: string, baseUrl: string, kept: ReadonlySet<string>): void {
    const held = this.database.all(
      'SELECT id, amount FROM reserve WHERE base_url = ? AND workspace = ? AND cost IS NULL',
      (row) => ({ id: text(row, 'id'), amount: readMoney(row, 'amount') }),
      ...[baseUrl, workspace],
    );
    const isKept = ({ id }: { readonly id: string }) => kept.has(id);
    for (const one of held)
      if (!isKept(one))
        this.database.run('DELETE FROM reserve WHERE base_url = ? AND id = ?', baseUrl, one.id);
    const reserved = held.filter(isKept).map(({ amount }) => amount);
    this.#set(workspace, baseUrl, addSpent(NOTHING_SPENT, { spent: [], reserved }));
  }

  /** Windows have read these costs long ago. */
  async sweep(): Promise<void> {
    await this.database.write(() => this.database.run('DELETE FROM reserve WHERE cost IS NOT NULL'));
  }

  #add(workspace: string, baseUrl: string, change: Spent): void {
    this.#set(workspace, baseUrl, addSpent(this.of(workspace, baseUrl), change));
  }

  #set(workspace: string, baseUrl: string, { spent, reserved }: Spent): void {
    this.database.run(
      'INSERT OR REPLACE INTO spending (workspace, base_url, spent, reserved, at) VALUES (?, ?, ?, ?, ?)',
      ...[workspace, baseUrl, JSON.stringify(spent), JSON.stringify(reserved), Date.now()],
    );
  }
}

export function addSpent(a: Spent, b: Spent): Spent {
  const sums = (name: keyof Spent) =>
    sumByCurrency([...a[name], ...b[name]]).filter(({ amount }) => amount !== '0');
  return { spent: sums('spent'), reserved: sums('reserved') };
}

/** To take an amount away from a sum. */
export function negative(of: Money): Money {
  return { ...of, amount: subtractAmounts('0', of.amount) };
}
