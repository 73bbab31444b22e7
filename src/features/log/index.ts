import type * as vscode from 'vscode';
import type { Services } from '../../services';
import { registerCommands } from '../../vscode/commands';

/** Show Log, the extension's LogOutputChannel (VS Code's own commands set its level); and raw responses. */
export function registerLog({ log }: Services): vscode.Disposable {
  return registerCommands(log, {
    'modelBench.showLog': () => log.show(true),
    'modelBench.openAnswer': async (response) => {
      if (response) await (await import('../../platform/textEditor')).openRawResponse(response);
    },
  });
}
