import * as vscode from 'vscode';
import type { Dataset } from '../../domain/dataset';
import type { LedgerItem } from '../../indexing/ledgerItem';
import { requiredMode } from '../../indexing/vectorMode';
import type { Services } from '../../services';
import { confirmAndBegin, planned } from './indexMedia';

/** Updates a dataset: its changed files, and those that failed or are unconfirmed, as the question offers. */
export async function indexChanges(services: Services, dataset: Dataset, folder?: string): Promise<void> {
  const below = folder === undefined ? '' : `${folder}/`;
  const items = (await services.ledger()).items(dataset).filter(({ imageId }) => imageId.startsWith(below));
  await indexAgain(services, dataset, items);
}

export async function retryFailed(services: Services, dataset: Dataset): Promise<void> {
  const items = (await services.ledger()).items(dataset);
  const failed = items.filter(({ outcome }) => outcome === 'failed');
  if (failed.length > 0) return indexAgain(services, dataset, failed);
  void vscode.window.showInformationMessage(vscode.l10n.t('No file of {0} has failed.', dataset.scope));
}

/** Files that were sent without a response: the user decides whether to send them again. */
export async function resolveUnconfirmed(services: Services, dataset: Dataset): Promise<void> {
  const ledger = await services.ledger();
  const unconfirmed = ledger.items(dataset).filter((item) => item.outcome === 'unknown');
  if (unconfirmed.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No file of {0} is unconfirmed.', dataset.scope));
    return;
  }
  const again = vscode.l10n.t('Index Again');
  const done = vscode.l10n.t('Mark as Indexed');
  const question =
    unconfirmed.length === 1
      ? vscode.l10n.t('1 file was sent, but no response was received. Index it again?')
      : vscode.l10n.t(
          '{0} files were sent, but no response was received. Index them again?',
          unconfirmed.length,
        );
  const detail = vscode.l10n.t(
    'The service may have indexed and charged for them. If you index them again, you may be charged twice; the same IDs are replaced. A search that finds one of these files proves that it was indexed.',
  );
  const chosen = await vscode.window.showWarningMessage(question, { modal: true, detail }, again, done);
  if (chosen === again) await indexAgain(services, dataset, unconfirmed);
  if (chosen === done) {
    const at = Date.now();
    await ledger.record(
      unconfirmed.map(({ reason: _reason, ...item }) => ({ ...item, outcome: 'indexed', at })),
    );
  }
}

/** Plans the files of these items again. */
async function indexAgain(services: Services, dataset: Dataset, items: readonly LedgerItem[]): Promise<void> {
  const model = requiredMode(await services.catalog.contract(dataset.model), 'index');
  const uris = [...new Set(items.map(({ file }) => file))].map((file) => vscode.Uri.parse(file, true));
  const found = await planned(services, dataset, model, uris);
  if (found) await confirmAndBegin(services, dataset, model, found);
}
