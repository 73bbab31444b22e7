import type * as vscode from 'vscode';
import { DisposableStore } from '../vscode/disposables';
import type { Log } from '../vscode/log';
import { showError } from '../vscode/showError';

/** Delay before interrupted jobs are read: a window's first seconds belong to others. */
const LATER_MS = 1_500;

interface Parts {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
  storeVersion(): Promise<string | undefined>;
}

/**
 * Offers to resume interrupted jobs of a kind. Loads no code while the store is unchanged since there were none.
 * @param memory key under which the version of the store is remembered in which none was interrupted
 * @param offer see `offerEach`; resolves to whether there was none
 */
export function offerInterrupted(
  { context, log, storeVersion }: Parts,
  memory: string,
  offer: (signal: AbortSignal) => Promise<boolean>,
): vscode.Disposable {
  const store = new DisposableStore();
  const stop = new AbortController();
  store.add({ dispose: () => stop.abort() });
  const look = async () => {
    if (await offer(stop.signal)) await context.globalState.update(memory, await storeVersion());
  };
  const offerSoon = store.soon(LATER_MS, () => {
    look().catch((error: unknown) => {
      if (!stop.signal.aborted) void showError(error, log);
    });
  });
  void storeVersion().then((version) => {
    if (version !== undefined && context.globalState.get(memory) !== version) offerSoon();
  });
  return store;
}
