import type * as vscode from 'vscode';
import { registerCommand } from '../../platform/commands';
import type { Services } from '../../services';

/** Show Log: the extension's LogOutputChannel, whose level VS Code's own commands set. */
export function registerLog({ log }: Services): vscode.Disposable {
  return registerCommand('modelBench.showLog', () => log.show(true), log);
}
