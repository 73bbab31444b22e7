import * as vscode from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import { once } from '../../platform/once';
import type { JobRun } from '../../runs/history/jobRuns';
import type { RunRecord } from '../../runs/history/record';
import type { ActivityEntry } from '../../service/reading/activity';
import type { Services } from '../../services';

/** Milliseconds from a run's end to looking for its receipt: the service books it with a delay, and job runs finish in bursts. */
const settleMs = 3_000;
/** Maximum number of searches for a run's receipt; the usage page finds later ones. */
const mostTries = 3;

/** Looks in the activity for the cost of runs whose response had none. Makes no request when all responses had it. */
export function registerReceipts(services: Services): vscode.Disposable {
  const store = new DisposableStore();
  const tries = new Map<string, number>();

  const look = async () => {
    const baseUrl = services.connection.active?.baseUrl;
    if (baseUrl === undefined || !vscode.window.state.focused) return;
    const [history, jobRuns] = [await services.history(), await services.jobRuns()];
    const wanted = [...history.runs, ...jobRuns.runs].filter(
      (run) => run.baseUrl === baseUrl && lacksCost(run) && (tries.get(run.id) ?? 0) > 0,
    );
    if (wanted.length === 0) return;
    for (const { id } of wanted) tries.set(id, (tries.get(id) ?? 0) - 1);
    const client = await services.connection.client();
    const { activitySince } = await import('../../runs/receipts/activitySince');
    const entries = await activitySince(wanted, client.baseUrl, (next) =>
      client.activity(next === undefined ? {} : { next }),
    );
    const found = await keepReceipts(services, entries, client.baseUrl);
    for (const id of found) tries.delete(id);
    if (found.length < wanted.length) plan();
  };
  const plan = store.soon(settleMs, () => {
    look().catch((error: unknown) => services.log.info(`No receipts: ${String(error)}`));
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
    if (services.connection.active) follow().catch((error: unknown) => services.log.error(String(error)));
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

/** Stores the costs of the entries with their runs; returns the ids of runs that now have a cost. */
export async function keepReceipts(
  services: Services,
  entries: readonly ActivityEntry[],
  baseUrl: string,
): Promise<readonly string[]> {
  const [history, jobRuns] = [await services.history(), await services.jobRuns()];
  const { findReceipts } = await import('../../runs/receipts/findReceipts');
  const inHistory = findReceipts(entries, history.runs, baseUrl);
  for (const record of inHistory) await history.put(record);
  const ofJobs = findReceipts(entries, jobRuns.runs, baseUrl);
  if (ofJobs.length > 0) await jobRuns.put(ofJobs);
  return [...inHistory, ...ofJobs].map(({ id }) => id);
}
