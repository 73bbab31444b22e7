import type * as vscode from 'vscode';
import { loggedError } from '../../domain/loggedError';
import type { Services } from '../../services';
import type { Store } from '../../store/store';
import { registerCommands } from '../../vscode/commands';
import { DisposableStore } from '../../vscode/disposables';
import { registerAgentTools } from './tools';

/** Agents: their tools, their permission to spend, its status bar item, and the way to stop them. */
export function registerAgents(services: Services): vscode.Disposable {
  const store = new DisposableStore();
  const tools = store.add(registerAgentTools(services));
  store.add(
    registerCommands(services.log, {
      // Without arguments: a person enters every value.
      'modelBench.agentSpending': async () =>
        (await import('./showSpending')).showSpending(services, tools.connect),
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
