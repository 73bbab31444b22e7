import * as vscode from 'vscode';
import type { ExplorerArgs, ScopesRow, ScopeTarget } from '../../contributions';
import { type Dataset, datasetKey } from '../../domain/dataset';
import type { DatasetSummary, Ledger } from '../../indexing/ledger';
import { isOfOtherKind, vectorMode } from '../../indexing/vectorMode';
import { activeFile, chosenUris } from '../../platform/fileIntake/openFiles';
import { contentTypeOf, filenameOf } from '../../platform/localFile';
import { chooseDataset, lastDataset } from '../../platform/pickers/chooseDataset';
import { chooseVectorModel } from '../../platform/pickers/chooseModel';
import { chooseScope } from '../../platform/pickers/chooseScope';
import type { Services } from '../../services';
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
  const { baseUrl } = await services.connection.client();
  const dataset =
    target && 'model' in target
      ? { baseUrl, model: target.model, scope: target.scope }
      : (target?.dataset ?? (await chooseSearchedDataset(services, { scope: target?.scope })));
  if (dataset) await panels.open(dataset);
}

interface Wanted {
  /** The file to search with. */
  readonly file?: vscode.Uri;
  /** Only datasets of this scope. */
  readonly scope?: string | undefined;
}

/**
 * Where to search. The only dataset there is; else one of those known, first the file's own, then the last used;
 * or another one, by model and scope.
 */
async function chooseSearchedDataset(services: Services, wanted: Wanted): Promise<Dataset | undefined> {
  const { baseUrl } = await services.connection.client();
  const ledger = await services.ledger();
  const known = await datasetsFor(services, ledger.datasets(baseUrl), wanted);
  const [only] = known;
  if (only && known.length === 1) return only;
  const last = lastDataset(services.context.globalState, baseUrl);
  const title = vscode.l10n.t('Search in which scope?');
  if (known.length > 0) {
    const sorted = likelyFirst(known, ledger, wanted.file, last);
    const other = vscode.l10n.t('Another scope…');
    const chosen = await chooseDataset(services.catalog, sorted, title, other);
    if (chosen !== 'other') return chosen;
  }
  const model = await chooseVectorModel(services.catalog, 'search', last?.model);
  if (!model) return undefined;
  const scope = await chooseScope({ title, last: last?.scope });
  return scope === undefined ? undefined : { baseUrl, model: model.contract.slug, scope };
}

/** Without those whose model is known to search with other media than the file. */
async function datasetsFor(
  { catalog }: Services,
  datasets: readonly DatasetSummary[],
  { file, scope }: Wanted,
): Promise<DatasetSummary[]> {
  const found: DatasetSummary[] = [];
  for (const dataset of datasets) {
    if (scope !== undefined && dataset.scope !== scope) continue;
    const contract = file && (await catalog.cachedContract(dataset.model));
    const mode = contract && vectorMode(contract, 'search');
    if (!mode || !isOfOtherKind(contentTypeOf(filenameOf(file)), mode.shape)) found.push(dataset);
  }
  return found;
}

function likelyFirst(
  datasets: readonly DatasetSummary[],
  ledger: Ledger,
  file: vscode.Uri | undefined,
  last: Dataset | undefined,
): readonly DatasetSummary[] {
  const holding = new Set(file ? ledger.ofFile(file.toString()).map(datasetKey) : []);
  const lastKey = last && datasetKey(last);
  const rank = (one: Dataset) =>
    (holding.has(datasetKey(one)) ? 2 : 0) + (datasetKey(one) === lastKey ? 1 : 0);
  return [...datasets].sort((a, b) => rank(b) - rank(a) || b.lastAt - a.lastAt);
}
