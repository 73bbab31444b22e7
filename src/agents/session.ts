import * as l10n from '@vscode/l10n';
import { UsageError } from '../commands/usageError';
import type { Environment } from '../domain/environment';
import type { AgentHouse } from './house';
import type { Works } from './works';

/** The calls of one client. */
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
  const environment = await house.environment();
  if (!environment) throw new UsageError(l10n.t('Model Bench is not connected to a service.'));
  if (asked !== undefined && asked !== environment.name)
    throw new UsageError(
      l10n.t('Agents may use the environment “{0}” only. Leave “environment” out.', environment.name),
    );
  return environment;
}
