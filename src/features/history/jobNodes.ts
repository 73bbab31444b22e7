import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandId } from '../../contributions';
import { agentMark } from '../../domain/agentGrant';
import type { PastJob, PastRequest } from '../../domain/pastJob';
import { treeRow } from '../../vscode/messages/views';
import { agentText } from '../../wording/agentGrant';
import { formatTimeOfDay } from '../../wording/displayLanguage';
import { formatMoney } from '../../wording/money';

/** A job that ended: one row, which opens its runs. */
export interface JobNode {
  readonly kind: 'job';
  readonly id: string;
  readonly job: PastJob;
}

export interface JobRunNode {
  readonly kind: 'jobRun';
  readonly job: PastJob;
  readonly run: PastRequest;
}

export function jobNode(job: PastJob): JobNode {
  return { kind: 'job', id: job.id, job };
}

/** The name of a job: an experiment's own, an indexing job's model. */
function jobName({ head, kind }: PastJob): string {
  const name = head.name ?? head.modelName ?? head.model;
  return typeof name === 'string' && name.trim() !== '' ? name : kind;
}

/** The label of a row: when it began, then its subject. */
export function rowLabel(startedAt: number, subject: string): string {
  const time = new Date(startedAt).toLocaleTimeString(vscode.env.language, { timeStyle: 'short' });
  return `${time}  ${subject}`;
}

export function jobItem(job: PastJob): vscode.TreeItem {
  const { id, head, done, failed, unknown, startedAt, requests, costs } = job;
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? [value] : []);
  const items = done + failed + unknown;
  const agent = agentMark.safeParse(head.agent);
  const facts = [
    ...text(head.environment),
    ...text(head.scope),
    requests === 1 ? l10n.t('1 run') : l10n.t('{0} runs', requests),
    ...(done === items ? [] : [l10n.t('{0} of {1} done', done, items)]),
    ...costs.map((cost) => formatMoney(cost, vscode.env.language)),
    ...(failed === 0 ? [] : [l10n.t('{0} failed', failed)]),
    ...(unknown === 0 ? [] : [l10n.t('{0} unconfirmed', unknown)]),
    ...(agent.success ? [agentText(agent.data)] : []),
  ];
  const label = rowLabel(startedAt, jobName(job));
  return treeRow(label, {
    id: `job:${id}`,
    description: facts.join(' · '),
    tooltip: [label, ...facts],
    collapsibleState: vscode.TreeItemCollapsibleState.Collapsed,
    iconPath: new vscode.ThemeIcon('layers'),
    contextValue: 'modelBench.pastJob',
    ...openTable(job),
    accessibilityInformation: { label: [label, l10n.t('job'), ...facts].join(', ') },
  });
}

export function jobRunItem({ job, run }: JobRunNode): vscode.TreeItem {
  const { number, firstItem, items, sentAt, outcome, reason, runId, cost } = run;
  const icon = outcomeIcon(outcome);
  const label = l10n.t('Run no. {0}', number + 1);
  const name = posix.basename(firstItem);
  const facts = [
    items > 1 ? l10n.t('{0} and {1} more', name, items - 1) : name,
    ...(outcome === 'done' ? [] : [outcomeText(outcome)]),
    ...(cost ? [formatMoney(cost, vscode.env.language)] : []),
    formatTimeOfDay(sentAt),
  ];
  return treeRow(label, {
    id: `job:${job.id}:${number}`,
    description: facts.join(' · '),
    tooltip: [
      label,
      ...facts,
      ...(reason === undefined ? [] : [reason]),
      ...(runId === undefined ? [] : [runId]),
    ],
    iconPath: new vscode.ThemeIcon(icon.name, icon.color ? new vscode.ThemeColor(icon.color) : undefined),
    contextValue: 'modelBench.jobRun',
    ...openTable(job, firstItem),
    accessibilityInformation: { label: [label, ...facts].join(', ') },
  });
}

/** A click on a job or a run of an experiment opens its table. @param customId of the run, at whose cell it opens */
function openTable({ kind, head }: PastJob, customId?: string): Pick<vscode.TreeItem, 'command'> {
  if (kind !== 'experiment' || typeof head.file !== 'string') return {};
  const command: CommandId = 'modelBench.openExperimentAt';
  const file = vscode.Uri.file(head.file);
  return { command: { command, title: l10n.t('Open Experiment'), arguments: [file, customId] } };
}

function outcomeText(outcome: PastRequest['outcome']): string {
  switch (outcome) {
    case 'done':
      return l10n.t('finished');
    case 'failed':
      return l10n.t('failed');
    case 'returned':
      return l10n.t('not executed');
    case 'unknown':
    case undefined:
      return l10n.t('unconfirmed');
  }
}

function outcomeIcon(outcome: PastRequest['outcome']): { readonly name: string; readonly color?: string } {
  switch (outcome) {
    case 'done':
      return { name: 'pass', color: 'charts.green' };
    case 'failed':
      return { name: 'error', color: 'testing.iconFailed' };
    case 'returned':
      return { name: 'circle-slash' };
    case 'unknown':
    case undefined:
      return { name: 'question', color: 'problemsWarningIcon.foreground' };
  }
}
