import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ExperimentOverview } from '../../../experiments/table/overview';
import { treeRow } from '../../../vscode/messages/views';
import { localeFor } from '../../../wording/displayLanguage';
import { formatSums } from '../../../wording/money';
import { formatNumber } from '../../../wording/number';
import type { ExperimentState } from '../experimentRuns';
import { experimentName } from '../tableSource';

/** A row of the view. @param overview undefined: it has not run, or its results are not read yet */
export function experimentRow(
  uri: vscode.Uri,
  running: ExperimentState | undefined,
  overview: ExperimentOverview | undefined,
): vscode.TreeItem {
  const name = experimentName(uri);
  const folder = posix.dirname(vscode.workspace.asRelativePath(uri));
  const facts = [
    ...(running ? [runningText(running)] : stateTexts(overview)),
    ...(overview ? resultTexts(overview) : []),
  ];
  const state = rowState(running, overview);
  return treeRow(name, {
    id: uri.toString(),
    description: facts.join(' · '),
    tooltip: [vscode.workspace.asRelativePath(uri), ...facts],
    iconPath: new vscode.ThemeIcon(
      state.icon,
      state.color === undefined ? undefined : new vscode.ThemeColor(state.color),
    ),
    contextValue: `modelBench.experiment.${running?.state ?? 'idle'}`,
    command: { command: 'vscode.open', title: l10n.t('Open Experiment'), arguments: [uri] },
    accessibilityInformation: {
      label: [name, ...(folder === '.' ? [] : [folder]), ...facts].join(', '),
    },
  });
}

function runningText(running: ExperimentState): string {
  if (running.state === 'interrupted')
    return l10n.t('interrupted, {0} left', formatNumber(running.remaining));
  const { done, total } = running;
  const counts = l10n.t('{0} of {1}', formatNumber(done), formatNumber(total));
  switch (running.state) {
    case 'paused':
      return l10n.t('paused, {0}', counts);
    case 'stopping':
      return l10n.t('stopping, {0}', counts);
    default:
      return l10n.t('running, {0}', counts);
  }
}

function stateTexts(overview: ExperimentOverview | undefined): string[] {
  if (!overview) return [l10n.t('not run')];
  const { total, finished, failed, unconfirmed } = overview;
  const runs =
    total === undefined || total === finished
      ? l10n.t('{0} finished', formatNumber(finished))
      : l10n.t('{0} of {1} finished', formatNumber(finished), formatNumber(total));
  return [
    runs,
    ...(failed > 0 ? [l10n.t('{0} failed', formatNumber(failed))] : []),
    ...(unconfirmed > 0 ? [l10n.t('{0} unconfirmed', formatNumber(unconfirmed))] : []),
  ];
}

function resultTexts({ best, cost, lastRun }: ExperimentOverview): string[] {
  const { language } = vscode.env;
  const at = lastRun === undefined ? Number.NaN : Date.parse(lastRun);
  return [
    ...(best ? [l10n.t('{0} ({1})', best.figure, best.column)] : []),
    ...(cost.length > 0 ? [formatSums(cost, language)] : []),
    ...(Number.isNaN(at)
      ? []
      : [new Date(at).toLocaleString(localeFor(language), { dateStyle: 'medium', timeStyle: 'short' })]),
  ];
}

function rowState(
  running: ExperimentState | undefined,
  overview: ExperimentOverview | undefined,
): { readonly icon: string; readonly color?: string } {
  if (running?.state === 'paused' || running?.state === 'interrupted') return { icon: 'debug-pause' };
  if (running) return { icon: 'sync~spin' };
  if (!overview) return { icon: 'beaker' };
  const { total, finished, failed, unconfirmed } = overview;
  if (unconfirmed > 0) return { icon: 'question', color: 'problemsWarningIcon.foreground' };
  if (failed > 0) return { icon: 'error', color: 'testing.iconFailed' };
  return finished < (total ?? finished) ? { icon: 'beaker' } : { icon: 'pass', color: 'charts.green' };
}
