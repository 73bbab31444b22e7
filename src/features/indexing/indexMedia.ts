import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ExplorerArgs, IndexTarget } from '../../contributions';
import { type Dataset, datasetKey } from '../../domain/dataset';
import type { Plan } from '../../indexing/plan';
import { requiredMode, type VectorMode } from '../../indexing/vectorMode';
import { chosenUris } from '../../platform/fileIntake/openFiles';
import { pickFiles } from '../../platform/fileIntake/pickFiles';
import { filenameOf } from '../../platform/localFile';
import { lastDataset, rememberDataset } from '../../platform/pickers/chooseDataset';
import { chooseScope } from '../../platform/pickers/chooseScope';
import { chooseVectorModel } from '../../platform/pickers/chooseVectorModel';
import type { Services } from '../../services';
import type { Datasets } from '../../store/datasets';
import { fileFacts } from '../../vscode/fileFacts';
import { isCancelled } from '../../vscode/showError';
import { withSlowProgress } from '../../vscode/slowProgress';
import { confirmAndBegin } from './confirmJob';
import { findFiles } from './files';
import { rememberFolders } from './indexedFolders';
import { type FoundPlan, isAllExcluded, wantsExcluded } from './planQuestion';

/** Index Image with Model…: asks for model and scope, compares the files, asks once, and starts the job. */
export async function indexFiles(services: Services, args: ExplorerArgs, into?: IndexTarget): Promise<void> {
  const environment = await services.connection.connected();
  const { baseUrl } = environment;
  const catalog = services.catalog.of(environment);
  const last = lastDataset(services.context.globalState, baseUrl);
  const known = into?.model ?? (into?.scope && (await onlyModelIn(services, baseUrl, into.scope)));
  const chosen = chosenUris(args);
  const model = !known
    ? await chooseVectorModel(catalog, 'index', last?.model, chosen)
    : requiredMode(await catalog.contract(known), 'index');
  if (!model) return;
  const scope =
    into?.scope ??
    (await askScope(services, baseUrl, model.contract.slug, last?.scope, await folderName(chosen)));
  if (scope === undefined) return;
  const dataset = { baseUrl, model: model.contract.slug, scope };
  const files = chosen.length > 0 ? chosen : await askFiles(model);
  if (files.length === 0) return;
  await rememberDataset(services.context.globalState, dataset);
  let plan = await planned(services, dataset, model, files);
  if (plan && isAllExcluded(plan)) {
    if (!(await wantsExcluded(model))) return;
    plan = await planned(services, dataset, model, files, { exclude: false });
  }
  if (!plan) return;
  await rememberFolders(services.context.globalState, dataset, files);
  await confirmAndBegin(services, environment, dataset, model, plan);
}

async function onlyModelIn(services: Services, baseUrl: string, scope: string): Promise<string | undefined> {
  const datasets = (await services.store()).datasets.summaries(baseUrl).filter((one) => one.scope === scope);
  return datasets.length === 1 ? datasets[0]?.model : undefined;
}

/** The name of the one folder that was chosen; undefined: files were, or several folders. */
async function folderName(chosen: readonly vscode.Uri[]): Promise<string | undefined> {
  const [only] = chosen;
  if (!only || chosen.length > 1) return undefined;
  return (await fileFacts(only).catch(() => undefined))?.isFolder ? filenameOf(only) : undefined;
}

async function askScope(
  services: Services,
  baseUrl: string,
  model: string,
  last: string | undefined,
  folder: string | undefined,
) {
  const known = (await services.store()).datasets.summaries(baseUrl);
  // Scopes of this model first: the same name may hold another model's data beside it.
  const scopes = [...known].sort(
    (a, b) => Number(b.model === model) - Number(a.model === model) || b.lastAt - a.lastAt,
  );
  return chooseScope({
    title: l10n.t('Into which scope?'),
    known: [...new Set(scopes.map(({ scope }) => scope))],
    last,
    folder,
  });
}

function askFiles({ shape }: VectorMode): Promise<readonly vscode.Uri[]> {
  return pickFiles({
    openLabel: l10n.t('Index'),
    title: shape.accept.includes('image/*')
      ? l10n.t('Images, or folders of images, to index')
      : l10n.t('Files or folders to index'),
    many: true,
    folders: true,
  });
}

/**
 * Finds and compares the files. Undefined: cancelled.
 * @param options `exclude: false` includes those that .gitignore excludes; ids of the wanted files begin with `idPrefix`
 */
export async function planned(
  services: Services,
  dataset: Dataset,
  { shape }: VectorMode,
  chosen: readonly vscode.Uri[],
  { exclude = true, idPrefix = '' }: { readonly exclude?: boolean; readonly idPrefix?: string } = {},
): Promise<FoundPlan | undefined> {
  const [{ planIndexing }, { diskPlaces }] = await Promise.all([
    import('../../indexing/plan'),
    import('../../indexing/filePlaces'),
  ]);
  const { datasets } = await services.store();
  try {
    return await withSlowProgress(l10n.t('Comparing files…'), async (signal) => {
      const { files, unreadable, excluded, otherType, missing, links } = await findFiles(chosen, shape, {
        exclude,
        signal,
      });
      const plan = await planIndexing(dataset, files, unreadable, datasets, {
        places: diskPlaces(async (uri) => (await fileFacts(vscode.Uri.parse(uri, true))) !== undefined),
        idPrefix,
        signal,
      });
      const gone = withoutMoved(missing, plan);
      const kept = gone.filter((uri) => mayBeKept(datasets, dataset, uri));
      return { ...plan, excluded, otherType, missing: gone, kept, links };
    });
  } catch (error) {
    if (isCancelled(error)) return undefined;
    throw error;
  }
}

/** Whether the service has, or may have, a file of the dataset. */
function mayBeKept(datasets: Datasets, dataset: Dataset, uri: string): boolean {
  const key = datasetKey(dataset);
  return datasets.ofFile(uri).some((item) => item.outcome !== 'failed' && datasetKey(item) === key);
}

/** A file that was found at another place, or has another in its place, is not one that the service keeps for nothing. */
function withoutMoved(missing: readonly string[], plan: Plan): readonly string[] {
  const { added, changed, unchanged, failedBefore, unknown } = plan;
  const planned = [added, changed, unchanged, failedBefore, unknown].flat();
  const before = new Set(planned.map(({ replaces }) => replaces));
  return missing.filter((uri) => !before.has(uri));
}
