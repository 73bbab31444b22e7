import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { safeFileName } from '../../../domain/fileName';
import type { Json } from '../../../domain/json';
import type { RunDraft } from '../../../domain/run';
import { isObject } from '../../../domain/value';
import { EXPERIMENT_VERSION } from '../../../experiments/format';
import { filesBelow } from '../../../experiments/items';
import { readExperiment } from '../../../experiments/read';
import { metricsFor, type SetUpMembers, setUpMembers } from '../../../experiments/setup/members';
import { EXPERIMENT_SUFFIX } from '../../../experiments/suffix';
import { tableAt } from '../../../experiments/tableFile';
import { filenameOf } from '../../../platform/localFile';
import { experimentPathsFor } from '../../../platform/runFiles/save';
import type { SetUpRun } from '../../../protocol/run';
import { withRefs } from '../../../runFiles/mediaPaths';
import { isInside } from '../../../runFiles/paths';
import { withMembers } from '../../../runFiles/write';
import { executeBuiltIn, executeCommand } from '../../../vscode/commands';
import { askSavePlace } from '../../../vscode/dialogs';
import { fileFacts } from '../../../vscode/fileFacts';
import { freePlace } from '../../../vscode/freePlace';
import { showInputBox } from '../../../vscode/messages/inputs';
import { replaceText } from '../fileLink';
import type { PanelExperiment } from './handlers';
import { experimentFolder, inputFolder } from './place';

/** Writes the panel's setup as an experiment, opens its table, and asks there whether to run it. */
export async function runExperiment(panel: PanelExperiment, run: SetUpRun): Promise<void> {
  // Reports missing parts before the first question.
  setUpMembers(run.draft, run.experiment, '/');
  const folder = experimentFolder(panel, run.experiment);
  const before = await writtenBefore(panel, run);
  const { model } = run.draft;
  const target = before ?? (await (folder ? askPlace(folder, model) : askPlaceAnywhere(model)));
  const members = target && (await membersAt(target, run));
  if (!members) return;
  if (before) await change(panel, before, run, members);
  else {
    const text = newText({ ...environmentIn(panel, undefined), ...members, ...(await metricsIn(run)) });
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  }
  panel.keepWritten(target.toString());
  await executeBuiltIn('vscode.open', target, { preview: false });
  await executeCommand('modelBench.runExperiment', target);
}

/** The experiment that the panel wrote before, if it still exists and is above the present inputs. */
async function writtenBefore(
  panel: PanelExperiment,
  { experiment }: SetUpRun,
): Promise<vscode.Uri | undefined> {
  const written = panel.written();
  if (written === undefined) return undefined;
  const uri = vscode.Uri.parse(written, true);
  if (!(await fileFacts(uri))) return undefined;
  const folder = vscode.Uri.joinPath(uri, '..').fsPath;
  const inputs = inputFolder(experiment.over)?.fsPath;
  return inputs === undefined || inputs === folder || isInside(inputs, folder) ? uri : undefined;
}

/** Asks for a name, with one proposed. Undefined: cancelled. */
async function askPlace(folder: vscode.Uri, model: string): Promise<vscode.Uri | undefined> {
  const proposed = filenameOf(await freePlace(folder, stemOf(model), EXPERIMENT_SUFFIX));
  const experimentUri = (name: string) => vscode.Uri.joinPath(folder, `${name}${EXPERIMENT_SUFFIX}`);
  const nameIn = (typed: string) => typed.trim().replace(/(?:\.experiment)?(?:\.json)?$/, '');
  const typed = await showInputBox({
    title: l10n.t('Run Experiment'),
    prompt: l10n.t(
      'Name of the experiment. It is saved in “{0}”, with its results beside it.',
      vscode.workspace.asRelativePath(folder),
    ),
    value: proposed.slice(0, -EXPERIMENT_SUFFIX.length),
    ignoreFocusOut: true,
    validateInput: async (text) => {
      const name = nameIn(text);
      if (name === '') return l10n.t('Enter a name.');
      if (safeFileName(name) !== name) return l10n.t('A file cannot have this name.');
      return (await fileFacts(experimentUri(name)))
        ? l10n.t('There is a file of this name. Enter another one.')
        : undefined;
    },
  });
  return typed === undefined ? undefined : experimentUri(nameIn(typed));
}

/** Where no folder is open: an experiment needs one, for its inputs and results. Undefined: cancelled. */
async function askPlaceAnywhere(model: string): Promise<vscode.Uri | undefined> {
  const chosen = await askSavePlace(`${stemOf(model)}${EXPERIMENT_SUFFIX}`, {
    title: l10n.t('Save the experiment in a folder; its results are written beside it'),
  });
  if (!chosen || chosen.path.endsWith(EXPERIMENT_SUFFIX)) return chosen;
  return chosen.with({ path: chosen.path.replace(/(?:\.experiment)?(?:\.json)?$/, EXPERIMENT_SUFFIX) });
}

/** A name for the experiments of a model. */
function stemOf(model: string): string {
  return safeFileName(model.replaceAll(/[^\w.-]+/g, '-')) || 'experiment';
}

/** The members for an experiment at a place; local files by their paths. Undefined: cancelled. */
async function membersAt(
  target: vscode.Uri,
  { draft, experiment }: SetUpRun,
): Promise<SetUpMembers | undefined> {
  const members = setUpMembers(draft, experiment, vscode.Uri.joinPath(target, '..').fsPath);
  const run = members.run as Partial<RunDraft> & Pick<RunDraft, 'model' | 'input'>;
  const base: RunDraft = { mode: 'execute', params: {}, ...run };
  const paths = await experimentPathsFor(base, target);
  if (!paths) return undefined;
  const { input, params } = withRefs(base, paths);
  return { ...members, run: { ...run, input, ...(run.params && { params }) } };
}

/** Only the differences: comments and other members stay, and the editor can undo it. */
async function change(
  panel: PanelExperiment,
  uri: vscode.Uri,
  run: SetUpRun,
  members: SetUpMembers,
): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const before = document.getText();
  const { value, errors } = readExperiment(before);
  if (errors.length > 0 || !isObject(value))
    throw new Error(
      l10n.t('“{0}” is not valid JSON in its editor. Correct it there first.', filenameOf(uri)),
    );
  const metrics = members.expected && value.metrics ? {} : await metricsIn(run);
  const changes = { ...environmentIn(panel, value.environment), ...members, ...metrics };
  await replaceText(document, before, withMembers(before, changes as Record<string, Json | undefined>));
}

/** An experiment that names its environment keeps to one; another is named where it is not the active one. */
function environmentIn({ services, environment }: PanelExperiment, before: Json | undefined) {
  const { name } = environment();
  const isActive = services.connection.active?.name === name;
  return isActive && before === undefined ? {} : { environment: name };
}

async function metricsIn({ experiment: { over } }: SetUpRun): Promise<{ metrics: Json | undefined }> {
  const labels = await expectedValues(over);
  return { metrics: labels && metricsFor(labels) };
}

/** The expected values of the inputs. Undefined: there are none. */
async function expectedValues(over: SetUpRun['experiment']['over']): Promise<readonly Json[] | undefined> {
  if (over?.kind === 'rows' && over.expected !== undefined) {
    const { expected } = over;
    const { rows } = await tableAt(vscode.Uri.parse(over.file, true).fsPath);
    return rows.flatMap(({ values }) => (Object.hasOwn(values, expected) ? [values[expected]!] : []));
  }
  if (over?.kind !== 'files' || !over.folderIsLabel) return undefined;
  const { paths } = await filesBelow(vscode.Uri.parse(over.folder, true).fsPath, over.globs);
  return paths.map((file) => posix.basename(posix.dirname(vscode.Uri.file(file).path)));
}

function newText(members: object): string {
  return `${JSON.stringify({ version: EXPERIMENT_VERSION, ...members }, null, 2)}\n`;
}
