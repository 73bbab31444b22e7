import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { EnvironmentCatalog } from '../../connection/environmentCatalog';
import { isAccepted } from '../../domain/media';
import type { ModelContract, ModelSummary } from '../../domain/model';
import { type FileField, fileField } from '../../experiments/fileField';
import type { ExperimentFile } from '../../experiments/format';
import { inputGlobs } from '../../experiments/inputGlobs';
import { runOver } from '../../experiments/newExperiment';
import { metricsFor } from '../../experiments/setup/members';
import { rowsMode } from '../../experiments/setup/rowsMode';
import { contentTypeOf } from '../../intake/contentType';
import { chosenFiles } from '../../platform/fileIntake/chosenFiles';
import { chooseUsableModel } from '../../platform/pickers/chooseModel';
import type { Services } from '../../services';

/** Models with a known contract to check for such inputs. */
const MOST_CONTRACTS = 300;

/**
 * Asks for a model; for rows of a table one that has a field for a cell. Undefined: cancelled.
 * @param last slug of the model to list first
 */
export async function askInputModel(
  services: Services,
  inputs: 'rows' | 'any',
  last?: string,
): Promise<string | undefined> {
  const catalog = services.catalog.of(await services.connection.connected());
  const known = await knownContracts(catalog);
  const fits = () => (model: ModelSummary) => {
    const contract = known.get(model.slug);
    if (!contract || inputs === 'any') return 'maybe';
    return rowsMode(contract) ? 'yes' : 'unlikely';
  };
  const chosen = await chooseUsableModel(
    catalog,
    {
      title: inputs === 'rows' ? l10n.t('Run which model on the rows?') : l10n.t('Choose a model'),
      ...{ fits, ...(last !== undefined && { last }) },
    },
    (contract) => inputs === 'any' || rowsMode(contract),
    (name) => l10n.t('{0} has no field that a row of a table can fill. Choose another model.', name),
  );
  return chosen?.contract.slug;
}

type FilesExperiment = Partial<ExperimentFile> & Required<Pick<ExperimentFile, 'run' | 'over'>>;

/**
 * An experiment over files; where they are in folders of their own, the folders are their labels. Undefined: cancelled.
 * @param folder of the experiment
 * @param model missing: it is asked for
 */
export async function filesExperiment(
  services: Services,
  uris: readonly vscode.Uri[],
  folder: vscode.Uri,
  model?: string,
): Promise<FilesExperiment | undefined> {
  const inputs = await chosenFiles(uris);
  if (inputs.files.length === 0) throw new Error(l10n.t('There are no files in the chosen folders.'));
  const types = [...new Set(inputs.files.map(contentTypeOf))];
  const catalog = services.catalog.of(await services.connection.connected());
  const own = model === undefined ? undefined : await catalog.contract(model);
  const field = own && fileField(own, types);
  const chosen = own && field ? { contract: own, field } : await chooseFileModel(catalog, types);
  if (!chosen) return undefined;
  const files = inputGlobs(inputs, chosen.field.accept, folder.path);
  const { accept } = chosen.field;
  const taken = inputs.files.filter((path) => isAccepted(contentTypeOf(path), accept, path));
  const labels = classFolders(inputs.folders, taken);
  return {
    run: runOver(chosen.contract, chosen.field.mode, Object.keys(chosen.field.map)),
    over: { files: files.length === 1 ? files[0]! : files, map: chosen.field.map },
    ...(labels.length > 1 && { expected: { folder: true as const }, metrics: metricsFor(labels) }),
  };
}

/** The names of the folders of files, where each file is in a folder below the chosen one. */
function classFolders(folders: readonly string[], files: readonly string[]): string[] {
  const parents = files.map((path) => posix.dirname(path));
  return parents.some((parent) => folders.includes(parent))
    ? []
    : [...new Set(parents.map((parent) => posix.basename(parent)))];
}

interface FileModel {
  readonly contract: ModelContract;
  readonly field: FileField;
}

/** Asks for a model that takes such files. Undefined: cancelled. */
async function chooseFileModel(
  catalog: EnvironmentCatalog,
  types: readonly string[],
): Promise<FileModel | undefined> {
  const known = await knownContracts(catalog);
  const fits = () => (model: ModelSummary) => {
    const contract = known.get(model.slug);
    if (!contract) return 'maybe';
    return fileField(contract, types) ? 'yes' : 'unlikely';
  };
  const chosen = await chooseUsableModel(
    catalog,
    { title: l10n.t('Run which model on the files?'), fits },
    (contract) => fileField(contract, types),
    (name) => l10n.t('{0} has no mode that takes such files. Choose another model.', name),
  );
  return chosen && { contract: chosen.contract, field: chosen.use };
}

async function knownContracts(catalog: EnvironmentCatalog): Promise<ReadonlyMap<string, ModelContract>> {
  const models = (catalog.models ?? []).slice(0, MOST_CONTRACTS);
  const read = await Promise.all(models.map(({ slug }) => catalog.cachedContract(slug)));
  return new Map(read.flatMap((contract) => (contract ? [[contract.slug, contract]] : [])));
}
