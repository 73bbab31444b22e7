import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ExplorerArgs } from '../../contributions';
import { commonFolder } from '../../experiments/inputGlobs';
import { newText } from '../../experiments/newExperiment';
import { overRows } from '../../experiments/setup/setUp';
import { EXPERIMENT_SUFFIX } from '../../experiments/suffix';
import { tableAt } from '../../experiments/tableFile';
import { chosenUris } from '../../platform/fileIntake/openFiles';
import { pickFiles } from '../../platform/fileIntake/pickFiles';
import type { Services } from '../../services';
import { executeBuiltIn } from '../../vscode/commands';
import { askSavePlace } from '../../vscode/dialogs';
import { fileFacts } from '../../vscode/fileFacts';
import { freePlace } from '../../vscode/freePlace';
import type { ExperimentRuns } from './experimentRuns';
import { askInputModel, filesExperiment } from './inputExperiment';

const TABLES = /\.(?:csv|tsv|jsonl|ndjson)$/i;

/** Experiment with Model…: asks for a model, writes an experiment beside the table or folder, and shows its set-up. */
export async function experimentWithModel(
  services: Services,
  runs: ExperimentRuns,
  args: ExplorerArgs,
): Promise<void> {
  const chosen = chosenUris(args);
  const uris = chosen.length > 0 ? chosen : await askTable();
  const [first] = uris;
  if (!first) return;
  const { folder, name } = experimentPlace(uris);
  const text = await (TABLES.test(first.path)
    ? rowsText(services, first)
    : filesText(services, uris, folder));
  if (text === undefined) return;
  await open(runs, await freePlace(folder, name, EXPERIMENT_SUFFIX), text);
}

function askTable(): Promise<readonly vscode.Uri[]> {
  return pickFiles({
    openLabel: l10n.t('Choose'),
    title: l10n.t('Table to run over: CSV, TSV or JSONL'),
    kind: 'table',
  });
}

async function rowsText(services: Services, table: vscode.Uri): Promise<string | undefined> {
  const read = await tableAt(table.fsPath);
  const slug = await askInputModel(services, { table: read });
  if (slug === undefined) return undefined;
  const contract = await services.catalog.of(await services.connection.connected()).contract(slug);
  return newText(overRows(contract, posix.basename(table.path), read));
}

async function filesText(
  services: Services,
  uris: readonly vscode.Uri[],
  folder: vscode.Uri,
): Promise<string | undefined> {
  const members = await filesExperiment(services, uris, folder);
  return members && newText(members);
}

/** Run on Files with Model…: asks for a model that takes them, writes an experiment beside them, and opens it. Runs nothing. */
export async function runModelOnFiles(services: Services, args: ExplorerArgs): Promise<void> {
  const chosen = chosenUris(args);
  const uris = chosen.length > 0 ? chosen : await askFiles();
  if (uris.length === 0) return;
  const { folder, name } = experimentPlace(uris);
  const members = await filesExperiment(services, uris, folder);
  if (!members) return;
  const { run, over } = members;
  const place = await freePlace(folder, name, EXPERIMENT_SUFFIX);
  await write(place, newText({ run, vary: {}, over }));
  await executeBuiltIn('vscode.open', place);
}

function askFiles(): Promise<readonly vscode.Uri[]> {
  return pickFiles({
    openLabel: l10n.t('Choose'),
    title: l10n.t('Files or folders to run a model on'),
    many: true,
    folders: true,
  });
}

/** New Experiment…: an empty file, which its page sets up. */
export async function newExperiment(runs: ExperimentRuns, args: ExplorerArgs): Promise<void> {
  const [clicked] = chosenUris(args);
  const facts = clicked && (await fileFacts(clicked));
  const workspace = vscode.workspace.workspaceFolders
    ?.map(({ uri }) => uri)
    .find(({ scheme }) => scheme === 'file');
  const folder = facts?.isFolder ? clicked : workspace;
  const place = folder
    ? await freePlace(folder, 'new', EXPERIMENT_SUFFIX)
    : await askSavePlace(`new${EXPERIMENT_SUFFIX}`, {
        title: l10n.t('Save the experiment in a folder; its results are written beside it'),
      });
  if (place) await open(runs, place, '');
}

async function open(runs: ExperimentRuns, place: vscode.Uri, text: string): Promise<void> {
  await write(place, text);
  runs.settingUp.add(place.toString());
  await executeBuiltIn('vscode.open', place, { preview: false });
}

async function write(place: vscode.Uri, text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(place, new TextEncoder().encode(text));
}

/** Beside the chosen files: it stays inside the workspace, and all of them are below its folder. */
function experimentPlace(uris: readonly vscode.Uri[]): {
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
