import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Jobs } from './features/indexing/jobs';
import type { Ledger } from './indexing/ledger';
import { once } from './platform/once';
import type { Services } from './services';

/**
 * The services of every feature. What reads files or loads much code is opened when it is first asked for, once,
 * and closed with the extension; an opening that failed is tried again.
 */
export function openServices(ready: Pick<Services, 'context' | 'log' | 'connection' | 'catalog'>): Services {
  const { context, log, connection, catalog } = ready;
  const folder = context.globalStorageUri.fsPath;
  const own = (file: { close(): unknown }) =>
    context.subscriptions.push({ dispose: () => void file.close() });
  const warn = (message: string) => log.warn(message);

  const history = once(async () => {
    const { openHistory } = await import('./runs/history/history');
    const limit = () => vscode.workspace.getConfiguration('modelBench').get('history.limit', 200);
    const opened = await openHistory(join(folder, 'history'), { limit, log: warn });
    own(opened);
    return opened;
  });
  const jobRuns = once(async () => {
    const { openJobRuns } = await import('./runs/history/jobRuns');
    const opened = await openJobRuns(join(folder, 'history', 'job-runs.jsonl'), warn);
    own(opened);
    return opened;
  });
  const estimates = once(async () => {
    const { Estimates } = await import('./runs/estimates/estimates');
    return new Estimates([await history(), await jobRuns()], vscode.env.language);
  });
  const guard = once(async () => {
    const { openGuard } = await import('./features/budget/openGuard');
    return openGuard(context, await estimates(), [await history(), await jobRuns()]);
  });
  const ledgerFile = join(folder, 'ledger.jsonl');
  const ledgerOpened = new vscode.EventEmitter<Ledger>();
  context.subscriptions.push(ledgerOpened);
  const ledger = once(async () => {
    const { openLedger } = await import('./indexing/ledger');
    const opened = await openLedger(ledgerFile);
    own(opened);
    ledgerOpened.fire(opened);
    return opened;
  });
  const ledgerVersion = async () => {
    const found = await stat(ledgerFile).catch(() => undefined);
    return found && `${found.size} ${found.mtimeMs}`;
  };
  const runs = once(async () => {
    const { createRuns } = await import('./runs/perform');
    const { openMediaCache } = await import('./runs/uploads/mediaCache');
    return createRuns({
      client: () => connection.client(),
      history: await history(),
      guard: await guard(),
      jobRuns: await jobRuns(),
      cache: await openMediaCache(join(folder, 'uploads.jsonl')),
      locale: vscode.env.language,
    });
  });
  const jobs = new Jobs({ context, connection, catalog, ledger, runs });
  context.subscriptions.push(jobs);
  return {
    ...ready,
    ...{ jobs, history, jobRuns, estimates, guard, runs },
    ...{ ledger, ledgerVersion, onDidOpenLedger: ledgerOpened.event },
  };
}
