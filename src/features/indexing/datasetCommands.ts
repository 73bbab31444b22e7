import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Dataset } from '../../domain/dataset';
import { requiredMode } from '../../indexing/vectorMode';
import type { Services } from '../../services';
import type { IndexedFile } from '../../store/items';
import { fileFacts } from '../../vscode/fileFacts';
import { showInformationMessage, showWarningMessage } from '../../vscode/messages/notifications';
import { confirmAndBegin } from './confirmJob';
import { foldersToLookIn } from './indexedFolders';
import { planned } from './indexMedia';

/**
 * Updates a dataset: its changed files, those added to its folders since, and those that failed or are unconfirmed, as
 * the question offers. Deleted files are named there: the service still has them.
 */
export async function indexChanges(services: Services, dataset: Dataset, folder?: string): Promise<void> {
  const below = folder === undefined ? '' : `${folder}/`;
  const { datasets } = await services.store();
  const items: Pick<IndexedFile, 'file'>[] = [];
  for await (const page of datasets.knownFiles(dataset))
    items.push(...page.filter(({ imageId }) => imageId.startsWith(below)));
  const files = items.map(({ file }) => file);
  const folders = foldersToLookIn(services.context.globalState, dataset, files);
  await indexAgain(services, dataset, items, folders, below);
}

export async function retryFailed(services: Services, dataset: Dataset): Promise<void> {
  const failed = await (await services.store()).datasets.itemsWith(dataset, 'failed');
  if (failed.length > 0) return indexAgain(services, dataset, failed);
  void showInformationMessage(l10n.t('No file of {0} has failed.', dataset.scope));
}

/** Files that were sent without a response: the user decides whether to send them again. */
export async function resolveUnconfirmed(services: Services, dataset: Dataset): Promise<void> {
  const { datasets } = await services.store();
  const unconfirmed = await datasets.itemsWith(dataset, 'unknown');
  if (unconfirmed.length === 0) {
    void showInformationMessage(l10n.t('No file of {0} is unconfirmed.', dataset.scope));
    return;
  }
  const again = l10n.t('Index Again');
  const done = l10n.t('Mark as Indexed');
  const question =
    unconfirmed.length === 1
      ? l10n.t('1 file was sent, but no response was received. Index it again?')
      : l10n.t('{0} files were sent, but no response was received. Index them again?', unconfirmed.length);
  const detail = l10n.t(
    'The service may have indexed and charged for them. If you index them again, you may be charged twice; the same IDs are replaced. A search that finds one of these files proves that it was indexed.',
  );
  const chosen = await showWarningMessage(question, { modal: true, detail }, again, done);
  if (chosen === again) await indexAgain(services, dataset, unconfirmed);
  if (chosen === done) {
    const at = Date.now();
    await datasets.record(
      unconfirmed.map(({ reason: _reason, ...item }) => ({ ...item, outcome: 'indexed', at })),
    );
  }
}

/** A deleted folder adds no files, and is not a file that the service has. */
async function existing(folders: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
  const facts = await Promise.all(folders.map((folder) => fileFacts(folder).catch(() => undefined)));
  return folders.filter((_, at) => facts[at]?.isFolder);
}

/** Plans the files of these items again, and those in these folders. */
async function indexAgain(
  services: Services,
  dataset: Dataset,
  items: readonly Pick<IndexedFile, 'file'>[],
  folders: readonly vscode.Uri[] = [],
  idPrefix = '',
): Promise<void> {
  const environment = services.connection.at(dataset.baseUrl);
  const model = requiredMode(await services.catalog.of(environment).contract(dataset.model), 'index');
  const uris = [...new Set(items.map(({ file }) => file))].map((file) => vscode.Uri.parse(file, true));
  const plan = await planned(services, dataset, model, [...uris, ...(await existing(folders))], {
    idPrefix,
  });
  if (plan) await confirmAndBegin(services, environment, dataset, model, plan);
}
