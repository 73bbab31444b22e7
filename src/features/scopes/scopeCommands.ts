import * as vscode from 'vscode';
import type { Dataset } from '../../domain/dataset';
import type { LedgerItem } from '../../indexing/ledger';
import { chooseModel, chooseScope, modeOf } from './chooseDataset';
import { confirmAndBegin, type IndexingParts, planned } from './indexMedia';
import { followJob } from './jobProgress';
import type { ScopesNode } from './nodes';

export function pauseJob(node: ScopesNode): void {
  if (node.kind === 'job') node.job.pause();
}

export async function resumeJob(parts: IndexingParts, node: ScopesNode): Promise<void> {
  if (node.kind !== 'job') return;
  (await parts.services.guard()).approve(node.job.head.baseUrl);
  node.job.resume();
  void followJob(parts, node.job);
}

export function cancelJob(node: ScopesNode): void {
  if (node.kind === 'job') node.job.cancel();
}

/** Brings a dataset up to date: its files that changed, and those that failed or are unknown as the question offers. */
export async function indexChanges(parts: IndexingParts, node: ScopesNode): Promise<void> {
  const dataset = datasetOf(node);
  if (!dataset) return;
  const ledger = await parts.services.ledger();
  const below = node.kind === 'folder' ? `${node.path}/` : '';
  const items = ledger.items(dataset).filter(({ imageId }) => imageId.startsWith(below));
  await indexAgain(parts, dataset, items);
}

/** Plans the files of these items anew. */
async function indexAgain(
  parts: IndexingParts,
  dataset: Dataset,
  items: readonly LedgerItem[],
): Promise<void> {
  const model = await modeOf(parts.services, dataset, 'index');
  const uris = [...new Set(items.map(({ file }) => file))].map((file) => vscode.Uri.parse(file, true));
  const found = await planned(parts.services, dataset, model, uris);
  if (found) await confirmAndBegin(parts, dataset, model, found);
}

export async function retry(
  parts: IndexingParts,
  node: ScopesNode,
  outcome: 'failed' | 'unknown',
): Promise<void> {
  const dataset = datasetOf(node);
  if (!dataset) return;
  const ledger = await parts.services.ledger();
  const items = ledger.items(dataset).filter((item) => item.outcome === outcome);
  if (items.length > 0) return indexAgain(parts, dataset, items);
  void vscode.window.showInformationMessage(vscode.l10n.t('No file of {0} has failed.', dataset.scope));
}

/** What was sent without a response: the user knows better than we whether to pay again. */
export async function settleUnknown(parts: IndexingParts, node: ScopesNode): Promise<void> {
  const dataset = datasetOf(node);
  if (!dataset) return;
  const ledger = await parts.services.ledger();
  const unknown = ledger.items(dataset).filter((item) => item.outcome === 'unknown');
  if (unknown.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No file of {0} is unknown.', dataset.scope));
    return;
  }
  const again = vscode.l10n.t('Index Again');
  const done = vscode.l10n.t('Treat as Done');
  const response = await vscode.window.showWarningMessage(
    unknown.length === 1
      ? vscode.l10n.t('1 file was sent and no response came. Index it again?')
      : vscode.l10n.t('{0} files were sent and no response came. Index them again?', unknown.length),
    {
      modal: true,
      detail: vscode.l10n.t(
        'The service may have indexed them, and charged for it. Indexing them again may be paid twice, and replaces them by the same ids. A search that finds one of them proves that it is there.',
      ),
    },
    again,
    done,
  );
  if (response === again) await retry(parts, node, 'unknown');
  if (response === done) {
    const at = Date.now();
    await ledger.record(unknown.map(({ reason: _reason, ...item }) => ({ ...item, outcome: 'indexed', at })));
  }
}

/** A scope that was filled elsewhere becomes searchable here. */
export async function addScope({ services, last }: IndexingParts): Promise<void> {
  const { baseUrl } = await services.connection.client();
  const model = await chooseModel(services, 'search', last.get(baseUrl)?.model);
  if (!model) return;
  const scope = await chooseScope('search', [], undefined);
  if (scope === undefined) return;
  await (await services.ledger()).add({ baseUrl, model: model.contract.slug, scope });
}

export async function forgetScope({ services }: IndexingParts, node: ScopesNode): Promise<void> {
  const ledger = await services.ledger();
  const baseUrl = services.connection.active?.baseUrl ?? '';
  const dataset = datasetOf(node);
  const datasets = dataset
    ? [dataset]
    : node.kind === 'scope'
      ? ledger.datasets(baseUrl).filter(({ scope }) => scope === node.scope)
      : [];
  const [first] = datasets;
  if (!first) return;
  const forget = vscode.l10n.t('Forget');
  const model = services.catalog.models?.find(({ slug }) => slug === first.model)?.name ?? first.model;
  const response = await vscode.window.showWarningMessage(
    dataset
      ? vscode.l10n.t('Forget here what {0} has in the scope {1}?', model, first.scope)
      : vscode.l10n.t('Forget the scope {0} here?', first.scope),
    {
      modal: true,
      detail: vscode.l10n.t(
        'The service keeps its data, and goes on finding it. Only the list of what was indexed from this machine is forgotten: indexing the files again will send and charge for all of them.',
      ),
    },
    forget,
  );
  if (response !== forget) return;
  for (const each of datasets) await ledger.forget(each);
}

export async function reveal(node: ScopesNode): Promise<void> {
  if (node.kind === 'item')
    await vscode.commands.executeCommand('revealInExplorer', vscode.Uri.parse(node.item.file));
}

export async function copyId(node: ScopesNode): Promise<void> {
  if (node.kind === 'item') await vscode.env.clipboard.writeText(node.item.imageId);
}

function datasetOf(node: ScopesNode): Dataset | undefined {
  if (node.kind === 'dataset' || node.kind === 'folder') return node.dataset;
  return node.kind === 'item' ? node.item : undefined;
}
