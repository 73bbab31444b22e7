import mime from 'mime';
import * as vscode from 'vscode';
import type { RunTarget } from '../../contributions';
import { askSavePlace, isConfirmed } from '../../platform/dialogs';
import { openText } from '../../platform/textEditor';
import type { RunRecord } from '../../runs/history/record';
import type { Services } from '../../services';
import { onRun, requestOf, resultText, targetRuns } from './kept';

/** Actions on stored runs other than running them again. */

const hasResult = (run: RunRecord) => run.result !== undefined;

export async function deleteRuns(services: Services, rows: readonly RunTarget[]): Promise<void> {
  const runs = await targetRuns(services, rows, { title: vscode.l10n.t('Delete Runs'), many: true });
  const ended = runs.filter(({ state }) => state !== 'running');
  if (ended.length < runs.length) {
    void vscode.window.showInformationMessage(vscode.l10n.t('A run in progress cannot be deleted.'));
  }
  if (ended.length === 0 || !(await confirmDelete(ended.length))) return;
  await (await services.history()).delete(ended.map(({ id }) => id));
}

export async function clearHistory(services: Services): Promise<void> {
  const history = await services.history();
  const ended = history.runs.filter(({ state }) => state !== 'running');
  if (ended.length > 0 && (await confirmDelete(ended.length)))
    await history.delete(ended.map(({ id }) => id));
}

function confirmDelete(count: number): Promise<boolean> {
  const question =
    count === 1
      ? vscode.l10n.t('Delete this run and its result from the history?')
      : vscode.l10n.t('Delete {0} runs and their results from the history?', count);
  const detail = vscode.l10n.t('The service keeps its own record of them.');
  return isConfirmed(question, detail, vscode.l10n.t('Delete'));
}

export const saveResult = onRun(() => vscode.l10n.t('Save Result As…'), save, hasResult);

async function save(run: RunRecord, services: Services): Promise<void> {
  const bytes = await keptBytes(services, run);
  if (!bytes) return;
  const extension = mime.getExtension(run.result?.contentType ?? '') ?? 'bin';
  const name = `${run.draft.model.replaceAll(/[^\w.-]+/g, '-')}-${run.id.slice(0, 8)}.${extension}`;
  const chosen = await askSavePlace(name, { saveLabel: vscode.l10n.t('Save Result') });
  if (chosen) await vscode.workspace.fs.writeFile(chosen, bytes);
}

export const openResult = onRun(() => vscode.l10n.t('Open Result in Editor'), open, hasResult);

async function open(run: RunRecord, services: Services): Promise<void> {
  const bytes = await keptBytes(services, run);
  if (!bytes) return;
  const text = resultText(run, bytes);
  if (text !== undefined)
    return openText(text, /^\s*[[{]/.test(text) ? 'json' : 'plaintext', { preview: false });
  const saveAs = vscode.l10n.t('Save As…');
  const question = vscode.l10n.t('This result is a file ({0}), not text.', run.result?.contentType ?? '');
  if ((await vscode.window.showInformationMessage(question, saveAs)) === saveAs) await save(run, services);
}

/** The stored copy of a run's response; warns when it is missing or incomplete. */
async function keptBytes(services: Services, run: RunRecord): Promise<Uint8Array | undefined> {
  const bytes = await (await services.history()).result(run.id);
  if (!bytes)
    void vscode.window.showWarningMessage(vscode.l10n.t('The stored copy of this result no longer exists.'));
  else if (run.result?.truncated) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        'Only the first {0} MB of this result were stored.',
        Math.round(bytes.byteLength / 2 ** 20),
      ),
    );
  }
  return bytes;
}

export const copyRequest = onRun(
  () => vscode.l10n.t('Copy Request as JSON'),
  (run) => vscode.env.clipboard.writeText(JSON.stringify(requestOf(run), null, 2)),
);

/** The user learned elsewhere the outcome of a run whose response was lost. */
export const settleRun = onRun(
  settleTitle,
  settle,
  ({ state }) => state === 'unknown' || state === 'accepted',
);

function settleTitle(): string {
  return vscode.l10n.t('Set Run Outcome');
}

async function settle(run: RunRecord, services: Services): Promise<void> {
  const chosen = await vscode.window.showQuickPick(
    [
      {
        label: vscode.l10n.t('It was executed'),
        detail: vscode.l10n.t('The history shows it as finished, without a result.'),
        state: 'finished' as const,
      },
      {
        label: vscode.l10n.t('It was not executed, or failed'),
        detail: vscode.l10n.t('The history shows it as failed.'),
        state: 'failed' as const,
      },
    ],
    {
      title: settleTitle(),
      placeHolder: vscode.l10n.t('What was the outcome of this run? Check “Usage and Billing”.'),
    },
  );
  if (!chosen) return;
  await (await services.history()).put({
    ...run,
    state: chosen.state,
    settledByUser: true,
    message: vscode.l10n.t('No response was received. You set the outcome: {0}.', chosen.label),
  });
}
