import * as l10n from '@vscode/l10n';
import { UsageError } from '../commands/usageError';
import type { Environment } from '../domain/environment';
import type { AgentHouse } from './house';
import type { Works } from './works';

export interface AgentSession {
  readonly house: AgentHouse;
  readonly works: Works;
  /** The client's own name for itself. */
  readonly agent: string;
}

/**
 * The environment of a call.
 * @param asked the name in the call
 * @throws UsageError for every other one
 */
export async function environmentOf(house: AgentHouse, asked: string | undefined): Promise<Environment> {
  const allowed = await house.environments();
  const [usual] = allowed;
  if (!usual) throw new UsageError(l10n.t('Model Bench is not connected to a service.'));
  const environment = asked === undefined ? usual : allowed.find(({ name }) => name === asked);
  if (environment) return environment;
  const names = allowed.map(({ name }) => `“${name}”`).join(', ');
  throw new UsageError(l10n.t('Agents may use {0} only. Leave “environment” out.', names));
}
