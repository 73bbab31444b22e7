import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { EnvironmentCatalog } from '../../connection/environmentCatalog';
import { isAccepted } from '../../domain/media';
import { modelModality } from '../../domain/modality';
import { type ModelContract, type ModelSummary, modeOf } from '../../domain/model';
import { fileField, fileFieldOf } from '../../experiments/file/fileField';
import type { ExperimentFile } from '../../experiments/file/format';
import { inputGlobs } from '../../experiments/file/inputGlobs';
import { type RunObject, runOver, runWithout } from '../../experiments/file/newExperiment';
import { rowsMode } from '../../experiments/setup/columns';
import { metricsFor } from '../../experiments/setup/edits';
import { modelLikelihood } from '../../indexing/vectorMode';
import { contentTypeOf } from '../../intake/contentType';
import type { Table } from '../../intake/table';
import { chosenFiles } from '../../platform/fileIntake/chosenFiles';
import { chooseUsableModel, type ModelFit } from '../../platform/pickers/chooseModel';
import type { Services } from '../../services';
import { type FileModel, searchChoices, searchMeasures, searchRun } from './searchExperiment';

/** Models with a known contract to check for such inputs. */
const MOST_CONTRACTS = 300;

/** Models that search whose contracts are asked for. */
const MOST_SEARCHING = 10;

/** Texts alone, as a table. */
export const TEXTS: Pick<Table, 'columns' | 'rows'> = { columns: ['text'], rows: [] };

interface InputModelQuestion {
  readonly title?: string;
  /** The model has a field for a cell of it; those with required fields that its columns fill are first. Missing: any. */
  readonly table?: Pick<Table, 'columns' | 'rows'>;
  /** Slug of the model to list first. */
  readonly last?: string;
}

/** Asks for a model of an experiment. Undefined: cancelled. */
export async function askInputModel(
  services: Services,
  {
    table,
    title = table ? l10n.t('Run which model on the rows?') : l10n.t('Choose a model'),
    last,
  }: InputModelQuestion = {},
): Promise<string | undefined> {
  const catalog = services.catalog.of(await services.connection.connected());
  const known = await knownContracts(catalog);
  const fitting = new Map([...known].map(([slug, contract]) => [slug, table && rowsFit(contract, table)]));
  const unread = (model: ModelSummary) => (modelModality(model) === 'text' ? 'likely' : 'maybe');
  const fits = table && (() => (model: ModelSummary) => fitting.get(model.slug) ?? unread(model));
  const chosen = await chooseUsableModel(
    catalog,
    { title, fits, last },
    (contract) => table === undefined || rowsMode(contract, table),
    (name) => l10n.t('{0} has no field for a text or a number. Choose another model.', name),
  );
  return chosen?.contract.slug;
}

function rowsFit(contract: ModelContract, table: Pick<Table, 'columns' | 'rows'>): ModelFit {
  switch (rowsMode(contract, table)?.fit) {
    case 'columns':
      return 'best';
    case 'cells':
      return 'yes';
    default:
      return 'unlikely';
  }
}

type FilesExperiment = Partial<ExperimentFile> & Required<Pick<ExperimentFile, 'run' | 'over'>>;

/** A run that has its model, and the place in it that takes the files; without the place, any that does. */
interface RunOverFiles {
  readonly run: RunObject;
  readonly pointer?: string | undefined;
}

/**
 * An experiment over files; where they are in folders of their own, the folders are their labels. Undefined: cancelled.
 * @param folder of the experiment
 * @param own its run so far, whose other values stay; missing: the model is asked for
 */
export async function filesExperiment(
  services: Services,
  uris: readonly vscode.Uri[],
  folder: vscode.Uri,
  own?: RunOverFiles,
): Promise<FilesExperiment | undefined> {
  const inputs = await chosenFiles(uris);
  if (inputs.files.length === 0) throw new Error(l10n.t('There are no files in the chosen folders.'));
  const types = [...new Set(inputs.files.map(contentTypeOf))];
  const catalog = services.catalog.of(await services.connection.connected());
  const chosen =
    (await ownField(catalog, own, types)) ?? (await chooseFileModel(services, inputs.files, types));
  if (!chosen) return undefined;
  const { accept, map, mode } = chosen.field;
  const files = inputGlobs(inputs, accept, folder.path);
  const places = Object.keys(map);
  const taken = inputs.files.filter((path) => isAccepted(contentTypeOf(path), accept, path));
  const labels = classFolders(inputs.folders, taken);
  const over = { files: files.length === 1 ? files[0]! : files, map };
  if (chosen.search) {
    const run = await searchRun(chosen, uris);
    return run && { run, over, ...searchMeasures(labels) };
  }
  return {
    run: chosen.run ? runWithout(chosen.run, places) : runOver(chosen.contract, mode, places),
    over,
    ...(labels.length > 1 && { expected: { folder: true as const }, metrics: metricsFor(labels) }),
  };
}

/** The names of the folders of files, where each file is in a folder below the chosen one. */
export function classFolders(folders: readonly string[], files: readonly string[]): string[] {
  const parents = files.map((path) => posix.dirname(path));
  return parents.some((parent) => folders.includes(parent))
    ? []
    : [...new Set(parents.map((parent) => posix.basename(parent)))];
}

/** How the model of a run takes files: in the run's own mode, else in another one. Undefined: it does not. */
async function ownField(
  catalog: EnvironmentCatalog,
  own: RunOverFiles | undefined,
  types: readonly string[],
): Promise<FileModel | undefined> {
  if (own?.run.model === undefined) return undefined;
  const { run, pointer } = own;
  const contract = await catalog.contract(own.run.model);
  const mode = modeOf(contract, run.mode ?? 'execute');
  const inMode = mode && fileFieldOf(mode, types, pointer);
  if (inMode) return { contract, field: inMode, run };
  if (pointer !== undefined) throw new Error(l10n.t('This field does not take such files.'));
  const field = fileField(contract, types);
  return field && { contract, field };
}

/** Asks for a model that takes such files, or for a search with them. Undefined: cancelled. */
async function chooseFileModel(
  services: Services,
  files: readonly string[],
  types: readonly string[],
): Promise<FileModel | undefined> {
  const environment = await services.connection.connected();
  const catalog = services.catalog.of(environment);
  await readSearching(catalog);
  const known = await knownContracts(catalog);
  const fits = () => (model: ModelSummary) => {
    const contract = known.get(model.slug);
    if (!contract) return 'maybe';
    return fileField(contract, types) ? 'yes' : 'unlikely';
  };
  const chosen = await chooseUsableModel<FileModel>(
    catalog,
    {
      title: l10n.t('Run which model on the files?'),
      fits,
      before: await searchChoices(services, environment.baseUrl, known.values(), files),
    },
    (contract): FileModel | undefined => {
      const field = fileField(contract, types);
      return field && { contract, field };
    },
    (name) => l10n.t('{0} has no mode that takes such files. Choose another model.', name),
  );
  return chosen?.use;
}

/** Reads the contracts of models that say by the names of their modes that they search. */
async function readSearching(catalog: EnvironmentCatalog): Promise<void> {
  const models = catalog.models ?? [];
  const likelihood = modelLikelihood(models, 'search', () => undefined);
  const searching = models.filter((model) => likelihood(model) === 'yes').slice(0, MOST_SEARCHING);
  await Promise.all(searching.map(({ slug }) => catalog.contract(slug).catch(() => undefined)));
}

async function knownContracts(catalog: EnvironmentCatalog): Promise<ReadonlyMap<string, ModelContract>> {
  const models = (catalog.models ?? []).slice(0, MOST_CONTRACTS);
  const read = await Promise.all(models.map(({ slug }) => catalog.cachedContract(slug)));
  return new Map(read.flatMap((contract) => (contract ? [[contract.slug, contract]] : [])));
}
