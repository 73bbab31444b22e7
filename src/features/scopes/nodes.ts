import * as vscode from 'vscode';
import { assertNever } from '../../domain/assertNever';
import type { Dataset } from '../../domain/dataset';
import type { IndexingJob } from '../../indexing/indexingJobs';
import type { DatasetSummary, LedgerItem } from '../../indexing/ledger';
import { filesText, paceText, progressText, stateText } from '../../indexing/progressText';
import { datasetCounts, itemsText } from '../../platform/datasetText';

/** A row of the scopes view. `id` never changes with the numbers beside it. */
export type ScopesNode =
  | { readonly kind: 'job'; readonly id: string; readonly job: IndexingJob }
  /** The numbers of a job: they change all the time, the job's own row with its buttons does not. */
  | { readonly kind: 'jobFiles' | 'jobPace'; readonly id: string; readonly job: IndexingJob }
  | { readonly kind: 'scope'; readonly id: string; readonly scope: string }
  | { readonly kind: 'dataset'; readonly id: string; readonly dataset: Dataset }
  | {
      readonly kind: 'folder';
      readonly id: string;
      readonly dataset: Dataset;
      readonly path: string;
      /** How many are below it, at any depth. */
      readonly items: number;
    }
  | { readonly kind: 'item'; readonly id: string; readonly dataset: Dataset; readonly item: LedgerItem }
  | { readonly kind: 'more'; readonly id: string; readonly of: string; readonly left: number }
  | { readonly kind: 'note'; readonly id: string; readonly text: string };

/** What is shown beside a row and may change without the row. */
export interface RowFacts {
  readonly summaries: readonly DatasetSummary[];
  readonly modelName: (slug: string) => string;
  readonly changedFiles: ReadonlySet<string>;
  readonly missingFiles: ReadonlySet<string>;
}

export function treeItem(node: ScopesNode, facts: RowFacts): vscode.TreeItem {
  const item = shownItem(node, facts);
  item.id = node.id;
  return item;
}

function shownItem(node: ScopesNode, facts: RowFacts): vscode.TreeItem {
  const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
  switch (node.kind) {
    case 'job':
      return jobItem(node.job);
    case 'jobFiles':
      return numbersItem('checklist', filesText(node.job.progress));
    case 'jobPace':
      return numbersItem('pulse', paceText(node.job.progress, vscode.env.language));
    case 'scope': {
      const item = new vscode.TreeItem(node.scope, Expanded);
      const of = facts.summaries.filter(({ scope }) => scope === node.scope);
      item.iconPath = new vscode.ThemeIcon('database');
      item.description = itemsText(of.reduce((sum, { counts }) => sum + counts.indexed, 0));
      item.contextValue = 'modelBench.scope';
      return item;
    }
    case 'dataset':
      return datasetItem(node.dataset, facts);
    case 'folder': {
      const item = new vscode.TreeItem(node.path.split('/').at(-1) ?? node.path, Collapsed);
      item.iconPath = vscode.ThemeIcon.Folder;
      item.description = node.items.toLocaleString(vscode.env.language);
      item.contextValue = 'modelBench.folder';
      return item;
    }
    case 'item':
      return ledgerItem(node.item, facts);
    case 'more': {
      const item = new vscode.TreeItem(vscode.l10n.t('Show more ({0} left)', node.left), None);
      item.iconPath = new vscode.ThemeIcon('ellipsis');
      item.command = { command: 'modelBench.showMoreItems', title: item.label as string, arguments: [node] };
      return item;
    }
    case 'note': {
      const item = new vscode.TreeItem(node.text, None);
      item.iconPath = new vscode.ThemeIcon('info');
      return item;
    }
    default:
      return assertNever(node);
  }
}

function jobItem(job: IndexingJob): vscode.TreeItem {
  const progress = job.progress;
  const item = new vscode.TreeItem(
    vscode.l10n.t('Indexing into {0}', job.head.scope),
    vscode.TreeItemCollapsibleState.Expanded,
  );
  item.description = jobRowState(job) || job.head.modelName;
  item.tooltip = `${job.head.modelName}\n${progressText(progress, vscode.env.language)}`;
  const paused = progress.state === 'paused';
  item.iconPath = new vscode.ThemeIcon(paused ? 'debug-pause' : 'sync~spin');
  // A job that is stopping can be neither paused nor resumed.
  item.contextValue = `modelBench.job.${paused ? 'paused' : progress.state === 'stopping' ? 'stopping' : 'running'}`;
  return item;
}

/** What the job's own row shows; the row is redrawn only when this changes. */
export function jobRowState({ progress }: IndexingJob): string {
  return stateText({ state: progress.state });
}

function numbersItem(icon: string, [first, ...others]: readonly string[]): vscode.TreeItem {
  const item = new vscode.TreeItem(first ?? '');
  item.description = others.join(', ');
  item.tooltip = [first, ...others].join('\n');
  item.iconPath = new vscode.ThemeIcon(icon);
  return item;
}

function datasetItem(dataset: Dataset, { summaries, modelName }: RowFacts): vscode.TreeItem {
  const summary = summaries.find(({ scope, model }) => scope === dataset.scope && model === dataset.model);
  const { Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(modelName(dataset.model), Collapsed);
  item.iconPath = new vscode.ThemeIcon('symbol-misc');
  item.contextValue = 'modelBench.dataset';
  if (!summary) return item;
  const { counts, lastAt } = summary;
  const parts = datasetCounts(summary);
  item.description = [...parts, shortTime(lastAt)].join(', ');
  item.tooltip = [
    dataset.model,
    ...parts,
    vscode.l10n.t('Last change: {0}', new Date(lastAt).toLocaleString(vscode.env.language)),
  ].join('\n');
  if (counts.failed > 0) item.contextValue += '.failed';
  if (counts.unknown > 0) item.contextValue += '.unknown';
  return item;
}

function ledgerItem(entry: LedgerItem, { changedFiles, missingFiles }: RowFacts): vscode.TreeItem {
  const uri = vscode.Uri.parse(entry.file);
  const item = new vscode.TreeItem(entry.imageId.split('/').at(-1) ?? entry.imageId);
  const missing = missingFiles.has(entry.file);
  const changed = changedFiles.has(entry.file);
  item.description = missing
    ? vscode.l10n.t('file deleted')
    : changed
      ? vscode.l10n.t('changed')
      : entry.outcome === 'failed'
        ? (entry.reason ?? vscode.l10n.t('failed'))
        : entry.outcome === 'unknown'
          ? vscode.l10n.t('unconfirmed')
          : '';
  item.iconPath = new vscode.ThemeIcon(iconOf(entry, changed, missing));
  item.tooltip = [
    entry.imageId,
    new Date(entry.at).toLocaleString(vscode.env.language),
    ...(changed ? [vscode.l10n.t('Changed since it was indexed.')] : []),
    ...(missing ? [vscode.l10n.t('The file was deleted.')] : []),
    ...(entry.reason === undefined ? [] : [entry.reason]),
  ].join('\n');
  // A deleted file can be neither revealed nor searched with.
  item.contextValue = missing ? 'modelBench.item.missing' : `modelBench.item.${entry.outcome}`;
  if (!missing) item.command = { command: 'vscode.open', title: vscode.l10n.t('Open'), arguments: [uri] };
  return item;
}

/** Only for an icon: the table of all MIME types is too large to load when a window starts. */
const IS_TEXT = /\.(txt|md|json|jsonl|csv|tsv|xml|html?|ya?ml|rst|tex|log)$/i;

function iconOf({ outcome, imageId }: LedgerItem, changed: boolean, missing: boolean): string {
  if (outcome === 'failed') return 'error';
  if (outcome === 'unknown') return 'question';
  if (missing) return 'circle-slash';
  if (changed) return 'diff-modified';
  return IS_TEXT.test(imageId) ? 'file-text' : 'file-media';
}

/** The time if it is today, else the day. */
function shortTime(at: number): string {
  const date = new Date(at);
  return date.toDateString() === new Date().toDateString()
    ? date.toLocaleTimeString(vscode.env.language, { timeStyle: 'short' })
    : date.toLocaleDateString(vscode.env.language, { dateStyle: 'short' });
}
