import * as vscode from 'vscode';
import { loggedError } from '../../domain/loggedError';
import type { Services } from '../../services';
import { registerCommands } from '../../vscode/commands';
import { withProgress } from '../../vscode/messages/notifications';
import { showError } from '../../vscode/showError';

/** Environments and keys: Connect, Switch Environment, Set and Forget API Key. */
export function registerConnect(services: Services): vscode.Disposable {
  const dialogs = () => import('./connect');
  return vscode.Disposable.from(
    registerCommands(services.log, {
      'modelBench.connect': async () => (await dialogs()).connect(services),
      'modelBench.switchEnvironment': async () => (await dialogs()).switchEnvironment(services),
      'modelBench.setApiKey': async (environment) => (await dialogs()).setApiKey(services, environment),
      'modelBench.clearApiKey': async () => (await dialogs()).clearApiKey(services),
      'modelBench.refresh': () => refresh(services),
    }),
    askForKeyOfNewAddress(services),
  );
}

/** Reports an address that was changed in the settings and has no key yet: otherwise requests would fail silently. */
function askForKeyOfNewAddress({ connection, log }: Services): vscode.Disposable {
  let asked: string | undefined;
  const look = async () => {
    const address = connection.active?.baseUrl;
    const moved = await connection.movedFromKey();
    if (moved && address !== asked) void showError(moved, log);
    asked = moved && address;
  };
  const lookLogged = () => void look().catch((error: unknown) => log.error(loggedError(error)));
  lookLogged();
  return connection.onDidChange(lookLogged);
}

/** Catalog, scopes and wallet, which listen to the catalog's events; and the usage page. */
async function refresh({ catalog, refreshed }: Services): Promise<void> {
  refreshed.fire();
  await withProgress({ location: { viewId: 'modelBench.catalog' } }, () => catalog.active.refresh());
}
