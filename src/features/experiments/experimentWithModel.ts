import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandArguments, ExplorerArgs, RequestToVary } from '../../contributions';
import { safeFileName } from '../../domain/fileName';
import type { RunDraft } from '../../domain/run';
import { commonFolder } from '../../experiments/file/inputGlobs';
import { newText, runOfDraft, runWithout } from '../../experiments/file/newExperiment';
import { EXPERIMENT_SUFFIX } from '../../experiments/file/suffix';
import { tableAt } from '../../experiments/file/tableFile';
import { overRows } from '../../experiments/setup/edits';
import { chosenUris } from '../../platform/fileIntake/openFiles';
import { pickFiles } from '../../platform/fileIntake/pickFiles';
import { filenameOf } from '../../platform/localFile';
import { experimentPathsFor } from '../../platform/runFiles/save';
import { withRefs } from '../../runFiles/mediaPaths';
import type { Services } from '../../services';
import { executeBuiltIn } from '../../vscode/commands';
import { askSavePlace } from '../../vscode/dialogs';
import { fileFacts } from '../../vscode/fileFacts';
import { freePlace } from '../../vscode/freePlace';
import { showInputBox } from '../../vscode/messages/inputs';
import type { ExperimentRuns } from './experimentRuns';
import { askInputModel, filesExperiment } from './inputExperiment';
import { SetUpEdits } from './setUpEdits';

const TABLES = /\.(?:csv|tsv|jsonl|ndjson)$/i;

/** Experiment with Model…: asks for a model, writes an experiment beside the table or folder, and shows its set-up. Runs nothing. */
export async function experimentWithModel(
  services: Services,
  runs: ExperimentRuns,
  args: ExplorerArgs,
): Promise<void> {
  const chosen = chosenUris(args);
  const uris = chosen.length > 0 ? chosen : await askFiles();
  const [first] = uris;
  if (!first) return;
  const { folder, name } = experimentPlace(uris);
  const members = await (TABLES.test(first.path)
    ? rowsMembers(services, first)
    : filesExperiment(services, uris, folder));
  if (members) await openExperiment(runs, await freePlace(folder, name, EXPERIMENT_SUFFIX), newText(members));
}

function askFiles(): Promise<readonly vscode.Uri[]> {
  return pickFiles({
    openLabel: l10n.t('Choose'),
    title: l10n.t('Files or folders to run a model on'),
    many: true,
    folders: true,
  });
}

async function rowsMembers(services: Services, table: vscode.Uri) {
  const read = await tableAt(table.fsPath);
  const slug = await askInputModel(services, { table: read });
  if (slug === undefined) return undefined;
  const contract = await services.catalog.of(await services.connection.connected()).contract(slug);
  return overRows(contract, posix.basename(table.path), read);
}

/**
 * New Experiment…: asks for its name, writes it, and shows its set-up. It begins empty, or with the request of a run
 * panel, of which a field may be varied first.
 */
export async function newExperiment(
  services: Services,
  runs: ExperimentRuns,
  [from, selected]: CommandArguments['modelBench.newExperiment'],
): Promise<void> {
  if (from && 'draft' in from) return experimentOfRequest(services, runs, from);
  const [clicked] = chosenUris([from, selected]);
  const facts = clicked && (await fileFacts(clicked));
  const place = await askPlace(facts?.isFolder ? clicked : firstFolder(), 'new');
  if (place) await openExperiment(runs, place, '');
}

async function experimentOfRequest(
  services: Services,
  runs: ExperimentRuns,
  { draft, environment, runFile, vary }: RequestToVary,
): Promise<void> {
  const beside = runFile && vscode.Uri.joinPath(vscode.Uri.file(runFile.fsPath), '..');
  const place = await askPlace(beside ?? firstFolder(), draft.model.replaceAll(/[^\w.-]+/g, '-'));
  if (!place) return;
  const request = vary?.takesFiles ? (runWithout(draft, [vary.pointer]) as unknown as RunDraft) : draft;
  const paths = await experimentPathsFor(request, place);
  if (!paths) return;
  const isActive = services.connection.active?.name === environment;
  const members = { ...(!isActive && { environment }), run: runOfDraft(withRefs(request, paths)) };
  await openExperiment(runs, place, newText(members));
  if (!vary) return;
  const edits = new SetUpEdits(await vscode.workspace.openTextDocument(place), services);
  await (vary.takesFiles ? edits.chooseInputs('files', vary.pointer) : edits.vary(vary.pointer));
}

function firstFolder(): vscode.Uri | undefined {
  return vscode.workspace.workspaceFolders?.map(({ uri }) => uri).find(({ scheme }) => scheme === 'file');
}

/** Asks for the name of a new experiment in a folder; without one, for a place. Undefined: cancelled. */
async function askPlace(folder: vscode.Uri | undefined, stem: string): Promise<vscode.Uri | undefined> {
  const name = safeFileName(stem) || 'new';
  if (!folder) {
    const title = l10n.t('Save the experiment in a folder; its results are written beside it');
    const chosen = await askSavePlace(`${name}${EXPERIMENT_SUFFIX}`, { title });
    return chosen?.with({ path: `${withoutSuffix(chosen.path)}${EXPERIMENT_SUFFIX}` });
  }
  const experimentUri = (typed: string) =>
    vscode.Uri.joinPath(folder, `${withoutSuffix(typed.trim())}${EXPERIMENT_SUFFIX}`);
  const typed = await showInputBox({
    title: l10n.t('New Experiment'),
    prompt: l10n.t(
      'Name of the experiment. It is saved in “{0}”, with its results beside it.',
      vscode.workspace.asRelativePath(folder),
    ),
    value: withoutSuffix(filenameOf(await freePlace(folder, name, EXPERIMENT_SUFFIX))),
    ignoreFocusOut: true,
    validateInput: async (text) => {
      const wanted = withoutSuffix(text.trim());
      if (wanted === '') return l10n.t('Enter a name.');
      if (safeFileName(wanted) !== wanted) return l10n.t('A file cannot have this name.');
      const isTaken = (await fileFacts(experimentUri(text))) !== undefined;
      return isTaken ? l10n.t('There is a file of this name. Enter another one.') : undefined;
    },
  });
  return typed === undefined ? undefined : experimentUri(typed);
}

function withoutSuffix(name: string): string {
  return name.replace(/(?:\.experiment)?(?:\.json)?$/, '');
}

/** Writes a new experiment, and shows its set-up. */
export async function openExperiment(runs: ExperimentRuns, place: vscode.Uri, text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(place, new TextEncoder().encode(text));
  runs.settingUp.add(place.toString());
  await executeBuiltIn('vscode.open', place, { preview: false });
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
