import * as vscode from 'vscode';
import { loggedError } from '../../domain/loggedError';
import { workspaceOfTerminals } from '../../platform/workspace';
import type { Services } from '../../services';

/** `model-bench` in VS Code's terminals. It starts with the first open terminal. */
export function registerCommandLine({ context, log }: Services): vscode.Disposable {
  let isReady = false;
  const prepare = () => {
    if (isReady) return;
    isReady = true;
    import('./onPath')
      .then(({ putOnPath }) => putOnPath(context, workspaceOfTerminals()))
      .catch((error: unknown) => log.warn(loggedError(error)));
  };
  if (vscode.window.terminals.length > 0) prepare();
  return vscode.window.onDidOpenTerminal(prepare);
}
