import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ExperimentSetup } from '../../../domain/experimentSetup';
import { type ModeContract, modeOf } from '../../../domain/model';
import { fileFieldOf } from '../../../experiments/fileField';
import { commonFolder, inputGlobs } from '../../../experiments/inputGlobs';
import { filesBelow } from '../../../experiments/items';
import { contentTypeOf } from '../../../intake/contentType';
import { PathGlobs } from '../../../intake/globs';
import { chosenFiles } from '../../../platform/fileIntake/chosenFiles';
import { pickFiles } from '../../../platform/fileIntake/pickFiles';
import { showInputBox, showQuickPick } from '../../../vscode/messages/inputs';
import { requireDisk } from './chooseRows';
import type { PanelExperiment } from './handlers';
import { panelFolder } from './place';

/** The chosen inputs; undefined: cancelled. */
export type ChosenInputs = Pick<ExperimentSetup, 'over' | 'at'>;

interface FoundFiles {
  readonly folder: vscode.Uri;
  readonly types: readonly string[];
  globs(accept: readonly string[]): string[];
  /** The paths of the files that are known now. */
  readonly paths: readonly string[];
}

/** Run over Files…: a folder, some files, or a glob. @param pointer of the field that takes them; missing: any */
export async function chooseFiles(
  panel: PanelExperiment,
  modeName: string,
  pointer: string | undefined,
): Promise<ChosenInputs> {
  const mode = modeOf(await panel.contract(), modeName);
  const files = mode && (await askFiles(panel));
  if (!files) return {};
  const field = fileFieldOf(mode, files.types, pointer);
  if (!field) throw new Error(noField(mode, pointer));
  const globs = files.globs(field.accept);
  const folders = new Set(files.paths.map((path) => posix.dirname(path)));
  return {
    over: {
      kind: 'files',
      folder: files.folder.toString(),
      globs,
      map: { ...field.map },
      // One folder for each class is how labelled pictures lie.
      ...(folders.size > 1 && { folderIsLabel: false }),
    },
  };
}

function noField(mode: ModeContract, pointer: string | undefined): string {
  return pointer === undefined
    ? l10n.t('The mode “{0}” has no field that takes such files.', mode.title ?? mode.name)
    : l10n.t('This field does not take such files.');
}

async function askFiles(panel: PanelExperiment): Promise<FoundFiles | undefined> {
  const folder = { label: l10n.t('Folder…'), detail: l10n.t('All files in it that fit') };
  const files = { label: l10n.t('Files…'), detail: l10n.t('Those that you choose') };
  const glob = { label: l10n.t('Glob…'), detail: l10n.t('For example {0}', 'photos/**/*.png') };
  const chosen = await showQuickPick([folder, files, glob], { title: l10n.t('Run over Files') });
  if (!chosen) return undefined;
  if (chosen === glob) return askGlob(panel);
  const uris = await pickFiles({
    openLabel: l10n.t('Choose'),
    title: chosen === folder ? l10n.t('Folder to run over') : l10n.t('Files to run over'),
    many: true,
    folders: chosen === folder ? 'only' : false,
  });
  if (uris.length === 0) return undefined;
  uris.forEach(requireDisk);
  const added = await chosenFiles(uris);
  if (added.files.length === 0) throw new Error(l10n.t('There are no files in the chosen folders.'));
  const root = commonFolder([...added.folders, ...added.single.map((path) => posix.dirname(path))]);
  return {
    folder: uris[0]!.with({ path: root }),
    types: typesOf(added.files),
    globs: (accept) => inputGlobs(added, accept, root),
    paths: added.files,
  };
}

function typesOf(paths: readonly string[]): string[] {
  return [...new Set(paths.map(contentTypeOf))];
}

async function askGlob(panel: PanelExperiment): Promise<FoundFiles | undefined> {
  const folder = panelFolder(panel);
  if (!folder) throw new Error(l10n.t('A glob is relative to the open folder. Open a folder first.'));
  const all = filesBelow(folder.fsPath, ['**']).then(({ paths }) =>
    paths.map((path) => posix.relative(folder.path, vscode.Uri.file(path).path)),
  );
  const matching = async (text: string) => {
    const globs = new PathGlobs([text.trim()]);
    return (await all).filter((path) => globs.matches(path));
  };
  const typed = await showInputBox({
    title: l10n.t('Run over Files'),
    prompt: l10n.t('Glob relative to “{0}”', posix.basename(folder.path)),
    placeHolder: 'photos/**/*.png',
    ignoreFocusOut: true,
    validateInput: async (text) => {
      if (text.trim() === '') return undefined;
      const { length } = await matching(text);
      if (length === 0) return l10n.t('No file matches “{0}”.', text.trim());
      const message = length === 1 ? l10n.t('1 file') : l10n.t('{0} files', length);
      return { message, severity: vscode.InputBoxValidationSeverity.Info };
    },
  });
  if (typed === undefined || typed.trim() === '') return undefined;
  const paths = await matching(typed);
  return { folder, types: typesOf(paths), globs: () => [typed.trim()], paths };
}
