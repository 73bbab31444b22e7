import * as vscode from 'vscode';
import { registerCommand } from '../../platform/commands';
import { disposeAll } from '../../platform/disposables';
import { showError } from '../../platform/showError';
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
    askForKeyOfNewAddress(services),
  );
}

/** Where an address was changed in the settings, its key is asked for: nobody should have to find out why nothing comes. */
function askForKeyOfNewAddress({ connection, log }: Services): vscode.Disposable {
  let asked: string | undefined;
  const look = async () => {
    const address = connection.active?.baseUrl;
    const moved = await connection.movedFromKey();
    if (moved && address !== asked) void showError(moved, log);
    asked = moved && address;
  };
  const lookLogged = () => void look().catch((error: unknown) => log.error(String(error)));
  lookLogged();
  return connection.onDidChange(lookLogged);
}

/** Catalog, scopes and wallet: each listens to the catalog's and the connection's events. */
async function refresh({ catalog }: Services): Promise<void> {
  await vscode.window.withProgress({ location: { viewId: 'modelBench.catalog' } }, () => catalog.refresh());
}
