import * as vscode from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import { findReceipts } from '../../runs/receipts';
import type { History, RunRecord } from '../../runs/runs';
import { readActivity } from '../../service/reading/activity';
import type { Services } from '../../services';

/** Milliseconds from a run's end to looking for its receipt: the service books it, and runs of a job end in flocks. */
const settleMs = 3_000;
/** Looked for this often after runs; the usage page finds what comes later. */
const mostTries = 3;

/** After runs whose answer told no cost, looks for it in the activity. No request when every answer told it. */
export function registerReceipts(services: Services): vscode.Disposable {
  const store = new DisposableStore();
  const tries = new Map<string, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let history: History | undefined;
  store.add({ dispose: () => clearTimeout(timer) });

  const look = async () => {
    timer = undefined;
    const baseUrl = services.connection.active?.baseUrl;
    if (!history || baseUrl === undefined || !vscode.window.state.focused) return;
    const wanted = history.runs.filter(
      (run) => run.baseUrl === baseUrl && lacksCost(run) && (tries.get(run.id) ?? 0) > 0,
    );
    if (wanted.length === 0) return;
    for (const { id } of wanted) tries.set(id, (tries.get(id) ?? 0) - 1);
    const raw = await (await services.connection.client()).activity();
    const found = await keepReceipts(history, readActivity(raw.json, raw.headers)?.entries ?? [], baseUrl);
    for (const { id } of found) tries.delete(id);
    if (found.length < wanted.length) plan();
  };
  const plan = () => {
    timer ??= setTimeout(() => {
      look().catch((error: unknown) => services.log.info(`No receipts: ${String(error)}`));
    }, settleMs);
  };
  const follow = async () => {
    history = await services.history();
    store.add({
      dispose: history.onDidChange((changed) => {
        const lacking = changed.filter((run) => lacksCost(run) && !tries.has(run.id));
        for (const { id } of lacking) tries.set(id, mostTries);
        if (lacking.length > 0) plan();
      }),
    });
  };
  // Only once a connection is there: the history is not read while VS Code starts.
  let followed = false;
  const followOnce = () => {
    if (followed || !services.connection.active) return;
    followed = true;
    follow().catch((error: unknown) => services.log.error(String(error)));
  };
  store.add(services.connection.onDidChange(followOnce));
  store.add(services.catalog.onDidChange(followOnce));
  return store;
}

function lacksCost(run: RunRecord): boolean {
  return (
    run.cost === undefined && run.runId !== undefined && run.state !== 'running' && run.state !== 'notSent'
  );
}

/** Puts the costs that the entries tell into the history; returns the runs that now have one. */
export async function keepReceipts(
  history: History,
  entries: Parameters<typeof findReceipts>[0],
  baseUrl: string,
): Promise<readonly RunRecord[]> {
  const found = findReceipts(entries, history.runs, baseUrl);
  for (const record of found) await history.put(record);
  return found;
}
