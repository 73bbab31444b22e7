import * as vscode from 'vscode';
import { executeBuiltIn, registerCommands } from '../../platform/commands';
import type { Services } from '../../services';
import { formatMoney } from '../../wording/money';

/** Budgets: their settings, and starting them over. */
export function registerBudget(services: Services): vscode.Disposable {
  return registerCommands(services.log, {
    'modelBench.changeBudget': changeBudget,
    'modelBench.resetBudget': () => resetBudget(services),
  });
}

async function changeBudget(): Promise<void> {
  const query = 'modelBench.budget';
  // Budgets are of the machine that the extension runs on: in a remote window the user's settings do not list them.
  if (vscode.env.remoteName === undefined) await executeBuiltIn('workbench.action.openSettings', query);
  else await executeBuiltIn('workbench.action.openRemoteSettings', { query });
}

async function resetBudget({ connection, guard }: Services): Promise<void> {
  const environment = connection.active;
  if (!environment) return;
  const budgets = await guard();
  const { session, workspace, currency } = budgets.spending(environment.baseUrl);
  const format = (amount: string) => formatMoney({ amount, currency }, vscode.env.language);
  const startOver = vscode.l10n.t('Start Over');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('Count what runs cost in “{0}” from zero again?', environment.name),
    {
      modal: true,
      detail: vscode.l10n.t(
        '{0} is counted for this session and {1} for this workspace. The wallet itself does not change.',
        format(session.spent),
        format(workspace.spent),
      ),
    },
    startOver,
  );
  if (chosen === startOver) budgets.reset(environment.baseUrl);
}
