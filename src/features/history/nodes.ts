import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sumByCurrency } from '../../domain/amounts';
import { isSandbox } from '../../domain/environment';
import { isLocalRef } from '../../domain/media';
import type { PastJob } from '../../domain/pastJob';
import { isUnconfirmed, mayBeAsked } from '../../domain/run';
import type { RunRecord } from '../../domain/runRecord';
import { durationOf } from '../../domain/runTimes';
import { shortJson } from '../../results/tree';
import { tooltip } from '../../vscode/messages/tooltip';
import { moreRow, treeRow } from '../../vscode/messages/views';
import { errorAction, messageOf } from '../../vscode/showError';
import { agentText } from '../../wording/agentGrant';
import { formatDuration } from '../../wording/duration';
import { inputText } from '../../wording/inputText';
import { formatMoney } from '../../wording/money';
import { formatNumber } from '../../wording/number';
import { runCostText, runStateIcons, runStateText } from '../../wording/runStates';
import { type JobNode, type JobRunNode, jobItem, jobNode, jobRunItem, rowLabel } from './jobNodes';

interface RunNode {
  readonly kind: 'run';
  readonly id: string;
  readonly run: RunRecord;
}

/** A row of the history view: a day, a run or a job of it, or the way to older ones. */
export type HistoryNode =
  | {
      readonly kind: 'group';
      /** `pinned`, or the beginning of a day. */
      readonly key: string;
      readonly label: string;
      readonly entries: readonly (RunNode | JobNode)[];
      /** With those that are not shown yet. */
      readonly total: number;
    }
  | RunNode
  | JobNode
  | JobRunNode
  | { readonly kind: 'more'; readonly left: number }
  /** In place of runs that cannot be read. */
  | { readonly kind: 'problem'; readonly error: unknown };

/** @param active the name of the active environment, whose costs are summed */
export function treeItem(
  node: HistoryNode,
  active: string | undefined,
  showMore: () => void,
): vscode.TreeItem {
  switch (node.kind) {
    case 'group':
      return treeRow(node.label, {
        collapsibleState: vscode.TreeItemCollapsibleState.Expanded,
        id: `day:${node.key}`,
        description: groupFacts(node.entries, node.total, active).join(' · '),
        contextValue: 'modelBench.day',
      });
    case 'run':
      return runItem(node.run);
    case 'job':
      return jobItem(node.job);
    case 'jobRun':
      return jobRunItem(node);
    case 'more':
      return moreRow(`more:${node.left}`, node.left, showMore);
    case 'problem': {
      const command = errorAction(node.error);
      return treeRow(messageOf(node.error), {
        tooltip: [messageOf(node.error)],
        iconPath: new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground')),
        command,
      });
    }
  }
}

/**
 * The number and cost of the active environment's entries, and how many of them may have cost more. Those of other
 * environments are counted apart, without their costs: the sandbox charges play money.
 */
function groupFacts(
  entries: readonly (RunNode | JobNode)[],
  total: number,
  active: string | undefined,
): string[] {
  const count = (value: number) => formatNumber(value, vscode.env.language);
  if (entries.length < total) return [l10n.t('{0} of {1}', count(entries.length), count(total))];
  const { [active ?? '']: here = [], ...others } = Object.groupBy(entries, environmentOf);
  const costs = here.flatMap((entry) => (entry.kind === 'job' ? entry.job.costs : (entry.run.cost ?? [])));
  const unconfirmed = here.filter((entry) => entry.kind === 'run' && isUnpaidFor(entry.run)).length;
  return [
    ...(here.length === 0 ? [] : [count(here.length)]),
    ...sumByCurrency(costs).map((money) => formatMoney(money, vscode.env.language)),
    ...(unconfirmed === 0 ? [] : [l10n.t('{0} unconfirmed', unconfirmed)]),
    ...Object.entries(others).map(([name, list = []]) => l10n.t('{0} in {1}', count(list.length), name)),
  ];
}

function environmentOf(entry: RunNode | JobNode): string {
  return entry.kind === 'run' ? entry.run.environment : String(entry.job.head.environment ?? '');
}

/** It may have been charged, and nothing says how much. */
function isUnpaidFor({ state, cost }: RunRecord): boolean {
  return isUnconfirmed(state) && cost === undefined;
}

export function runName({ name, modelName }: RunRecord): string {
  return name ?? modelName;
}

function runItem(run: RunRecord): vscode.TreeItem {
  const { id, modelName, state, draft, startedAt } = run;
  const input = inputText(draft.input, INPUT_LENGTH);
  const [subject, ...others] = [run.name ?? '', input, modelName].filter((text) => text !== '');
  const label = rowLabel(startedAt, subject ?? '');
  // A narrow side bar cuts off the end.
  const facts = [...figuresOf(run), ...others, ...runPlace(run)];
  return treeRow(label, {
    id,
    description: facts.join(' · '),
    iconPath: stateIcon(run),
    contextValue: [
      ...['modelBench.run', state],
      ...(run.result ? ['hasResult'] : []),
      ...(mayBeAsked(run) ? ['canBeAsked'] : []),
      ...(run.pinned ? ['pinned'] : []),
    ].join(' '),
    accessibilityInformation: { label: [label, runStateText(state), ...facts].join(', ') },
    command: { command: 'modelBench.openRun', title: l10n.t('Open'), arguments: [{ id }] },
  });
}

/** Of an input: a row of the side bar has no room for more. */
const INPUT_LENGTH = 32;

/** The known environment, mode, scope, cost and duration. */
export function runFacts(run: RunRecord): string[] {
  return [...runPlace(run), ...figuresOf(run)];
}

function runPlace({ environment, draft }: RunRecord): string[] {
  return [environment, draft.mode, draft.scope ?? ''].filter((text) => text !== '');
}

/** Cost, duration, and the state of a run that has not finished. */
function figuresOf(run: RunRecord): string[] {
  const { state } = run;
  const [cost, duration] = [runCostText(run, vscode.env.language), durationOf(run)];
  return [
    ...(cost === undefined ? [] : [cost]),
    ...(duration === undefined ? [] : [formatDuration(duration, vscode.env.language)]),
    ...(state === 'finished' ? [] : [runStateText(state)]),
    ...(run.agent ? [agentText(run.agent)] : []),
  ];
}

const iconColors: Partial<Record<RunRecord['state'], string>> = {
  finished: 'charts.green',
  failed: 'testing.iconFailed',
  unknown: 'problemsWarningIcon.foreground',
};

/** Finished runs of the sandbox have a beaker. */
function stateIcon({ state, environment: name, baseUrl }: RunRecord): vscode.ThemeIcon {
  const color = iconColors[state];
  const isTried = state === 'finished' && isSandbox({ name, baseUrl });
  const icon = state === 'running' ? 'sync~spin' : isTried ? 'beaker' : runStateIcons[state];
  return new vscode.ThemeIcon(icon, color ? new vscode.ThemeColor(color) : undefined);
}

/** Built when a row is hovered. */
export function runTooltip(run: RunRecord): vscode.MarkdownString {
  const started = new Date(run.startedAt).toLocaleString(vscode.env.language);
  const lines = [
    `${started} · ${runStateText(run.state)}`,
    runCostText(run, vscode.env.language) ?? '',
    run.agent ? agentText(run.agent) : '',
    run.message ?? '',
  ];
  const names = [...new Set([runName(run), run.modelName]), run.environment];
  const code = { text: shortJson(run.draft.input, 300), language: 'json' };
  return tooltip(names.join(' · '), lines, { code, picture: pictureOf(run) });
}

/** A hover decodes the whole picture: a larger one has none. */
const MOST_PICTURE_BYTES = 8 * 2 ** 20;

/** The first image of a run's input that is a file of the user's. */
function pictureOf({ attachments }: RunRecord): vscode.Uri | undefined {
  const image = attachments.find(
    ({ uri, contentType, sizeBytes }) =>
      isLocalRef(uri) && contentType.startsWith('image/') && sizeBytes <= MOST_PICTURE_BYTES,
  );
  return image && vscode.Uri.parse(image.uri);
}

/** Counts runs that began in a time, in milliseconds since the epoch, `to` excluded. */
type Count = (time: { readonly from: number; readonly to: number }) => number;

/**
 * Runs and jobs by day, newest first; the last two days are “Today” and “Yesterday”.
 *
 * @param count missing: no run of a day is left out
 */
export function byDay(runs: readonly RunRecord[], jobs: readonly PastJob[], count?: Count): HistoryNode[] {
  const entries = [...runs.map(runNode), ...jobs.map(jobNode)];
  const sorted = entries.sort((a, b) => startOf(b) - startOf(a));
  const days = Map.groupBy(sorted, (entry) => new Date(startOf(entry)).setHours(0, 0, 0, 0));
  return [...days].map(([start, ofDay]): HistoryNode => {
    const date = new Date(start);
    const to = new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
    const runsOfDay = ofDay.filter(({ kind }) => kind === 'run').length;
    const total = ofDay.length - runsOfDay + (count?.({ from: start, to }) ?? runsOfDay);
    return { kind: 'group', key: String(start), label: dayName(date, new Date()), entries: ofDay, total };
  });
}

/** The group of the user's pinned runs; empty without one. */
export function pinnedGroup(runs: readonly RunRecord[]): HistoryNode[] {
  if (runs.length === 0) return [];
  const entries = runs.map(runNode);
  return [{ kind: 'group', key: 'pinned', label: l10n.t('Pinned'), entries, total: entries.length }];
}

function runNode(run: RunRecord): RunNode {
  return { kind: 'run', id: run.id, run };
}

function startOf(entry: RunNode | JobNode): number {
  return entry.kind === 'run' ? entry.run.startedAt : entry.job.startedAt;
}

function dayName(date: Date, now: Date): string {
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (date.toDateString() === now.toDateString()) return l10n.t('Today');
  if (date.toDateString() === yesterday.toDateString()) return l10n.t('Yesterday');
  return date.toLocaleDateString(vscode.env.language, { dateStyle: 'full' });
}
