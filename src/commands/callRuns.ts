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

/** A service that does not answer must not hold up runs that it may serve. */
const WALLET_MS = 5_000;

/** The balance, where the key may read it: a budget that names no currency is in the wallet's. */
export async function balanceOf(client: ServiceClient): Promise<Money | undefined> {
  const signal = AbortSignal.timeout(WALLET_MS);
  const { wallet } = await client.wallet({ signal }).catch(() => ({ wallet: undefined }));
  return wallet?.balance;
}

/** Before the first run: the wallet's currency is that of a budget without one. */
export async function noteBalance(
  guard: Guard,
  client: ServiceClient,
  maxCost: Money | undefined,
): Promise<void> {
  const balance = maxCost && maxCost.currency === undefined ? await balanceOf(client) : undefined;
  if (balance) guard.noteBalance(client.baseUrl, balance);
}

export type PerformRun = Runs['perform'];

/** The state of single runs. */
export interface RunState {
  /** In it accepted runs outlive the call. */
  open(): Promise<Store>;
  /** Missing: no sums are kept. */
  readonly spent?: WorkspaceSpending;
}

/** The parts of single runs that a call makes; their history is kept in memory. */
export function callRuns(
  client: ServiceClient,
  maxCost: Money | undefined,
  { open, spent }: RunState,
  warn: (text: string) => void,
): { readonly perform: PerformRun; readonly estimates: Estimates } {
  const history = new Memory();
  const estimates = new Estimates([history]);
  const guard = callGuard(estimates, maxCost, spent);
  const parts: RunParts = {
    guard,
    cache: rememberedUploads(),
    history: keepingAccepted(history, open, (run, error) => warn(cannotKeepText(run, error))),
    client: async () => client,
    unsaved: new Unsaved(() => undefined),
  };
  let ready: Promise<void> | undefined;
  return {
    estimates,
    async perform(order, options = {}) {
      ready ??= noteBalance(guard, client, maxCost);
      await ready;
      return performRun(parts, order, options);
    },
  };
}

function cannotKeepText({ runId, followUrl }: RunRecord, error: unknown): string {
  return l10n.t(
    'The run is accepted ({0}). It is waited for here, but not found by “model-bench follow” later: {1}',
    [runId, followUrl].filter((one) => one !== undefined).join(', '),
    messageOf(error),
  );
}
