import * as vscode from 'vscode';
import { assertNever } from '../../contract/assertNever';
import type { IndexingJob } from '../../indexing/job';
import type { Dataset, DatasetSummary, LedgerItem } from '../../indexing/ledger';
import { progressText } from './jobProgress';

/** A row of the scopes view. `id` never changes with the numbers beside it. */
export type ScopesNode =
  | { readonly kind: 'job'; readonly id: string; readonly job: IndexingJob }
  | { readonly kind: 'scope'; readonly id: string; readonly scope: string }
  | { readonly kind: 'dataset'; readonly id: string; readonly dataset: Dataset }
  | { readonly kind: 'folder'; readonly id: string; readonly dataset: Dataset; readonly path: string }
  | { readonly kind: 'item'; readonly id: string; readonly item: LedgerItem }
  | { readonly kind: 'more'; readonly id: string; readonly of: string; readonly left: number }
  | { readonly kind: 'note'; readonly id: string; readonly text: string };

/** What is shown beside a row and may change while the row stays. */
export interface RowFacts {
  readonly summaries: readonly DatasetSummary[];
  readonly modelName: (slug: string) => string;
  readonly changedFiles: ReadonlySet<string>;
  readonly missingFiles: ReadonlySet<string>;
  readonly itemsBelow: (dataset: Dataset, path: string) => number;
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
      item.description = String(facts.itemsBelow(node.dataset, node.path));
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
    vscode.TreeItemCollapsibleState.None,
  );
  item.description = progressText(progress);
  item.tooltip = `${job.head.modelName}\n${progressText(progress)}`;
  const paused = progress.state === 'paused';
  item.iconPath = new vscode.ThemeIcon(paused ? 'debug-pause' : 'sync~spin');
  item.contextValue = paused ? 'modelBench.job.paused' : 'modelBench.job.running';
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
  const parts = [
    itemsText(counts.indexed),
    ...(counts.failed > 0 ? [vscode.l10n.t('{0} failed', counts.failed)] : []),
    ...(counts.unknown > 0 ? [vscode.l10n.t('{0} unknown', counts.unknown)] : []),
    new Date(lastAt).toLocaleString(vscode.env.language, { dateStyle: 'short', timeStyle: 'short' }),
  ];
  item.description = parts.join(', ');
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
    ? vscode.l10n.t('file is gone')
    : changed
      ? vscode.l10n.t('changed since it was indexed')
      : entry.outcome === 'failed'
        ? (entry.reason ?? vscode.l10n.t('failed'))
        : entry.outcome === 'unknown'
          ? vscode.l10n.t('unknown whether it was indexed')
          : '';
  item.iconPath = new vscode.ThemeIcon(iconOf(entry, changed, missing));
  item.tooltip = [
    entry.imageId,
    new Date(entry.at).toLocaleString(vscode.env.language),
    ...(entry.reason === undefined ? [] : [entry.reason]),
  ].join('\n');
  item.contextValue = `modelBench.item.${entry.outcome}`;
  if (!missing) item.command = { command: 'vscode.open', title: vscode.l10n.t('Open'), arguments: [uri] };
  return item;
}

function iconOf({ outcome }: LedgerItem, changed: boolean, missing: boolean): string {
  if (outcome === 'failed') return 'error';
  if (outcome === 'unknown') return 'question';
  if (missing) return 'circle-slash';
  return changed ? 'diff-modified' : 'file-media';
}

function itemsText(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 item')
    : vscode.l10n.t('{0} items', count.toLocaleString(vscode.env.language));
}
