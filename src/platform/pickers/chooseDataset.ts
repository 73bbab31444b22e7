import * as vscode from 'vscode';
import type { Dataset } from '../../domain/dataset';
import type { DatasetSummary, Ledger } from '../../indexing/ledger';
import type { Catalog } from '../catalog';
import type { Connection } from '../connection';
import { datasetCounts } from '../datasetText';

interface Parts {
  readonly catalog: Catalog;
  readonly connection: Connection;
  ledger(): Promise<Ledger>;
}

interface DatasetItem extends vscode.QuickPickItem {
  readonly chosen: DatasetSummary | 'other';
}

/**
 * Asks for one of these datasets, in this order.
 * @param other label of a last row for a dataset that is not listed; missing: there is no such row
 * @returns undefined when cancelled
 */
export async function chooseDataset(
  { models }: Catalog,
  datasets: readonly DatasetSummary[],
  title: string,
  other?: string,
): Promise<DatasetSummary | 'other' | undefined> {
  const items = datasets.map(
    (dataset): DatasetItem => ({
      label: dataset.scope,
      description: models?.find(({ slug }) => slug === dataset.model)?.name ?? dataset.model,
      detail: datasetCounts(dataset).join(', '),
      chosen: dataset,
    }),
  );
  if (other !== undefined) items.push({ label: other, chosen: 'other' });
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.chosen;
}

/** Asks for a dataset of the active environment, the last written first; shows a message where there is none. */
export async function chooseIndexedDataset({
  catalog,
  connection,
  ledger,
}: Parts): Promise<Dataset | undefined> {
  const datasets = [...(await ledger()).datasets(connection.active?.baseUrl ?? '')];
  if (datasets.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Nothing was indexed into this service yet. Index files first, or add a scope by name.'),
    );
    return undefined;
  }
  datasets.sort((a, b) => b.lastAt - a.lastAt);
  const chosen = await chooseDataset(catalog, datasets, vscode.l10n.t('Which scope and model?'));
  return chosen === 'other' ? undefined : chosen;
}

/** The dataset that was used last in an environment. */
export function lastDataset(memory: vscode.Memento, baseUrl: string): Dataset | undefined {
  return memory.get<Dataset>(`scopes.last.${baseUrl}`);
}

export async function rememberDataset(
  memory: vscode.Memento,
  { baseUrl, model, scope }: Dataset,
): Promise<void> {
  await memory.update(`scopes.last.${baseUrl}`, { baseUrl, model, scope });
}
