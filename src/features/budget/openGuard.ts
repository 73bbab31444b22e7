import * as vscode from 'vscode';
import { readAmount } from '../../contract/money';
import { HistoryEstimates } from '../../runs/estimate';
import { BudgetGuard, type Limits } from '../../runs/guard';
import type { Estimates, Guard, History } from '../../runs/runs';

/** Where a workspace's spending is kept, by environment. */
const spentKey = 'modelBench.spent';

/** The estimates of the history, in the user's language. */
export function openEstimates(history: History): Estimates {
  return new HistoryEstimates(history, vscode.env.language);
}

/** The guard over the settings' budgets; receipts that come later correct what it had assumed. */
export function openGuard(context: vscode.ExtensionContext, estimates: Estimates, history: History): Guard {
  const guard = new BudgetGuard({
    limits: readLimits,
    estimates,
    storage: {
      read: () => context.workspaceState.get(spentKey),
      write: (value) => void context.workspaceState.update(spentKey, value),
    },
    locale: vscode.env.language,
  });
  context.subscriptions.push({ dispose: history.onDidChange((changed) => guard.noteReceipts(changed)) });
  return guard;
}

function readLimits(): Limits {
  const settings = vscode.workspace.getConfiguration('modelBench');
  return {
    session: readAmount(settings.get('budget.session')),
    workspace: readAmount(settings.get('budget.workspace')),
    confirmRuns: settings.get<number>('budget.confirmRuns', 20),
  };
}
