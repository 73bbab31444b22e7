import type * as vscode from 'vscode';
import { loggedError } from '../../domain/loggedError';
import type { Services } from '../../services';
import type { Store } from '../../store/store';
import { registerCommands } from '../../vscode/commands';
import { DisposableStore } from '../../vscode/disposables';

/** The user's side of agents: their permission to spend, its status bar item, and the way to stop them. */
export function registerAgents(services: Services): vscode.Disposable {
  const store = new DisposableStore();
  store.add(
    registerCommands(services.log, {
      // Without arguments: a person enters every value.
      'modelBench.allowAgentSpending': async () =>
        (await import('./allow/allowSpending')).allowSpending(services),
      'modelBench.stopAgentRuns': async () => (await import('./showSpending')).stopAgentRuns(services),
      'modelBench.showAgentSpending': async () => (await import('./showSpending')).showSpending(services),
    }),
  );
  const follow = async (opened: Store) => {
    const { GrantItem } = await import('./grantItem');
    store.add(new GrantItem(opened, services));
  };
  store.add(
    services.onDidOpenStore((opened) => {
      follow(opened).catch((error: unknown) => services.log.error(loggedError(error)));
    }),
  );
  return store;
}
