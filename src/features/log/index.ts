import * as vscode from 'vscode';
import { registerCommand } from '../../platform/commands';
import type { Services } from '../../services';

/** Show Log, the extension's LogOutputChannel, whose level VS Code's own commands set; and answers as they came. */
export function registerLog({ log }: Services): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand('modelBench.showLog', () => log.show(true), log),
    registerCommand(
      'modelBench.openAnswer',
      async (answer) => {
        const { openRawAnswer } = await import('../../platform/rawAnswer');
        if (answer) await openRawAnswer(answer);
      },
      log,
    ),
  );
}
