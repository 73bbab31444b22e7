import * as l10n from '@vscode/l10n';
import type { Money } from '../domain/money';
import type { RunRecord } from '../domain/runRecord';
import { Guard } from '../runs/budget/guard';
import type { WorkspaceSpending } from '../runs/budget/workspaceSpending';
import { Estimates } from '../runs/estimates/estimates';
import { performRun, type RunParts, type Runs } from '../runs/perform';
import type { ServiceClient } from '../service/client';
import type { Store } from '../store/store';
import { Unsaved } from '../store/unsaved';
import { messageOf } from '../wording/errors';
import { keepingAccepted, Memory, rememberedUploads } from './memory';

/**
 * The budget of one call.
 * @param maxCost of a canonical amount; missing: no limit
 * @param spent counts its runs for other calls and windows of the workspace too
 */
export function callGuard(
  estimates: Estimates,
  maxCost: Money | undefined,
  spent?: WorkspaceSpending,
): Guard {
  return new Guard({
    limits: () => ({ confirmRuns: 0, ...(maxCost !== undefined && { session: maxCost }) }),
    estimates,
    ...(spent && { spent }),
  });
}

export type PerformRun = Runs['perform'];

/**
 * The parts of single runs that a call makes; their history is kept in memory.
 * @param open the state in which accepted runs outlive the call; missing: they do not
 */
export function callRuns(
  client: ServiceClient,
  maxCost: Money | undefined,
  open?: () => Promise<Store>,
  warn: (text: string) => void = () => undefined,
): { readonly perform: PerformRun; readonly estimates: Estimates } {
  const history = new Memory();
  const estimates = new Estimates([history]);
  const parts: RunParts = {
    guard: callGuard(estimates, maxCost),
    cache: rememberedUploads(),
    history: open
      ? keepingAccepted(history, open, (run, error) => warn(cannotKeepText(run, error)))
      : history,
    client: async () => client,
    unsaved: new Unsaved(() => undefined),
  };
  return { perform: (order, options = {}) => performRun(parts, order, options), estimates };
}

function cannotKeepText({ runId, followUrl }: RunRecord, error: unknown): string {
  return l10n.t(
    'The run is accepted ({0}). It is waited for here, but not found by “model-bench follow” later: {1}',
    [runId, followUrl].filter((one) => one !== undefined).join(', '),
    messageOf(error),
  );
}
