import type * as vscode from 'vscode';
import type { ResponseBody } from '../../contributions';
import { registerCommands } from '../../platform/commands';
import type { Services } from '../../services';

/** Show Log, the extension's LogOutputChannel, whose level VS Code's own commands set; and raw responses. */
export function registerLog({ log }: Services): vscode.Disposable {
  return registerCommands(log, {
    'modelBench.showLog': () => log.show(true),
    'modelBench.openAnswer': openResponse,
  });
}

async function openResponse(response?: ResponseBody): Promise<void> {
  if (response) await (await import('../../platform/rawResponse')).openRawResponse(response);
}
