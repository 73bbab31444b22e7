import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { addAmounts } from '../../domain/amounts';
import type { BudgetState } from '../../runs/budget/budget';
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
  const { session, workspace } = budgets.spending(environment.baseUrl);
  const format = ({ spent, reserved, currency, others }: BudgetState) =>
    [{ amount: addAmounts(spent, reserved), currency }, ...others]
      .map((sum) => formatMoney(sum, vscode.env.language))
      .join(' + ');
  const detail = l10n.t(
    '{0} was spent from this window and {1} from this workspace. Both totals are set to zero; the wallet does not change.',
    format(session),
    format(workspace),
  );
  const question = l10n.t('Reset the budgets of “{0}”?', environment.name);
  if (await isConfirmed(question, detail, l10n.t('Reset'))) budgets.reset(environment.baseUrl);
}
