import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { executeCommand } from './commands';
import { showQuickPick } from './messages/inputs';

interface Way extends vscode.QuickPickItem {
  readonly command: 'modelBench.startSandbox' | 'modelBench.connect';
}

/** Before the first connection: offers the sandbox or a service. @returns whether there is a connection now */
export async function askToConnect(): Promise<boolean> {
  const ways: Way[] = [
    {
      label: l10n.t('Built-in Sandbox'),
      description: l10n.t('Small models and play money on this computer, without an account'),
      command: 'modelBench.startSandbox',
    },
    {
      label: l10n.t('Connect to a Service…'),
      description: l10n.t('With its address and your API key'),
      command: 'modelBench.connect',
    },
  ];
  const way = await showQuickPick(ways, { title: l10n.t('Where do you want to run models?') });
  return way !== undefined && (await executeCommand(way.command)) === true;
}
