import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Catalog } from '../../connection/catalog';
import type { Connection } from '../../connection/connection';
import type { EnvironmentCatalog } from '../../connection/environmentCatalog';
import type { Dataset } from '../../domain/dataset';
import type { DatasetSummary } from '../../store/datasets';
import type { Store } from '../../store/store';
import { showQuickPick } from '../../vscode/messages/inputs';
import { showInformationMessage } from '../../vscode/messages/notifications';
import { datasetCounts } from '../datasetText';

interface Parts {
  readonly catalog: Catalog;
  readonly connection: Connection;
  store(): Promise<Store>;
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
  { models }: Pick<EnvironmentCatalog, 'models'>,
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
  return (await showQuickPick(items, { title, matchOnDescription: true }))?.chosen;
}

/** The datasets of a question, and the message when there are none. */
export interface DatasetFilter {
  readonly fits: (dataset: DatasetSummary) => boolean;
  readonly none: string;
}

/** Asks which dataset of the active environment, unless it has one; shows a message where it has none. */
export async function chooseIndexedDataset(
  { catalog, connection, store }: Parts,
  filter?: DatasetFilter,
): Promise<Dataset | undefined> {
  const { active } = catalog;
  const all = (await store()).datasets.summaries(connection.active?.baseUrl ?? '');
  const datasets = filter ? all.filter(filter.fits) : all;
  if (filter && all.length > 0 && datasets.length === 0) {
    void showInformationMessage(filter.none);
    return undefined;
  }
  if (datasets.length === 0) {
    void showInformationMessage(
      l10n.t('Nothing was indexed into this service yet. Index files first, or add a scope by name.'),
    );
    return undefined;
  }
  if (datasets.length === 1) return datasets[0];
  datasets.sort((a, b) => b.lastAt - a.lastAt);
  const chosen = await chooseDataset(active, datasets, l10n.t('Which scope and model?'));
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
