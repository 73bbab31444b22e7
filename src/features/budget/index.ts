import * as vscode from 'vscode';
import { formatMoney } from '../../contract/money';
import { registerCommand } from '../../platform/commands';
import { disposeAll } from '../../platform/disposables';
import type { JobVerdict, PaidJob } from '../../runs/runs';
import type { Services } from '../../services';

/** Budgets: their settings, starting them over, and the question before a job. */
export function registerBudget(services: Services): vscode.Disposable {
  const { log } = services;
  return disposeAll(
    registerCommand('modelBench.changeBudget', changeBudget, log),
    registerCommand('modelBench.resetBudget', () => resetBudget(services), log),
    registerCommand('modelBench.confirmJob', (job) => confirmJob(services, job), log),
  );
}

async function changeBudget(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', 'modelBench.budget');
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

/** Answers true when the job may start: at once when there is nothing to ask. */
async function confirmJob({ guard }: Services, job: PaidJob): Promise<boolean> {
  const budgets = await guard();
  const verdict = budgets.assess(job);
  if (verdict.ask && !(await userAgrees(verdict))) return false;
  budgets.approve(job.baseUrl);
  return true;
}

async function userAgrees(verdict: JobVerdict): Promise<boolean> {
  const start = vscode.l10n.t('Start');
  const change = vscode.l10n.t('Change Budget…');
  const chosen = await vscode.window.showWarningMessage(
    verdict.text,
    { modal: true, detail: consequence(verdict) },
    ...(verdict.passes ? [start, change] : [start]),
  );
  if (chosen === change) await changeBudget();
  return chosen === start;
}

function consequence({ passes, allowedRuns, passesBalance }: JobVerdict): string | undefined {
  if (passes !== undefined && allowedRuns !== undefined) {
    return allowedRuns === 0
      ? vscode.l10n.t('The budget is used up: no run would be sent.')
      : vscode.l10n.t('New runs stop when the budget is reached, after about {0} of them.', allowedRuns);
  }
  if (passesBalance) return vscode.l10n.t('The wallet may not be able to pay for all of them.');
  return undefined;
}
