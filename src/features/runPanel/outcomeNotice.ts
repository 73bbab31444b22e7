import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { RunRecord } from '../../domain/runRecord';
import { executeCommand } from '../../vscode/commands';
import { showInformationMessage } from '../../vscode/messages/notifications';
import { formatDuration } from '../../wording/duration';
import { ofEnvironment } from '../../wording/ofEnvironment';

/**
 * Reports a run that ended while its panel was hidden or closed, once and without taking the focus.
 * @param message why it did not finish
 */
export function noticeOutcome(
  panel: vscode.WebviewPanel,
  record: RunRecord,
  message: string | undefined,
): void {
  if (visibilityOf(panel)) return;
  const took = formatDuration((record.finishedAt ?? Date.now()) - record.startedAt, vscode.env.language);
  const text =
    record.state === 'finished'
      ? l10n.t('{0}: run finished in {1}.', record.modelName, took)
      : l10n.t('{0}: {1}', record.modelName, message ?? record.state);
  const show = l10n.t('Show');
  void showInformationMessage(ofEnvironment(record.environment, text), show).then((chosen) => {
    if (chosen === undefined) return;
    if (visibilityOf(panel) !== undefined) panel.reveal();
    // Closed meanwhile: opened from the history, with its response.
    else void executeCommand('modelBench.openRun', { id: record.id });
  });
}

/** Undefined: the panel was closed; it throws when it is used. */
function visibilityOf(panel: vscode.WebviewPanel): boolean | undefined {
  try {
    return panel.visible;
  } catch {
    return undefined;
  }
}
