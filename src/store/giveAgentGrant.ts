import { type AgentGrant, paidTools } from '../domain/agentGrant';
import { compareAmounts, readAmount } from '../domain/amounts';
import { touch } from './revisions';
import type { Store } from './store';

/**
 * Gives a grant. Only the handler of *Allow Agent Spending…* may call this, with the values of VS Code's own input
 * boxes: a test of the house keeps every other module from importing it. A grant that lives in the environment is
 * changed, and its spending continues to count.
 */
export function giveAgentGrant({ database, agentGrants }: Store, grant: AgentGrant): Promise<void> {
  const { environment, amount, currency, until } = grant;
  const tools = paidTools.filter((tool) => grant.tools.includes(tool));
  const known = readAmount(amount);
  if (known === undefined || compareAmounts(known, '0') <= 0 || tools.length === 0)
    throw new RangeError('A grant needs an amount above zero and a tool.');
  return database.write(() => {
    agentGrants.endPast();
    const now = agentGrants.clock.restart();
    const values = [known, currency ?? null, JSON.stringify(tools), now, Math.round(until)] as const;
    const place = [environment.name, environment.baseUrl] as const;
    const changed = database.run(
      `UPDATE agent_grant SET amount = ?, currency = ?, tools = ?, given_at = ?, until = ?
       WHERE environment = ? AND base_url = ? AND ended_at IS NULL`,
      ...[...values, ...place],
    );
    if (changed === 0)
      database.run(
        `INSERT INTO agent_grant (amount, currency, tools, given_at, until, environment, base_url)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        ...[...values, ...place],
      );
    touch(database, 'agents');
  });
}
