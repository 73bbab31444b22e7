import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Dataset, datasetKey } from '../../domain/dataset';
import type { IndexingJob, InterruptedIndexingJob } from '../../indexing/indexingJobs';
import type { JobFile } from '../../indexing/indexKind';
import { filesText, paceText, progressText, stateText } from '../../indexing/progressText';
import { interruptedCounts } from '../../jobs/interruptedCounts';
import { datasetCounts, itemsText } from '../../platform/datasetText';
import type { DatasetSummary } from '../../store/datasets';
import type { IndexedFile, IndexedFileState } from '../../store/items';
import { moreRow, treeRow } from '../../vscode/messages/views';

import type { FileState } from './fileState';

/** A row of the scopes view. `id` never changes with the numbers beside it. */
export type ScopesNode =
  | { readonly kind: 'job'; readonly id: string; readonly job: IndexingJob }
  /** The numbers of a job: they change all the time, the job's own row with its buttons does not. */
  | { readonly kind: 'jobFiles' | 'jobPace'; readonly id: string; readonly job: IndexingJob }
  /** A job that no window works on. */
  | {
      readonly kind: 'interrupted' | 'interruptedFiles';
      readonly id: string;
      readonly job: InterruptedIndexingJob;
    }
  /** A job that another window or terminal works on. */
  | {
      readonly kind: 'elsewhere' | 'elsewhereFiles';
      readonly id: string;
      readonly job: InterruptedIndexingJob;
    }
  /** A file of an interrupted job that was sent without a response. */
  | { readonly kind: 'unconfirmed'; readonly id: string; readonly file: JobFile }
  | {
      readonly kind: 'scope';
      readonly id: string;
      readonly scope: string;
      readonly datasets: readonly DatasetSummary[];
    }
  | {
      readonly kind: 'dataset';
      readonly id: string;
      readonly dataset: Dataset;
      readonly summary?: DatasetSummary | undefined;
    }
  | {
      readonly kind: 'folder';
      readonly id: string;
      readonly dataset: Dataset;
      readonly path: string;
      /** How many are below it, at any depth. */
      readonly items: number;
    }
  /** The files of a dataset that failed or are unconfirmed, from every folder. */
  | {
      readonly kind: 'notIndexed';
      readonly id: string;
      readonly dataset: Dataset;
      readonly outcome: NotIndexed;
      readonly items: number;
    }
  | {
      readonly kind: 'item';
      readonly id: string;
      readonly dataset: Dataset;
      readonly item: IndexedFile;
      /** Of the row among the files of one outcome; the same file has another row in its folder. */
      readonly under?: NotIndexed;
      readonly state?: FileState;
    }
  | MoreRow
  | { readonly kind: 'note'; readonly id: string; readonly text: string };

interface MoreRow {
  readonly kind: 'more';
  readonly id: string;
  readonly of: ScopesNode;
  readonly left: number;
}

export type NotIndexed = Exclude<IndexedFileState, 'indexed'>;

interface RowFacts {
  readonly modelName: (slug: string) => string;
  readonly showMore: (row: MoreRow) => unknown;
}

export function scopeRow(scope: string, datasets: readonly DatasetSummary[]): ScopesNode {
  return { kind: 'scope', id: `scope ${scope}`, scope, datasets };
}

export function datasetRow({ baseUrl, model, scope }: Dataset, summary?: DatasetSummary): ScopesNode {
  const dataset = { baseUrl, model, scope };
  return { kind: 'dataset', id: `dataset ${datasetKey(dataset)}`, dataset, summary };
}

export function treeItem(node: ScopesNode, facts: RowFacts): vscode.TreeItem {
  return Object.assign(shownItem(node, facts), { id: node.id });
}

function shownItem(node: ScopesNode, facts: RowFacts): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  switch (node.kind) {
    case 'job':
      return jobItem(node.job);
    case 'jobFiles':
      return numbersItem('checklist', filesText(node.job.progress));
    case 'jobPace':
      return numbersItem('pulse', paceText(node.job.progress, vscode.env.language));
    case 'interrupted':
      return treeRow(l10n.t('Indexing into {0}', node.job.head.scope), {
        collapsibleState: Expanded,
        description: [node.job.head.environment, l10n.t('Interrupted')].filter(Boolean).join(' · '),
        tooltip: [node.job.head.modelName, ...interruptedText(node.job)],
        iconPath: new vscode.ThemeIcon('debug-disconnect'),
        contextValue: 'modelBench.job.interrupted',
      });
    case 'interruptedFiles':
      return numbersItem('checklist', interruptedText(node.job));
    case 'elsewhere':
      return treeRow(l10n.t('Indexing into {0}', node.job.head.scope), {
        collapsibleState: Expanded,
        description: [node.job.head.environment, l10n.t('in another window')].filter(Boolean).join(' · '),
        tooltip: [node.job.head.modelName, ...elsewhereText(node.job)],
        iconPath: new vscode.ThemeIcon('sync'),
      });
    case 'elsewhereFiles':
      return numbersItem('checklist', elsewhereText(node.job));
    case 'unconfirmed':
      return treeRow(node.file.imageId, {
        description: l10n.t('unconfirmed'),
        iconPath: new vscode.ThemeIcon('question'),
        command: {
          command: 'vscode.open',
          title: l10n.t('Open'),
          arguments: [vscode.Uri.parse(node.file.uri)],
        },
      });
    case 'scope':
      return treeRow(node.scope, {
        collapsibleState: Expanded,
        iconPath: new vscode.ThemeIcon('database'),
        description: itemsText(node.datasets.reduce((sum, { counts }) => sum + counts.indexed, 0)),
        contextValue: 'modelBench.scope',
      });
    case 'dataset':
      return datasetItem(node.dataset, node.summary, facts);
    case 'folder':
      return treeRow(node.path.split('/').at(-1) ?? node.path, {
        collapsibleState: Collapsed,
        iconPath: vscode.ThemeIcon.Folder,
        description: node.items.toLocaleString(vscode.env.language),
        contextValue: 'modelBench.folder',
      });
    case 'notIndexed':
      return treeRow(node.outcome === 'failed' ? l10n.t('Failed') : l10n.t('Unconfirmed'), {
        collapsibleState: Collapsed,
        iconPath: outcomeIcons[node.outcome],
        description: node.items.toLocaleString(vscode.env.language),
        contextValue: `modelBench.notIndexed.${node.outcome}`,
      });
    case 'item':
      return indexedItem(node.item, node.state ?? 'same');
    case 'more':
      return moreRow(node.id, node.left, () => facts.showMore(node));
    case 'note':
      return treeRow(node.text, { iconPath: new vscode.ThemeIcon('info') });
  }
}

function jobItem(job: IndexingJob): vscode.TreeItem {
  const { head, progress } = job;
  const paused = progress.state === 'paused';
  // A job that is stopping can be neither paused nor resumed.
  const state = paused ? 'paused' : progress.state === 'stopping' ? 'stopping' : 'running';
  return treeRow(l10n.t('Indexing into {0}', head.scope), {
    collapsibleState: vscode.TreeItemCollapsibleState.Expanded,
    // Jobs of all environments are shown, not only of the active one.
    description: [head.environment, jobRowState(job) || head.modelName].filter(Boolean).join(' · '),
    tooltip: [head.modelName, progressText(progress, vscode.env.language)],
    iconPath: new vscode.ThemeIcon(paused ? 'debug-pause' : 'sync~spin'),
    contextValue: `modelBench.job.${state}`,
  });
}

function jobRowState({ state }: IndexingJob): string {
  return stateText({ state });
}

/** "16 of 96", "80 left": files that were sent are awaited by their window. */
function elsewhereText({ counts }: InterruptedIndexingJob): string[] {
  const { done = 0, failed = 0, skipped = 0, unknown = 0, inFlight = 0 } = counts;
  const { total, remaining } = interruptedCounts(counts);
  return filesText({ done, total, failed, unknown, skipped, remaining: remaining + inFlight });
}

/** "16 of 96", "4 unconfirmed", "76 left": of a job as its window left it. */
function interruptedText({ counts }: InterruptedIndexingJob): string[] {
  const { done = 0, failed = 0, skipped = 0 } = counts;
  const { total, remaining, unconfirmed } = interruptedCounts(counts);
  return filesText({ done, total, failed, unknown: unconfirmed, skipped, remaining });
}

function numbersItem(icon: string, [first = '', ...others]: readonly string[]): vscode.TreeItem {
  return treeRow(first, {
    description: others.join(', '),
    tooltip: [first, ...others],
    iconPath: new vscode.ThemeIcon(icon),
  });
}

function datasetItem(
  dataset: Dataset,
  summary: DatasetSummary | undefined,
  { modelName }: RowFacts,
): vscode.TreeItem {
  const row = {
    collapsibleState: vscode.TreeItemCollapsibleState.Collapsed,
    iconPath: new vscode.ThemeIcon('symbol-misc'),
    contextValue: 'modelBench.dataset',
  };
  if (!summary) return treeRow(modelName(dataset.model), row);
  const { counts, lastAt } = summary;
  const parts = datasetCounts(summary);
  const changed = l10n.t('Last change: {0}', new Date(lastAt).toLocaleString(vscode.env.language));
  const states = `${counts.failed > 0 ? '.failed' : ''}${counts.unknown > 0 ? '.unknown' : ''}`;
  return treeRow(modelName(dataset.model), {
    ...row,
    contextValue: `${row.contextValue}${states}`,
    description: [...parts, shortTime(lastAt)].join(', '),
    tooltip: [dataset.model, ...parts, changed],
  });
}

function indexedItem(entry: IndexedFile, state: FileState): vscode.TreeItem {
  const { imageId, file, at, reason, outcome } = entry;
  const missing = state === 'missing';
  const open = { command: 'vscode.open', title: l10n.t('Open'), arguments: [vscode.Uri.parse(file)] };
  return treeRow(imageId.split('/').at(-1) ?? imageId, {
    description: itemState(entry, state),
    iconPath: itemIcon(entry, state),
    tooltip: [
      imageId,
      new Date(at).toLocaleString(vscode.env.language),
      ...(state === 'changed' ? [l10n.t('Changed since it was indexed.')] : []),
      ...(missing ? [l10n.t('The file was deleted.')] : []),
      ...(reason === undefined ? [] : [reason]),
    ],
    // A deleted file can be neither revealed nor searched with.
    contextValue: missing ? 'modelBench.item.missing' : `modelBench.item.${outcome}`,
    ...(!missing && { command: open }),
  });
}

function itemState({ outcome, reason }: IndexedFile, state: FileState): string {
  if (state === 'missing') return l10n.t('file deleted');
  if (state === 'changed') return l10n.t('changed');
  if (outcome === 'failed') return reason ?? l10n.t('failed');
  return outcome === 'unknown' ? l10n.t('unconfirmed') : '';
}

/** Only for an icon: the table of all MIME types is too large to load when a window starts. */
const IS_TEXT = /\.(txt|md|json|jsonl|csv|tsv|xml|html?|ya?ml|rst|tex|log)$/i;

const outcomeIcons: Readonly<Record<NotIndexed, vscode.ThemeIcon>> = {
  failed: new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground')),
  unknown: new vscode.ThemeIcon('question', new vscode.ThemeColor('list.warningForeground')),
};

function itemIcon({ outcome, imageId }: IndexedFile, state: FileState): vscode.ThemeIcon {
  if (outcome !== 'indexed') return outcomeIcons[outcome];
  if (state === 'missing') return new vscode.ThemeIcon('circle-slash');
  if (state === 'changed') return new vscode.ThemeIcon('diff-modified');
  return new vscode.ThemeIcon(IS_TEXT.test(imageId) ? 'file-text' : 'file-media');
}

/** The time if it is today, else the day. */
function shortTime(at: number): string {
  const date = new Date(at);
  return date.toDateString() === new Date().toDateString()
    ? date.toLocaleTimeString(vscode.env.language, { timeStyle: 'short' })
    : date.toLocaleDateString(vscode.env.language, { dateStyle: 'short' });
}
