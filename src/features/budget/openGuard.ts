import * as vscode from 'vscode';
import { readAmount } from '../../domain/amounts';
import { Guard, type Limits } from '../../runs/budget/guard';
import type { Estimates } from '../../runs/estimates/estimates';
import type { History } from '../../runs/history/history';
import type { JobRuns } from '../../runs/history/jobRuns';

/** Where a workspace's spending is kept, by environment. */
const spentKey = 'modelBench.spent';

/** The guard over the settings' budgets; receipts that come later correct what it had assumed. */
export function openGuard(
  context: vscode.ExtensionContext,
  estimates: Estimates,
  sources: readonly [History, JobRuns],
): Guard {
  const guard = new Guard({
    limits: readLimits,
    estimates,
    storage: {
      read: () => context.workspaceState.get(spentKey),
      write: (value) => void context.workspaceState.update(spentKey, value),
    },
    locale: vscode.env.language,
  });
  for (const source of sources)
    context.subscriptions.push({ dispose: source.onDidChange((changed) => guard.noteReceipts(changed)) });
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
