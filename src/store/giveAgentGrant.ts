import { type AgentGrant, paidTools } from '../domain/agentGrant';
import { compareAmounts, readAmount } from '../domain/amounts';
import { agentName } from './agentGrants';
import { touch } from './revisions';
import { text } from './rows';
import type { Store } from './store';

/**
 * Gives a grant. Only the handler of *Agent Spending…*, with the values of VS Code's own input boxes, and a
 * terminal's `--max-cost` may call this: a test of the house keeps every other module from importing it. A living grant
 * of the same owner and currency is changed, and its spending continues to count. That of a process is never lowered:
 * other processes of the same client use it too, each within its own cap.
 */
export function giveAgentGrant({ database, agentGrants }: Store, grant: AgentGrant): Promise<void> {
  const { environment, ofProcess = false, amount, currency, until } = grant;
  const tools = paidTools.filter((tool) => grant.tools.includes(tool));
  const known = readAmount(amount);
  if (known === undefined || compareAmounts(known, '0') <= 0 || tools.length === 0)
    throw new RangeError('A grant needs an amount above zero and a tool.');
  return database.write(() => {
    agentGrants.endPast();
    const now = agentGrants.clock.restart();
    const client = grant.client === undefined ? '' : agentName(grant.client);
    const owner = [environment.name, environment.baseUrl, client, Number(ofProcess)] as const;
    const ofOwner = 'environment = ? AND base_url = ? AND client = ? AND of_process = ? AND ended_at IS NULL';
    database.run(
      `UPDATE agent_grant SET ended_at = ? WHERE ${ofOwner} AND currency <> ?`,
      ...[now, ...owner, currency ?? null],
    );
    const before = database.get(
      `SELECT amount FROM agent_grant WHERE ${ofOwner}`,
      (row) => text(row, 'amount'),
      ...owner,
    );
    const isHigher = ofProcess && before !== undefined && compareAmounts(before, known) > 0;
    const given = isHigher ? before : known;
    const values = [given, currency ?? null, JSON.stringify(tools), now, Math.round(until)] as const;
    database.run(
      before === undefined
        ? `INSERT INTO agent_grant (amount, currency, tools, given_at, until, environment, base_url, client, of_process)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
        : `UPDATE agent_grant SET amount = ?, currency = coalesce(?, currency), tools = ?, given_at = ?, until = ?
           WHERE ${ofOwner}`,
      ...[...values, ...owner],
    );
    touch(database, 'agents');
  });
}
