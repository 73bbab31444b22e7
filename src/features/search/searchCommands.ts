import * as vscode from 'vscode';
import type { ExplorerArgs, ScopesRow, ScopeTarget } from '../../contributions';
import type { Dataset } from '../../domain/dataset';
import { chosenUris } from '../../platform/fileIntake/explorerFiles';
import { activeFile } from '../../platform/fileIntake/openFiles';
import type { Services } from '../../services';
import { chooseSearchedDataset } from './chooseSearchedDataset';
import type { SearchPanels } from './searchPanels';

/** Searches with the chosen file, or with the one that is open. */
export async function findSimilar(
  services: Services,
  panels: SearchPanels,
  args: ExplorerArgs,
): Promise<void> {
  const uri = chosenUris(args)[0] ?? activeFile();
  if (!uri) throw new Error(vscode.l10n.t('Choose a file in the Explorer first, or open one.'));
  const dataset = await chooseSearchedDataset(services, { file: uri });
  if (dataset) await panels.search(dataset, uri);
}

/** Opens the search panel of a dataset: from a row of the tree, from a script, or asked for. */
export async function searchScope(
  services: Services,
  panels: SearchPanels,
  target: ScopeTarget | ScopesRow | undefined,
): Promise<void> {
  const dataset = await datasetOf(services, target);
  if (dataset) await panels.open(dataset);
}

async function datasetOf(
  services: Services,
  target: ScopeTarget | ScopesRow | undefined,
): Promise<Dataset | undefined> {
  const { baseUrl } = await services.connection.client();
  if (target && 'model' in target) return { baseUrl, model: target.model, scope: target.scope };
  if (target?.dataset) return target.dataset;
  return chooseSearchedDataset(services, target?.scope === undefined ? {} : { scope: target.scope });
}
