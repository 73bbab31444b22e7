import * as vscode from 'vscode';
import { datasetItem } from './chooseDataset';
import type { IndexingParts } from './indexMedia';
import { progressText } from './jobText';
import type { ScopesNode } from './nodes';

type RowItem = vscode.QuickPickItem & { readonly row: ScopesNode };

/**
 * The job, or a model's data in a scope, that a command from the palette is for. The only job is meant without a
 * question; data is always named, for some commands forget it.
 */
export async function chooseRow(
  parts: IndexingParts,
  kind: 'job' | 'dataset',
): Promise<ScopesNode | undefined> {
  const items = kind === 'job' ? jobItems(parts) : await datasetItems(parts);
  const [first] = items;
  if (!first) {
    void vscode.window.showInformationMessage(
      kind === 'job'
        ? vscode.l10n.t('Nothing is being indexed in this window.')
        : vscode.l10n.t(
            'Nothing was indexed into this service yet. Index files first, or add a scope by name.',
          ),
    );
    return undefined;
  }
  if (kind === 'job' && items.length === 1) return first.row;
  const title = kind === 'job' ? vscode.l10n.t('Which job?') : vscode.l10n.t('Which scope and model?');
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.row;
}

function jobItems({ jobs }: IndexingParts): RowItem[] {
  return jobs.running.map((job) => ({
    label: job.head.scope,
    description: job.head.modelName,
    detail: progressText(job.progress),
    row: { kind: 'job', id: job.head.id, job },
  }));
}

async function datasetItems({ services }: IndexingParts): Promise<RowItem[]> {
  const ledger = await services.ledger();
  return [...ledger.datasets(services.connection.active?.baseUrl ?? '')]
    .sort((a, b) => b.lastAt - a.lastAt)
    .map((dataset) => ({
      ...datasetItem(services.catalog, dataset),
      row: { kind: 'dataset', id: dataset.scope, dataset },
    }));
}
