import * as vscode from 'vscode';
import { WalletReader } from './connection/walletReader';
import type { LogLine } from './domain/logLine';
import { IndexJobs } from './features/indexing/jobs';
import { storeVersionIn } from './platform/storeVersion';
import type { Services } from './services';
import type { Store } from './store/store';
import { once } from './vscode/once';

/**
 * The services of every feature. Services that read files or load much code are opened on first use, once, and closed
 * with the extension; an opening that failed is tried again.
 */
export function openServices(ready: Pick<Services, 'context' | 'log' | 'connection' | 'catalog'>): Services {
  const { context, log, connection, catalog } = ready;
  const folder = context.globalStorageUri.fsPath;
  const own = (file: { close(): unknown }) =>
    context.subscriptions.push({ dispose: () => void file.close() });
  const warn = (line: LogLine) => log.warn(line);

  const storeOpened = new vscode.EventEmitter<Store>();
  const refreshed = new vscode.EventEmitter<void>();
  context.subscriptions.push(storeOpened, refreshed);
  const store = once(async () => {
    const { openOwnStore } = await import('./platform/ownStore');
    // Kept responses are read by them, too.
    const { useMappingsOfSettings } = await import('./connection/responseMappings');
    useMappingsOfSettings();
    const opened = await openOwnStore(context, log);
    own(opened);
    storeOpened.fire(opened);
    return opened;
  });
  const history = once(async () => {
    const { openHistory } = await import('./runs/history/history');
    const { readSetting } = await import('./vscode/settings');
    const limit = () => readSetting('history.limit');
    const opened = await openHistory(await store(), { limit, log: warn });
    own(opened);
    return opened;
  });
  const jobRuns = once(async () => {
    const { JobRuns } = await import('./runs/history/jobRuns');
    const opened = new JobRuns(await store(), warn);
    own(opened);
    return opened;
  });
  const estimates = once(async () => {
    const { Estimates } = await import('./runs/estimates/estimates');
    return new Estimates([await history(), await jobRuns()], vscode.env.language);
  });
  const guard = once(async () => {
    const { openGuard } = await import('./features/budget/openGuard');
    return openGuard({ context, log, store: await store(), estimates: await estimates() });
  });
  const runs = once(async () => {
    const { createRuns } = await import('./runs/perform');
    const { PaidRunLock } = await import('./platform/paidRunLock');
    const { UnsavedNotice } = await import('./platform/unsavedNotice');
    const lock = new PaidRunLock();
    const notice = new UnsavedNotice();
    return createRuns({
      client: async (environment) => {
        await lock.require(connection.find(environment) ?? environment);
        return connection.client(environment);
      },
      history: await history(),
      guard: await guard(),
      jobRuns: await jobRuns(),
      cache: (await store()).uploads,
      locale: vscode.env.language,
      onUnsaved: (text) => notice.show(text),
    });
  });
  const wallet = new WalletReader({
    read: async (signal) => (await connection.client(connection.active)).wallet({ signal }),
    watched: () => vscode.window.state.focused && vscode.window.state.active,
    now: Date.now,
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  });
  context.subscriptions.push(wallet);
  const jobs = new IndexJobs({ context, connection, catalog, store, runs });
  context.subscriptions.push(jobs);
  return {
    ...ready,
    store,
    wallet,
    jobs,
    history,
    jobRuns,
    estimates,
    guard,
    runs,
    storeVersion: () => storeVersionIn(folder),
    onDidOpenStore: storeOpened.event,
    runPanels: {},
    refreshed,
  };
}
