import { realpath } from 'node:fs/promises';
import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isInside } from '../../runFiles/paths';
import { isConfirmed } from '../../vscode/dialogs';
import { nearestUri } from '../localFile';
import { isOpen } from './openTabs';

/** Most files that are listed in one question. */
const MOST_ASKED = 20;

/**
 * The dropped files of a page that may be read. VS Code shows a drop to the page alone, so the host cannot verify it.
 * Files of the open folders and of open editors, and those that `isKnown`, are accepted; for any other the user is
 * asked, by name, before it is read.
 *
 * @param texts URIs of the drop, unchanged
 * @returns the files to take, as this extension host sees them best; empty when the user declines
 */
export async function allowedDrops(
  texts: readonly string[],
  isKnown: (uri: string) => boolean = () => false,
): Promise<vscode.Uri[]> {
  const uris = await Promise.all(texts.map(plainUri));
  const far: vscode.Uri[] = [];
  for (const uri of uris)
    if (!isKnown(uri.toString()) && !isOpen(uri) && !(await isInFolder(uri))) far.push(uri);
  return far.length === 0 || (await mayUse(far)) ? uris : [];
}

async function plainUri(text: string): Promise<vscode.Uri> {
  const uri = vscode.Uri.parse(text, true);
  // “..” would look as if it were inside a folder that it leads out of.
  const plain = uri.path === '' ? uri : uri.with({ path: posix.normalize(uri.path) });
  return nearestUri(plain).catch(() => plain);
}

/** Inside a folder of this window, with links followed. */
async function isInFolder(uri: vscode.Uri): Promise<boolean> {
  if (vscode.workspace.getWorkspaceFolder(uri) === undefined) return false;
  if (uri.scheme !== 'file') return true;
  const real = await realpath(uri.fsPath).catch(() => uri.fsPath);
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    const root = await realpath(folder.uri.fsPath).catch(() => folder.uri.fsPath);
    if (isInside(real, root)) return true;
  }
  return false;
}

async function mayUse(uris: readonly vscode.Uri[]): Promise<boolean> {
  if (uris.length > MOST_ASKED)
    throw new Error(
      l10n.t(
        '{0} of these files are outside the open folders. Open their folder first, or choose the files in the file dialog.',
        uris.length,
      ),
    );
  const use = uris.length === 1 ? l10n.t('Use the File') : l10n.t('Use the Files');
  const question =
    uris.length === 1
      ? l10n.t('Use a file from outside the open folders?')
      : l10n.t('Use {0} files from outside the open folders?', uris.length);
  const sent = l10n.t('Files that you use in a run are sent to the service.');
  return isConfirmed(question, [...uris.map(droppedName), '', sent], use);
}

function droppedName(uri: vscode.Uri): string {
  return uri.scheme === 'file' ? uri.fsPath : uri.toString(true);
}
