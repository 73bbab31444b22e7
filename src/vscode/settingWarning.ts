import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { executeBuiltIn } from './commands';
import { showWarningMessage } from './messages/notifications';

const warned = new Set<string>();

/** Shows the problem with a setting, once in a window for each problem, with the way to it. */
export function warnOfSetting(name: string, problem: string): void {
  if (warned.has(problem)) return;
  warned.add(problem);
  const open = l10n.t('Open Settings');
  void showWarningMessage(problem, open).then((chosen) => {
    if (chosen === open) void openSettings(`modelBench.${name}`);
  });
}

/** Whether a setting has the scope `machine`: in a remote window the user's settings do not list those. */
export function isOfMachine(name: string): boolean {
  return /^modelBench\.(?:indexing|runTimeoutSeconds|history|wallet)\b/.test(name);
}

async function openSettings(query: string): Promise<void> {
  if (vscode.env.remoteName === undefined || !isOfMachine(query))
    await executeBuiltIn('workbench.action.openSettings', query);
  else await executeBuiltIn('workbench.action.openRemoteSettings', { query });
}
