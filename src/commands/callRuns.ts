import { Guard } from '../runs/budget/guard';
import type { WorkspaceSpending } from '../runs/budget/workspaceSpending';
import { Estimates } from '../runs/estimates/estimates';
import { performRun, type RunParts, type Runs } from '../runs/perform';
import type { ServiceClient } from '../service/client';
import { Unsaved } from '../store/unsaved';
import { Memory, rememberedUploads } from './memory';

/**
 * The budget of one call.
 * @param maxCost a canonical amount; missing: no limit
 * @param spent counts its runs for other calls and windows of the workspace too
 */
export function callGuard(
  estimates: Estimates,
  maxCost: string | undefined,
  spent?: WorkspaceSpending,
): Guard {
  return new Guard({
    limits: () => ({ confirmRuns: 0, ...(maxCost !== undefined && { session: maxCost }) }),
    estimates,
    ...(spent && { spent }),
  });
}

/** Sends one run. */
export type PerformRun = Runs['perform'];

/** The parts of single runs that a call makes; their history is kept in memory. */
export function callRuns(
  client: ServiceClient,
  maxCost: string | undefined,
): { readonly perform: PerformRun; readonly estimates: Estimates } {
  const history = new Memory();
  const estimates = new Estimates([history]);
  const parts: RunParts = {
    ...{ guard: callGuard(estimates, maxCost), history, cache: rememberedUploads() },
    client: async () => client,
    unsaved: new Unsaved(() => undefined),
  };
  return { perform: (order, options = {}) => performRun(parts, order, options), estimates };
}
