import * as vscode from 'vscode';
import { assertNever } from '../../domain/assertNever';
import { treeRow } from '../../platform/treeRows';
import { shortJson } from '../../results/tree';
import type { RunRecord } from '../../runs/history/record';
import { formatDuration } from '../../wording/duration';
import { runCostText, runStateIcons, runStateText } from '../../wording/runStates';

/** A row of the history view: a day, or a run of it. */
export type HistoryNode =
  | { readonly kind: 'day'; readonly day: string; readonly runs: readonly RunRecord[] }
  | { readonly kind: 'run'; readonly id: string; readonly run: RunRecord };

export function treeItem(node: HistoryNode): vscode.TreeItem {
  switch (node.kind) {
    case 'day':
      return treeRow(node.day, {
        collapsibleState: vscode.TreeItemCollapsibleState.Expanded,
        id: `day:${node.day}`,
        description: String(node.runs.length),
        contextValue: 'modelBench.day',
      });
    case 'run':
      return runItem(node.run);
    default:
      return assertNever(node);
  }
}

function runItem(run: RunRecord): vscode.TreeItem {
  const { id, modelName, state } = run;
  const facts = factsOf(run);
  return treeRow(modelName, {
    id,
    description: facts.join(' · '),
    iconPath: iconOf(state),
    contextValue: ['modelBench.run', state, ...(run.result ? ['hasResult'] : [])].join(' '),
    accessibilityInformation: { label: [modelName, runStateText(state), ...facts].join(', ') },
    command: { command: 'modelBench.openRun', title: vscode.l10n.t('Open'), arguments: [{ id }] },
  });
}

/** Mode, cost and duration, as far as they are known. */
export function factsOf(run: RunRecord): string[] {
  const ms =
    run.sentAt !== undefined && run.finishedAt !== undefined ? run.finishedAt - run.sentAt : undefined;
  const cost = runCostText(run, vscode.env.language);
  return [
    run.draft.mode,
    ...(run.draft.scope === undefined ? [] : [run.draft.scope]),
    ...(cost === undefined ? [] : [cost]),
    ...(ms === undefined ? [] : [formatDuration(ms, vscode.env.language)]),
    ...(run.state === 'finished' ? [] : [runStateText(run.state)]),
  ];
}

const iconColors: Partial<Record<RunRecord['state'], string>> = {
  finished: 'testing.iconPassed',
  failed: 'testing.iconFailed',
  unknown: 'problemsWarningIcon.foreground',
};

function iconOf(state: RunRecord['state']): vscode.ThemeIcon {
  const color = iconColors[state];
  const icon = state === 'running' ? 'sync~spin' : runStateIcons[state];
  return new vscode.ThemeIcon(icon, color ? new vscode.ThemeColor(color) : undefined);
}

/** Built when a row is hovered. Texts of a service or a file are appended as text, not as Markdown. */
export function runTooltip(run: RunRecord): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.appendText(`${run.modelName} · ${run.environment}\n`);
  text.appendText(
    `${new Date(run.startedAt).toLocaleString(vscode.env.language)} · ${runStateText(run.state)}\n`,
  );
  const cost = runCostText(run, vscode.env.language);
  if (cost !== undefined) text.appendText(`${cost}\n`);
  if (run.message !== undefined) text.appendText(`${run.message}\n`);
  text.appendCodeblock(shortJson(run.draft.input, 300), 'json');
  return text;
}

/** Runs by day, in the order given (newest first); the last two days are “Today” and “Yesterday”. */
export function byDay(runs: readonly RunRecord[], now = new Date()): HistoryNode[] {
  const days = Map.groupBy(runs, (run) => dayName(new Date(run.startedAt), now));
  return [...days].map(([day, of]) => ({ kind: 'day', day, runs: of }));
}

function dayName(date: Date, now: Date): string {
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (date.toDateString() === now.toDateString()) return vscode.l10n.t('Today');
  if (date.toDateString() === yesterday.toDateString()) return vscode.l10n.t('Yesterday');
  return date.toLocaleDateString(vscode.env.language, { dateStyle: 'full' });
}
