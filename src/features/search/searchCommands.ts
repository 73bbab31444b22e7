import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { EnvironmentCatalog } from '../../connection/environmentCatalog';
import type { CommandArguments, ExplorerArgs, HitTarget } from '../../contributions';
import { type Dataset, datasetKey } from '../../domain/dataset';
import { isLocalRef } from '../../domain/media';
import { isOfOtherKind, vectorMode } from '../../indexing/vectorMode';
import { contentTypeOf } from '../../intake/contentType';
import { allowedDrops } from '../../platform/fileIntake/droppedFiles';
import { chosenUris } from '../../platform/fileIntake/openFiles';
import { activeFile } from '../../platform/fileIntake/openTabs';
import { filenameOf } from '../../platform/localFile';
import { chooseDataset, lastDataset } from '../../platform/pickers/chooseDataset';
import { chooseScope } from '../../platform/pickers/chooseScope';
import { chooseVectorModel } from '../../platform/pickers/chooseVectorModel';
import type { Services } from '../../services';
import type { DatasetSummary, Datasets } from '../../store/datasets';
import { isConfirmed } from '../../vscode/dialogs';
import type { SearchPanels } from './searchPanels';

/**
 * The user's file of a tile whose menu was opened: of the active search, else of a run's result, whose page names it.
 * Only files are opened, and none is sent without a question.
 */
export function tileFile({ hit = '', file }: HitTarget, { active }: SearchPanels): vscode.Uri | undefined {
  if (active) return active.fileOf(hit);
  return typeof file === 'string' && isLocalRef(file) ? vscode.Uri.parse(file, true) : undefined;
}

/** Searches with the chosen file, or with the one that is open. */
export async function findSimilar(
  services: Services,
  panels: SearchPanels,
  args: ExplorerArgs,
): Promise<void> {
  const uri = chosenUris(args)[0] ?? activeFile();
  if (!uri) throw new Error(l10n.t('Choose a file in the Explorer first, or open one.'));
  const [file] = await allowedDrops([uri.toString()]);
  if (!file) return;
  const dataset = await chooseSearchedDataset(services, { file });
  if (!dataset || (isCalledByOthers(args) && !(await wantsSearch(dataset, file)))) return;
  await panels.search(dataset, file);
}

/** A menu passes the selection beside the clicked file; a keybinding, a task or an extension need not. */
function isCalledByOthers([clicked, selected]: ExplorerArgs): boolean {
  return clicked !== undefined && selected === undefined;
}

function wantsSearch({ scope }: Dataset, file: vscode.Uri): Promise<boolean> {
  return isConfirmed(
    l10n.t('Search {0} with {1}?', scope, filenameOf(file)),
    l10n.t('The file is sent to the service, which may charge for the search.'),
    l10n.t('Search'),
  );
}

/** Opens the search panel of a dataset: from a row of the tree, from a script, or asked for. */
export async function searchScope(
  services: Services,
  panels: SearchPanels,
  target: CommandArguments['modelBench.searchScope'][0],
): Promise<void> {
  const dataset = await searchedDataset(services, target);
  if (dataset) await panels.open(dataset);
}

async function searchedDataset(
  services: Services,
  target: CommandArguments['modelBench.searchScope'][0],
): Promise<Dataset | undefined> {
  if (!target || !('model' in target))
    return target?.dataset ?? chooseSearchedDataset(services, { scope: target?.scope });
  const { baseUrl } = await services.connection.connected();
  const model = typeof target.model === 'string' ? target.model : target.model.slug;
  const scope =
    ('scope' in target ? target.scope : undefined) ?? (await askedScope(services, baseUrl, model));
  return scope === undefined ? undefined : { baseUrl, model, scope };
}

/** One of the scopes that hold data of the model, or another one. */
async function askedScope(services: Services, baseUrl: string, model: string): Promise<string | undefined> {
  const { datasets } = await services.store();
  const known = datasets.summaries(baseUrl).filter((one) => one.model === model);
  return chooseScope({
    title: l10n.t('Search in which scope?'),
    known: known.sort((a, b) => b.lastAt - a.lastAt).map(({ scope }) => scope),
  });
}

interface Wanted {
  readonly file?: vscode.Uri;
  /** Only datasets of this scope. */
  readonly scope?: string | undefined;
}

/**
 * Where to search. The only dataset there is; else one of those known, first the file's own, then the last used;
 * or another one, by model and scope.
 */
async function chooseSearchedDataset(services: Services, wanted: Wanted): Promise<Dataset | undefined> {
  const environment = await services.connection.connected();
  const { baseUrl } = environment;
  const catalog = services.catalog.of(environment);
  const { datasets } = await services.store();
  const known = await datasetsFor(catalog, datasets.summaries(baseUrl), wanted);
  const [only] = known;
  if (only && known.length === 1) return only;
  const last = lastDataset(services.context.globalState, baseUrl);
  const title = l10n.t('Search in which scope?');
  if (known.length > 0) {
    const sorted = likelyFirst(known, datasets, wanted.file, last);
    const other = l10n.t('Another scope…');
    const chosen = await chooseDataset(catalog, sorted, title, other);
    if (chosen !== 'other') return chosen;
  }
  const files = wanted.file && [wanted.file];
  const model = await chooseVectorModel(catalog, 'search', last?.model, files);
  if (!model) return undefined;
  const scopes = new Set(datasets.summaries(baseUrl).map((one) => one.scope));
  const scope = await chooseScope({ title, known: [...scopes], last: last?.scope });
  return scope === undefined ? undefined : { baseUrl, model: model.contract.slug, scope };
}

/** Without models that are known to search with other media than the file. */
async function datasetsFor(
  catalog: EnvironmentCatalog,
  datasets: readonly DatasetSummary[],
  { file, scope }: Wanted,
): Promise<DatasetSummary[]> {
  const summaries: DatasetSummary[] = [];
  for (const dataset of datasets) {
    if (scope !== undefined && dataset.scope !== scope) continue;
    const contract = file && (await catalog.cachedContract(dataset.model));
    const mode = contract && vectorMode(contract, 'search');
    const filename = file && filenameOf(file);
    const facts = filename !== undefined && { filename, contentType: contentTypeOf(filename) };
    if (!mode || !facts || !isOfOtherKind(facts, mode.shape)) summaries.push(dataset);
  }
  return summaries;
}

function likelyFirst(
  known: readonly DatasetSummary[],
  datasets: Datasets,
  file: vscode.Uri | undefined,
  last: Dataset | undefined,
): readonly DatasetSummary[] {
  const holding = new Set(file ? datasets.ofFile(file.toString()).map(datasetKey) : []);
  const lastKey = last && datasetKey(last);
  const rank = (one: Dataset) =>
    (holding.has(datasetKey(one)) ? 2 : 0) + (datasetKey(one) === lastKey ? 1 : 0);
  return [...known].sort((a, b) => rank(b) - rank(a) || b.lastAt - a.lastAt);
}
