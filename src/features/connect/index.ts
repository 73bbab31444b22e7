import * as vscode from 'vscode';
import { registerCommand } from '../../platform/commands';
import { disposeAll } from '../../platform/disposables';
import type { Services } from '../../services';

/** Environments and keys: Connect, Switch Environment, Set and Forget API Key. */
export function registerConnect(services: Services): vscode.Disposable {
  const { log } = services;
  return disposeAll(
    registerCommand('modelBench.connect', async () => (await import('./connect')).connect(services), log),
    registerCommand(
      'modelBench.switchEnvironment',
      async () => (await import('./connect')).switchEnvironment(services),
      log,
    ),
    registerCommand('modelBench.setApiKey', async () => (await import('./connect')).setApiKey(services), log),
    registerCommand(
      'modelBench.clearApiKey',
      async () => (await import('./connect')).clearApiKey(services),
      log,
    ),
    registerCommand('modelBench.refresh', () => refresh(services), log),
  );
}

/** Catalog, scopes and wallet: each listens to the catalog's and the connection's events. */
async function refresh({ catalog }: Services): Promise<void> {
  await vscode.window.withProgress({ location: { viewId: 'modelBench.catalog' } }, () => catalog.refresh());
}
