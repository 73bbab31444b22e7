import { basename, posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Dataset } from '../../domain/dataset';
import { safeFileName } from '../../domain/fileName';
import { isAccepted, isLocalRef } from '../../domain/media';
import { fileFieldOf } from '../../experiments/file/fileField';
import { commonFolder, inputGlobs } from '../../experiments/file/inputGlobs';
import { newText } from '../../experiments/file/newExperiment';
import { EXPERIMENT_SUFFIX } from '../../experiments/file/suffix';
import { qrelsPlace } from '../../experiments/results/hitJudgements';
import { requiredMode } from '../../indexing/vectorMode';
import { contentTypeOf } from '../../intake/contentType';
import { chosenFiles } from '../../platform/fileIntake/chosenFiles';
import { isFile } from '../../platform/hitFiles';
import { chooseIndexedDataset } from '../../platform/pickers/chooseDataset';
import type { Services } from '../../services';
import type { Store } from '../../store/store';
import { freePlace } from '../../vscode/freePlace';
import type { ExperimentRuns } from './experimentRuns';
import { openExperiment } from './experimentWithModel';
import { classFolders } from './inputExperiment';
import { searchMeasures, searchRun } from './searchExperiment';

/** Queries that are asked for first: each is paid. */
const SAMPLE = 100;
/** Files of a scope that are listed by name, where a folder has others beside them. */
const MOST_LISTED = 2_000;

/** Measure This Search…: an experiment with a sample of the scope's own files as queries. Runs nothing. */
export async function measureSearch(
  services: Services,
  runs: ExperimentRuns,
  chosen: Dataset | undefined,
): Promise<void> {
  const search = await ownFilesSearch(services, chosen);
  if (!search) return;
  const { folder, name, isActive, textAt } = search;
  const place = await freePlace(folder, name, EXPERIMENT_SUFFIX);
  await openExperiment(runs, place, textAt(place, !isActive));
}

/**
 * Searches with a sample of a scope's own files, as an experiment in their folder. `isActive`: it need not name its environment.
 * @param chosen missing: it is asked for. Undefined: cancelled
 */
export async function ownFilesSearch(services: Services, chosen: Dataset | undefined) {
  const dataset = chosen ?? (await chooseIndexedDataset(services));
  if (!dataset) return undefined;
  const contract = await services.catalog.of(services.connection.at(dataset.baseUrl)).contract(dataset.model);
  const search = requiredMode(contract, 'search');
  const indexed = await indexedFiles(dataset, await services.store());
  const types = [...new Set(indexed.map(contentTypeOf))];
  const field = fileFieldOf(search.mode, types);
  if (!field)
    throw new Error(
      l10n.t(
        'No file of {0} is known on this computer. Choose “Experiment with Model…” on the folder that has them.',
        dataset.scope,
      ),
    );
  const folder = vscode.Uri.file(commonFolder(indexed.map((path) => posix.dirname(path))));
  const inside = await chosenFiles([folder]);
  const taken = new Set(inside.files.filter((path) => isAccepted(contentTypeOf(path), field.accept, path)));
  const isWhole = taken.size === indexed.length && indexed.every((path) => taken.has(path));
  const inputs = isWhole ? inside : { single: indexed.slice(0, MOST_LISTED), folders: [], files: indexed };
  const files = inputGlobs(inputs, field.accept, folder.path);
  const own = { contract: search.contract, field, search: { scope: dataset.scope } };
  const run = await searchRun(own, [folder]);
  const environment = services.connection.at(dataset.baseUrl).name;
  const textAt = (place: vscode.Uri, isNamed: boolean) =>
    newText({
      ...(isNamed && { environment }),
      run: run!,
      over: { files: files.length === 1 ? files[0]! : files, map: field.map },
      ...(indexed.length > SAMPLE && { sample: { inputs: SAMPLE } }),
      ...searchMeasures(classFolders([folder.path], indexed), basename(qrelsPlace(place.fsPath))),
    });
  const isActive = services.connection.active?.baseUrl === dataset.baseUrl;
  return { folder, name: safeFileName(dataset.scope), environment, isActive, run, textAt };
}

/** The files of a scope that are known on this computer, in the workspace where some are, as paths with "/". */
async function indexedFiles(dataset: Dataset, { datasets }: Store): Promise<string[]> {
  const all: vscode.Uri[] = [];
  for await (const page of datasets.items(dataset))
    for (const { file, outcome } of page)
      if (outcome === 'indexed' && isLocalRef(file)) all.push(vscode.Uri.parse(file, true));
  const isThere = await Promise.all(all.map(isFile));
  const present = all.filter((_, at) => isThere[at]);
  const own = present.filter((uri) => vscode.workspace.getWorkspaceFolder(uri));
  return (own.length > 0 ? own : present).map(({ path }) => path);
}
