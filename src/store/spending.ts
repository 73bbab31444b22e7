import { addAmounts } from '../domain/amounts';
import type { Database } from './database';
import { touch } from './revisions';
import { text } from './rows';

/**
 * The money spent in a workspace at a service, in canonical amounts: windows add to one sum. Sums are never dropped:
 * a budget that forgot would let more be spent. The sandbox, with a new address at each start, adds a hundred bytes
 * each.
 */
export class SpendingTable {
  constructor(private readonly database: Database) {}

  of(workspace: string, baseUrl: string): string {
    return this.#find(workspace, baseUrl) ?? '0';
  }

  /**
   * Adds an amount, or takes one away that begins with a minus; resolves to the sum.
   * @param stored called inside the change
   */
  add(workspace: string, baseUrl: string, amount: string, stored?: () => void): Promise<string> {
    return this.#set(workspace, baseUrl, (before = '0') => addAmounts(before, amount), stored);
  }

  reset(workspace: string, baseUrl: string, stored?: () => void): Promise<string> {
    return this.#set(workspace, baseUrl, () => '0', stored);
  }

  #find(workspace: string, baseUrl: string): string | undefined {
    return this.database.get(
      'SELECT spent FROM spending WHERE workspace = ? AND base_url = ?',
      (row) => text(row, 'spent'),
      ...[workspace, baseUrl],
    );
  }

  #set(
    workspace: string,
    baseUrl: string,
    change: (before: string | undefined) => string,
    stored?: () => void,
  ): Promise<string> {
    return this.database.write(() => {
      const spent = change(this.#find(workspace, baseUrl));
      this.database.run(
        'INSERT OR REPLACE INTO spending VALUES (?, ?, ?, ?)',
        ...[workspace, baseUrl, spent, Date.now()],
      );
      touch(this.database, 'spending');
      stored?.();
      return spent;
    });
  }
}
