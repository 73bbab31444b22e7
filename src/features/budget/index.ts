import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { addAmounts } from '../../domain/amounts';
import type { Services } from '../../services';
import { registerCommands } from '../../vscode/commands';
import { isConfirmed } from '../../vscode/dialogs';
import { formatMoney } from '../../wording/money';

/** Resets the budgets. */
export function registerBudget(services: Services): vscode.Disposable {
  return registerCommands(services.log, {
    'modelBench.resetBudget': () => resetBudget(services),
  });
}

async function resetBudget({ connection, guard }: Services): Promise<void> {
  const environment = connection.active;
  if (!environment) return;
  const budgets = await guard();
  const { session, workspace, currency } = budgets.spending(environment.baseUrl);
  const format = (amount: string) => formatMoney({ amount, currency }, vscode.env.language);
  const detail = l10n.t(
    '{0} was spent from this window and {1} from this workspace. Both totals are set to zero; the wallet does not change.',
    format(addAmounts(session.spent, session.reserved)),
    format(addAmounts(workspace.spent, workspace.reserved)),
  );
  const question = l10n.t('Reset the budgets of “{0}”?', environment.name);
  if (await isConfirmed(question, detail, l10n.t('Reset'))) budgets.reset(environment.baseUrl);
}
