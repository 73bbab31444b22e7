import * as vscode from 'vscode';
import { assertNever } from '../../domain/assertNever';
import { shortJson } from '../../results/tree';
import type { RunRecord } from '../../runs/history/record';
import { formatDuration } from '../../wording/duration';
import { formatMoney } from '../../wording/money';

/** A row of the history view: a day, or a run of it. */
export type HistoryNode =
  | { readonly kind: 'day'; readonly day: string; readonly runs: readonly RunRecord[] }
  | { readonly kind: 'run'; readonly id: string; readonly run: RunRecord };

export function treeItem(node: HistoryNode): vscode.TreeItem {
  switch (node.kind) {
    case 'day':
      return dayItem(node.day, node.runs.length);
    case 'run':
      return runItem(node.run);
    default:
      return assertNever(node);
  }
}

function dayItem(day: string, runs: number): vscode.TreeItem {
  const item = new vscode.TreeItem(day, vscode.TreeItemCollapsibleState.Expanded);
  item.id = `day:${day}`;
  item.description = String(runs);
  item.contextValue = 'modelBench.day';
  return item;
}

function runItem(run: RunRecord): vscode.TreeItem {
  const item = new vscode.TreeItem(run.modelName);
  item.id = run.id;
  item.description = factsOf(run).join(' · ');
  item.iconPath = iconOf(run.state);
  item.contextValue = ['modelBench.run', run.state, ...(run.result ? ['hasResult'] : [])].join(' ');
  const state = wordOf(run.state);
  item.accessibilityInformation = { label: [run.modelName, state, ...factsOf(run)].join(', ') };
  item.command = { command: 'modelBench.openRun', title: vscode.l10n.t('Open'), arguments: [{ id: run.id }] };
  return item;
}

/** Mode, cost and duration, as far as they are known. */
export function factsOf(run: RunRecord): string[] {
  const ms =
    run.sentAt !== undefined && run.finishedAt !== undefined ? run.finishedAt - run.sentAt : undefined;
  return [
    run.draft.mode,
    ...(run.draft.scope === undefined ? [] : [run.draft.scope]),
    ...costOf(run),
    ...(ms === undefined ? [] : [formatDuration(ms, vscode.env.language)]),
    ...(run.state === 'finished' ? [] : [wordOf(run.state)]),
  ];
}

/** What the run cost, "cost unknown" where nothing says; nothing of a run that was refused or never sent. */
function costOf({ cost, state }: RunRecord): string[] {
  if (cost) return [formatMoney(cost, vscode.env.language)];
  const mayBeBilled = state === 'finished' || state === 'accepted' || state === 'unknown';
  return mayBeBilled ? [vscode.l10n.t('cost unknown')] : [];
}

export function wordOf(state: RunRecord['state']): string {
  switch (state) {
    case 'running':
      return vscode.l10n.t('running');
    case 'finished':
      return vscode.l10n.t('finished');
    case 'accepted':
      return vscode.l10n.t('accepted, not finished');
    case 'failed':
      return vscode.l10n.t('failed');
    case 'unknown':
      return vscode.l10n.t('outcome unknown');
    case 'notSent':
      return vscode.l10n.t('not sent');
    default:
      return assertNever(state);
  }
}

function iconOf(state: RunRecord['state']): vscode.ThemeIcon {
  const colored = (icon: string, color: string) => new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
  switch (state) {
    case 'running':
      return new vscode.ThemeIcon('sync~spin');
    case 'finished':
      return colored('pass', 'testing.iconPassed');
    case 'accepted':
      return new vscode.ThemeIcon('clock');
    case 'failed':
      return colored('error', 'testing.iconFailed');
    case 'unknown':
      return colored('question', 'problemsWarningIcon.foreground');
    case 'notSent':
      return new vscode.ThemeIcon('circle-slash');
    default:
      return assertNever(state);
  }
}

/** Built when a row is hovered. What a service or a file says stands in code blocks: it is text, not Markdown. */
export function runTooltip(run: RunRecord): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.appendText(`${run.modelName} · ${run.environment}\n`);
  text.appendText(`${new Date(run.startedAt).toLocaleString(vscode.env.language)} · ${wordOf(run.state)}\n`);
  text.appendText(
    costOf(run)
      .map((cost) => `${cost}\n`)
      .join(''),
  );
  if (run.message !== undefined) text.appendText(`${run.message}\n`);
  text.appendCodeblock(shortJson(run.draft.input, 300), 'json');
  return text;
}

/** Runs by day, newest first as they come; the names of the last two days are words. */
export function byDay(runs: readonly RunRecord[], now = new Date()): HistoryNode[] {
  const days = new Map<string, RunRecord[]>();
  for (const run of runs) {
    const name = dayName(new Date(run.startedAt), now);
    days.set(name, [...(days.get(name) ?? []), run]);
  }
  return [...days].map(([day, of]) => ({ kind: 'day', day, runs: of }));
}

function dayName(date: Date, now: Date): string {
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (date.toDateString() === now.toDateString()) return vscode.l10n.t('Today');
  if (date.toDateString() === yesterday.toDateString()) return vscode.l10n.t('Yesterday');
  return date.toLocaleDateString(vscode.env.language, { dateStyle: 'full' });
}
