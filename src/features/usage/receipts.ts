import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { loggedError } from '../../domain/loggedError';
import { logLine } from '../../domain/logLine';
import type { JobRun, RunRecord } from '../../domain/runRecord';
import type { ActivityEntry } from '../../readers/activity';
import type { Services } from '../../services';
import { DisposableStore } from '../../vscode/disposables';
import { once } from '../../vscode/once';

/** Milliseconds from a run's end to looking for its receipt: the service books it with a delay, and job runs finish in bursts. */
const settleMs = 3_000;
/** Maximum number of searches for a run's receipt; the usage page finds later ones. */
const mostTries = 3;

/**
 * Looks in the activity for the cost of runs without one in their response. Makes no request when all responses had
 * it.
 */
export function registerReceipts(services: Services): vscode.Disposable {
  const store = new DisposableStore();
  const tries = new Map<string, number>();

  const noReceipts = (error: unknown) => services.log.info(logLine`No receipts: ${loggedError(error)}`);
  const look = async () => {
    if (!vscode.window.state.focused) return;
    const [history, jobRuns] = [await services.history(), await services.jobRuns()];
    const tried = [...tries].flatMap(([id, left]) =>
      left > 0 ? (history.get(id) ?? jobRuns.get(id) ?? []) : [],
    );
    const wanted = tried.filter(lacksCost);
    for (const { id } of wanted) tries.set(id, (tries.get(id) ?? 0) - 1);
    // A run's receipt is in the activity of its own environment, even if another is active.
    for (const [baseUrl, runs] of Map.groupBy(wanted, (run) => run.baseUrl))
      await lookIn(baseUrl, runs).catch(noReceipts);
  };
  const lookIn = async (baseUrl: string, wanted: readonly (RunRecord | JobRun)[]) => {
    const client = await services.connection.client(services.connection.at(baseUrl));
    const { activitySince } = await import('../../runs/receipts/activitySince');
    const entries = await activitySince(wanted, client.baseUrl, (next) =>
      client.activity(next === undefined ? {} : { next }),
    );
    const kept = await keepReceipts(services, entries, client.baseUrl);
    for (const id of kept) tries.delete(id);
    if (kept.length < wanted.length) plan();
  };
  const plan = store.soon(settleMs, () => {
    look().catch(noReceipts);
  });
  const onChanged = (changed: readonly (RunRecord | JobRun)[]) => {
    const lacking = changed.filter((run) => lacksCost(run) && !tries.has(run.id));
    for (const { id } of lacking) tries.set(id, mostTries);
    if (lacking.length > 0) plan();
  };
  const follow = once(async () => {
    store.add({ dispose: (await services.history()).onDidChange(onChanged) });
    store.add({ dispose: (await services.jobRuns()).onDidChange(onChanged) });
    // Skipped while the window has no focus; made up for when it has.
    store.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && tries.size > 0 && plan()));
  });
  // Only once a connection is there: the history is not read while VS Code starts.
  const followOnce = () => {
    if (services.connection.active)
      follow().catch((error: unknown) => services.log.error(loggedError(error)));
  };
  store.add(services.connection.onDidChange(followOnce));
  store.add(services.catalog.onDidChange(followOnce));
  return store;
}

function lacksCost(run: RunRecord | JobRun): boolean {
  return (
    run.cost === undefined && run.runId !== undefined && run.state !== 'running' && run.state !== 'notSent'
  );
}

/** The user has recognized an entry of the activity as the charge of a run. */
export async function matchReceipt(services: Services, run: RunRecord, entry: ActivityEntry): Promise<void> {
  const { entryCharge: chargeOf } = await import('../../runs/receipts/findReceipts');
  const cost = chargeOf(entry);
  if (!cost) return;
  (await services.guard()).resolve(run, cost);
  const [runId] = entry.ids;
  await (await services.history()).put({
    ...run,
    ...(run.state !== 'failed' && {
      state: 'finished',
      settledByUser: true,
      finishedAt: undefined,
      message: l10n.t('You matched this run to a charge in the service’s activity.'),
    }),
    cost,
    ...(run.runId === undefined && runId !== undefined && { runId }),
  });
}

/** A run that the activity charges was executed, although its response was lost. */
function confirmed(record: RunRecord): RunRecord {
  if (record.state !== 'unknown') return record;
  const message = l10n.t('No response was received. The service’s activity lists this run as charged.');
  return { ...record, state: 'finished', finishedAt: undefined, message };
}

/** Stores the costs of the entries with their runs; returns the ids of runs that now have a cost. */
export async function keepReceipts(
  services: Services,
  entries: readonly ActivityEntry[],
  baseUrl: string,
): Promise<readonly string[]> {
  const [history, jobRuns] = [await services.history(), await services.jobRuns()];
  const { findReceipts } = await import('../../runs/receipts/findReceipts');
  const ids = new Set(entries.flatMap((entry) => entry.ids));
  const runsOf = <T>(source: { withRunId(baseUrl: string, runId: string): T | undefined }) =>
    [...ids].flatMap((id): T[] => [source.withRunId(baseUrl, id)].flatMap((run) => run ?? []));
  const inHistory = findReceipts(entries, runsOf(history), baseUrl);
  const ofJobs = findReceipts(entries, runsOf(jobRuns), baseUrl);
  const guard = inHistory.length + ofJobs.length > 0 ? await services.guard() : undefined;
  for (const record of inHistory) {
    guard?.resolve(record, record.cost ?? { amount: '0' });
    await history.put(confirmed(record));
  }
  for (const run of ofJobs) guard?.resolve(run, run.cost ?? { amount: '0' });
  if (ofJobs.length > 0) {
    await jobRuns.put(ofJobs);
    const store = await services.store();
    for (const { runId, cost } of ofJobs)
      if (runId !== undefined && cost) await store.pastJobs.chargeRun(baseUrl, runId, cost);
    const { noteLateCosts } = await import('../../experiments/results/lateCosts');
    await noteLateCosts(store, ofJobs);
  }
  return [...inHistory, ...ofJobs].map(({ id }) => id);
}
