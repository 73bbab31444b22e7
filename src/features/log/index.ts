import * as vscode from 'vscode';
import { registerCommand } from '../../platform/commands';
import type { Services } from '../../services';

/** Show Log, the extension's LogOutputChannel, whose level VS Code's own commands set; and responses as they came. */
export function registerLog({ log }: Services): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand('modelBench.showLog', () => log.show(true), log),
    registerCommand(
      'modelBench.openAnswer',
      async (response) => {
        const { openRawResponse } = await import('../../platform/rawResponse');
        if (response) await openRawResponse(response);
      },
      log,
    ),
  );
}
