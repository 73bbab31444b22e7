import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { EnvironmentCatalog } from '../../connection/environmentCatalog';
import type { ExplorerArgs } from '../../contributions';
import type { ModelContract, ModelSummary } from '../../domain/model';
import { type FileField, fileField } from '../../experiments/fileField';
import { commonFolder, inputGlobs } from '../../experiments/inputGlobs';
import { overFilesText } from '../../experiments/newExperiment';
import { EXPERIMENT_SUFFIX } from '../../experiments/suffix';
import { contentTypeOf } from '../../intake/contentType';
import { chosenFiles } from '../../platform/fileIntake/chosenFiles';
import { chosenUris } from '../../platform/fileIntake/openFiles';
import { pickFiles } from '../../platform/fileIntake/pickFiles';
import { chooseUsableModel } from '../../platform/pickers/chooseModel';
import type { Services } from '../../services';
import { executeBuiltIn } from '../../vscode/commands';
import { freePlace } from '../../vscode/freePlace';
import { showWarningMessage } from '../../vscode/messages/notifications';

/** Models with a known contract to check for such files. */
const MOST_CONTRACTS = 300;

/** Run on Files with Model…: asks for a model that takes them, writes an experiment beside them, and opens it. Runs nothing. */
export async function runModelOnFiles(services: Services, args: ExplorerArgs): Promise<void> {
  const environment = await services.connection.connected();
  const chosen = chosenUris(args);
  const uris = chosen.length > 0 ? chosen : await askFiles();
  if (uris.length === 0) return;
  const files = await chosenFiles(uris);
  if (files.files.length === 0) {
    void showWarningMessage(l10n.t('There are no files in the chosen folders.'));
    return;
  }
  const types = [...new Set(files.files.map(contentTypeOf))];
  const model = await chooseFileModel(services.catalog.of(environment), types);
  if (!model) return;
  const place = experimentPlace(uris);
  const text = overFilesText(
    model.contract,
    model.field,
    inputGlobs(files, model.field.accept, place.folder.path),
  );
  const target = await freePlace(place.folder, place.name, EXPERIMENT_SUFFIX);
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  await executeBuiltIn('vscode.open', target);
}

function askFiles(): Promise<readonly vscode.Uri[]> {
  return pickFiles({
    openLabel: l10n.t('Choose'),
    title: l10n.t('Files or folders to run a model on'),
    many: true,
    folders: true,
  });
}

export interface FileModel {
  readonly contract: ModelContract;
  readonly field: FileField;
}

/** Asks for a model that takes such files. Undefined: cancelled. */
export async function chooseFileModel(
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

export async function knownContracts(
  catalog: EnvironmentCatalog,
): Promise<ReadonlyMap<string, ModelContract>> {
  const models = (catalog.models ?? []).slice(0, MOST_CONTRACTS);
  const read = await Promise.all(models.map(({ slug }) => catalog.cachedContract(slug)));
  return new Map(read.flatMap((contract) => (contract ? [[contract.slug, contract]] : [])));
}

/** Beside the chosen files: it stays inside the workspace, and all of them are below its folder. */
export function experimentPlace(uris: readonly vscode.Uri[]): {
  readonly folder: vscode.Uri;
  readonly name: string;
} {
  const [first] = uris as [vscode.Uri];
  const parents = uris.map((uri) => posix.dirname(uri.path));
  const isRoot = vscode.workspace.workspaceFolders?.some(({ uri }) => uri.path === first.path);
  if (uris.length === 1 && isRoot) return { folder: first, name: posix.basename(first.path) };
  const folder = commonFolder(parents);
  const name = uris.length === 1 ? posix.parse(first.path).name : posix.basename(folder);
  return { folder: first.with({ path: folder }), name: name === '' ? 'files' : name };
}
