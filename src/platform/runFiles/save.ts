import { dirname, posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { safeFileName } from '../../domain/fileName';
import { localRefs } from '../../domain/media';
import type { RunDraft } from '../../domain/run';
import { RUN_FILE_SUFFIX } from '../../runFiles/format';
import { withRefs } from '../../runFiles/mediaPaths';
import { isInside, relativePath } from '../../runFiles/paths';
import { newRunFileText } from '../../runFiles/write';
import { askSavePlace, isConfirmed } from '../../vscode/dialogs';
import { freePlace } from '../../vscode/freePlace';
import { showSaveDialog } from '../../vscode/messages/fileDialogs';
import { filenameOf } from '../localFile';
import { mediaRoots } from './places';

/** Asks where to keep a request, and writes it there. Undefined: cancelled. */
export async function saveAsRunFile(draft: RunDraft, folder?: vscode.Uri): Promise<vscode.Uri | undefined> {
  const name = safeFileName(`${draft.model.replaceAll(/[^\w.-]+/g, '-') || 'new'}${RUN_FILE_SUFFIX}`);
  const filters = { [l10n.t('Run files')]: ['run.json'] };
  const options = { saveLabel: l10n.t('Save'), title: l10n.t('Save as Run File'), filters };
  const chosen = folder
    ? await showSaveDialog({ ...options, defaultUri: vscode.Uri.joinPath(folder, name) })
    : await askSavePlace(name, options);
  if (!chosen) return undefined;
  const target = withSuffix(chosen);
  const paths = await pathsFor(draft, target);
  if (!paths) return undefined;
  const text = newRunFileText(withRefs(draft, paths));
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  return target;
}

/** A file with another ending would be no run file. */
function withSuffix(uri: vscode.Uri): vscode.Uri {
  if (uri.path.endsWith(RUN_FILE_SUFFIX)) return uri;
  return uri.with({ path: uri.path.replace(/(?:\.run)?(?:\.json)?$/, RUN_FILE_SUFFIX) });
}

/**
 * The paths by which a run file names the local files of a draft, by their URIs. Files outside the workspace are copied
 * beside the run file, after one question. Undefined: cancelled.
 *
 * @param known paths that the run file has already, by URI
 */
export function pathsFor(
  draft: RunDraft,
  runFile: vscode.Uri,
  known: ReadonlyMap<string, string> = new Map(),
): Promise<ReadonlyMap<string, string> | undefined> {
  return pathsBeside(draft, runFile, known, {
    isNameable,
    rule: (names) => l10n.t('A run file can name only files of its workspace. Outside it: {0}.', names),
  });
}

/** The same for an experiment, which can name only files below its own folder. */
export function experimentPathsFor(
  draft: RunDraft,
  experiment: vscode.Uri,
): Promise<ReadonlyMap<string, string> | undefined> {
  const folder = dirname(experiment.fsPath);
  return pathsBeside(draft, experiment, new Map(), {
    isNameable: (uri) => uri.scheme === 'file' && isInside(uri.fsPath, folder),
    rule: (names) =>
      l10n.t('An experiment can name only files below its own folder. Outside it: {0}.', names),
  });
}

/** Which files can be named where they are, and how that is said of the others. */
interface PathRule {
  isNameable(uri: vscode.Uri, from: vscode.Uri): boolean;
  rule(names: string): string;
}

async function pathsBeside(
  draft: RunDraft,
  runFile: vscode.Uri,
  known: ReadonlyMap<string, string>,
  { isNameable, rule }: PathRule,
): Promise<ReadonlyMap<string, string> | undefined> {
  const media = localRefs(draft.input, draft.params)
    .filter((uri) => !known.has(uri))
    .map((uri) => vscode.Uri.parse(uri, true));
  const outside = media.filter((uri) => !isNameable(uri, runFile));
  if (outside.length > 0 && !(await isCopyWanted(outside, runFile, rule))) return undefined;
  const paths = new Map(known);
  for (const uri of media) {
    const place = outside.includes(uri) ? await copyBeside(uri, runFile) : uri;
    const path = pathBetween(place, runFile);
    if (path !== undefined) paths.set(uri.toString(), path);
  }
  return paths;
}

/** Whether a run file can name a file where it is: of its workspace, or of its own folder where it is in none. */
function isNameable(uri: vscode.Uri, runFile: vscode.Uri): boolean {
  if (uri.scheme !== runFile.scheme || uri.authority !== runFile.authority) return false;
  if (pathBetween(uri, runFile) === undefined) return false;
  if (vscode.workspace.getWorkspaceFolder(runFile))
    return vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  return mediaRoots(runFile).some((root) => isInside(uri.fsPath, root));
}

/** From the run file to a file of its scheme; undefined where no path leads there. */
function pathBetween(uri: vscode.Uri, runFile: vscode.Uri): string | undefined {
  if (uri.scheme === 'file') return relativePath(uri.fsPath, dirname(runFile.fsPath));
  return relativePath(uri.path, posix.dirname(runFile.path), posix);
}

function isCopyWanted(
  outside: readonly vscode.Uri[],
  runFile: vscode.Uri,
  rule: PathRule['rule'],
): Promise<boolean> {
  const names = outside.map(filenameOf).join(', ');
  return isConfirmed(
    outside.length === 1
      ? l10n.t('Copy “{0}” beside “{1}”?', names, filenameOf(runFile))
      : l10n.t('Copy {0} files beside “{1}”?', outside.length, filenameOf(runFile)),
    rule(names),
    l10n.t('Copy'),
  );
}

/** Under a name that is free there. */
async function copyBeside(uri: vscode.Uri, runFile: vscode.Uri): Promise<vscode.Uri> {
  const { name, ext } = posix.parse(filenameOf(uri));
  const place = await freePlace(vscode.Uri.joinPath(runFile, '..'), name, ext);
  await vscode.workspace.fs.copy(uri, place);
  return place;
}
