import * as vscode from 'vscode';
import { readLimit } from '../../domain/amounts';
import { openWorkspace } from '../../platform/workspace';
import { Guard, type Limits } from '../../runs/budget/guard';
import { WorkspaceSpending } from '../../runs/budget/workspaceSpending';
import type { Estimates } from '../../runs/estimates/estimates';
import type { Store } from '../../store/store';
import type { Log } from '../../vscode/log';
import { readSetting } from '../../vscode/settings';

interface GuardNeeds {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
  readonly store: Store;
  readonly estimates: Estimates;
}

/** The guard over the settings' budgets. */
export async function openGuard({ context, log, store, estimates }: GuardNeeds): Promise<Guard> {
  const spent = new WorkspaceSpending(store, openWorkspace(), {
    log: (message) => log.warn(message),
    onChanged: () => guard.noteSpent(),
  });
  const guard = new Guard({ limits: readLimits, estimates, spent, locale: vscode.env.language });
  context.subscriptions.push({ dispose: () => void spent.close() });
  return guard;
}

function readLimits(): Limits {
  return {
    session: readLimit(readSetting('budget.session')),
    workspace: readLimit(readSetting('budget.workspace')),
    confirmRuns: readSetting('budget.confirmRuns'),
  };
}
