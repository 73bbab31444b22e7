import { addAmounts } from '../domain/amounts';
import type { Database } from './database';
import { touch } from './revisions';
import { text } from './rows';

/** Services whose spending a workspace remembers: the sandbox has a new address every time. */
const KEPT_OF_WORKSPACE = 20;

/** What was spent in a workspace at a service, in canonical amounts: windows add to one sum. */
export class SpendingTable {
  constructor(private readonly database: Database) {}

  of(workspace: string, baseUrl: string): string {
    return this.#find(workspace, baseUrl) ?? '0';
  }

  /** Adds an amount, or takes one away that begins with a minus; resolves to the sum. */
  add(workspace: string, baseUrl: string, amount: string): Promise<string> {
    return this.#set(workspace, baseUrl, (before = '0') => addAmounts(before, amount));
  }

  reset(workspace: string, baseUrl: string): Promise<string> {
    return this.#set(workspace, baseUrl, () => '0');
  }

  #find(workspace: string, baseUrl: string): string | undefined {
    return this.database.get(
      'SELECT spent FROM spending WHERE workspace = ? AND base_url = ?',
      (row) => text(row, 'spent'),
      ...[workspace, baseUrl],
    );
  }

  /** `durable`: a budget that forgot what was spent would let more be spent. */
  #set(workspace: string, baseUrl: string, change: (before: string | undefined) => string): Promise<string> {
    return this.database.write(() => {
      const spent = change(this.#find(workspace, baseUrl));
      this.database.run(
        'INSERT OR REPLACE INTO spending VALUES (?, ?, ?, ?)',
        ...[workspace, baseUrl, spent, Date.now()],
      );
      this.database.run(
        `DELETE FROM spending WHERE workspace = ? AND base_url NOT IN
         (SELECT base_url FROM spending WHERE workspace = ? ORDER BY at DESC, base_url = ? DESC LIMIT ${KEPT_OF_WORKSPACE})`,
        ...[workspace, workspace, baseUrl],
      );
      touch(this.database, 'spending');
      return spent;
    });
  }
}
