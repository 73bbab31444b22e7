import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { RunTarget } from '../../contributions';
import { isUnconfirmed, mayBeAsked } from '../../domain/run';
import type { RunRecord } from '../../domain/runRecord';
import { formattedJson } from '../../platform/jsonText';
import { saveAsRunFile } from '../../platform/runFiles/save';
import { RunResult } from '../../platform/runResult';
import { openText } from '../../platform/textEditor';
import type { Services } from '../../services';
import { executeCommand } from '../../vscode/commands';
import { isConfirmed } from '../../vscode/dialogs';
import { showQuickPick } from '../../vscode/messages/inputs';
import { showInformationMessage, showWarningMessage } from '../../vscode/messages/notifications';
import { askAgain } from './followAccepted';
import { keptRequest, onRun, targetRuns } from './kept';

/** Actions on stored runs other than running them again. */

const withResult = { fits: (run: RunRecord) => run.result !== undefined };

/** Deletes runs, and records of jobs. */
export async function deleteRuns(services: Services, rows: readonly RunTarget[]): Promise<void> {
  const history = await services.history();
  const jobs = rows.flatMap(({ id }) => (history.jobs.get(id) ? [id] : []));
  const question = { title: l10n.t('Delete Runs'), many: true };
  const runs =
    jobs.length === rows.length && jobs.length > 0 ? [] : await targetRuns(services, rows, question);
  const ended = runs.filter(({ state }) => state !== 'running').map(({ id }) => id);
  if (ended.length < runs.length) {
    void showInformationMessage(l10n.t('A run in progress cannot be deleted.'));
  }
  // A pinned run may have been selected in both of its rows.
  const ids = [...new Set(ended)];
  const count = ids.length + jobs.length;
  if (count === 0 || !(await confirmDelete(count))) return;
  await history.delete(ids);
  await history.deleteJobs(jobs);
}

export async function clearHistory(services: Services): Promise<void> {
  const history = await services.history();
  const ended = history.runs.countEnded() + history.jobs.count();
  if (ended > 0 && (await confirmDelete(ended))) await history.clear();
}

function confirmDelete(count: number): Promise<boolean> {
  const question =
    count === 1
      ? l10n.t('Delete this run and its result from the history?')
      : l10n.t('Delete {0} runs and their results from the history?', count);
  const detail = l10n.t('The service keeps its own record of them.');
  return isConfirmed(question, detail, l10n.t('Delete'));
}

export const saveResult = onRun(() => l10n.t('Save Result As…'), save, withResult);

async function save(run: RunRecord, services: Services): Promise<void> {
  await (await keptResult(services, run))?.saveCopy();
}

export const openResult = onRun(() => l10n.t('Open Result in Editor'), open, withResult);

async function open(run: RunRecord, services: Services): Promise<void> {
  const held = await keptResult(services, run);
  if (!held) return;
  const { kind, body } = held;
  if (kind === 'json') return void (await openText(formattedJson(body), 'json', { preview: false }));
  if (kind === 'text') return void (await openText(body, 'plaintext', { preview: false }));
  const saveAs = l10n.t('Save As…');
  const question = l10n.t('This result is a file ({0}), not text.', held.contentType);
  if ((await showInformationMessage(question, saveAs)) === saveAs) await held.saveCopy();
}

/** The stored copy of a run's response; warns when it is missing or incomplete. */
async function keptResult(services: Services, run: RunRecord): Promise<RunResult | undefined> {
  const bytes = await (await services.history()).runs.result(run.id);
  if (!bytes) void showWarningMessage(l10n.t('The stored copy of this result no longer exists.'));
  else if (run.result?.truncated) {
    void showWarningMessage(
      l10n.t('Only the first {0} MB of this result were stored.', Math.round(bytes.byteLength / 2 ** 20)),
    );
  }
  return bytes && RunResult.kept(run, bytes);
}

export const copyRequest = onRun(
  () => l10n.t('Copy Request as JSON'),
  (run) => vscode.env.clipboard.writeText(JSON.stringify(keptRequest(run), null, 2)),
);

export const saveRunFile = onRun(
  () => l10n.t('Save as Run File'),
  async (run) => {
    const uri = await saveAsRunFile(run.draft);
    if (uri) await vscode.window.showTextDocument(uri, { preview: false });
  },
);

/** The user learned elsewhere the outcome of a run with a lost response. */
export async function settleRuns(services: Services, rows: readonly RunTarget[]): Promise<void> {
  const runs = await targetRuns(services, rows, {
    title: settleTitle(),
    fits: ({ state }) => isUnconfirmed(state) || state === 'accepted',
    offered: (history, limit) => history.runs.unsettled(limit),
  });
  if (runs.length > 0) await settle(runs, services);
}

/** Asks the service for a run that it has accepted. */
export const askAgainFor = onRun(
  () => l10n.t('Ask Again'),
  (run, services) => askAgain(services, run),
  {
    fits: mayBeAsked,
    offered: (history) => history.runs.accepted(),
  },
);

function settleTitle(): string {
  return l10n.t('Set Run Outcome');
}

async function settle(runs: readonly RunRecord[], services: Services): Promise<void> {
  const chosen = await showQuickPick(
    [
      {
        label: l10n.t('It was executed'),
        detail: l10n.t('The history shows it as finished, without a result.'),
        state: 'finished' as const,
      },
      {
        label: l10n.t('It was not executed, or failed'),
        detail: l10n.t('The history shows it as failed. Its reserved estimate is released.'),
        state: 'failed' as const,
      },
      {
        label: l10n.t('Look for its charge in Usage and Billing'),
        detail: l10n.t('A charge of the same model and time is proposed there.'),
        state: undefined,
      },
    ],
    {
      title: settleTitle(),
      placeHolder:
        runs.length === 1
          ? l10n.t('What was the outcome of this run? Check “Usage and Billing”.')
          : l10n.t('What was the outcome of these {0} runs? Check “Usage and Billing”.', runs.length),
      // It may follow the choice of a run, after which VS Code gives the focus back late.
      ignoreFocusOut: true,
    },
  );
  if (!chosen) return;
  if (chosen.state === undefined) return void (await executeCommand('modelBench.showUsage'));
  const [history, guard] = [await services.history(), await services.guard()];
  for (const run of runs) {
    if (chosen.state === 'failed') guard.resolve(run, { amount: '0' });
    await history.put({
      ...run,
      state: chosen.state,
      settledByUser: true,
      finishedAt: undefined,
      message:
        run.state === 'unknown'
          ? l10n.t('No response was received. You set the outcome: {0}.', chosen.label)
          : l10n.t('The response does not say the outcome. You set it: {0}.', chosen.label),
    });
  }
}
