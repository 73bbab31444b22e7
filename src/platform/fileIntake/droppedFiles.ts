import { realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { nearestUri } from '../localFile';
import { isOpen } from './openFiles';

/** As many as a person reads before saying yes. */
const MOST_ASKED = 20;

/**
 * Which of the files that a page says were dropped on it may be read. VS Code shows a drop to the page alone, so
 * there is nothing but the page's word for it. Files of the open folders and of open editors are taken on it, and
 * what `isKnown` tells; about any other the user is asked by name, before anything of it is read.
 *
 * @param texts URIs as they were dropped
 * @returns the files to take, as this extension host sees them best; none when the user says no
 */
export async function allowedDrops(
  texts: readonly string[],
  isKnown: (uri: string) => boolean = () => false,
): Promise<vscode.Uri[]> {
  const uris = await Promise.all(texts.map(plainUri));
  const far: vscode.Uri[] = [];
  for (const uri of uris) {
    if (isKnown(uri.toString()) || isOpen(uri) || (await isInFolder(uri))) continue;
    far.push(uri);
  }
  return far.length === 0 || (await isMeant(far)) ? uris : [];
}

async function plainUri(text: string): Promise<vscode.Uri> {
  const uri = vscode.Uri.parse(text, true);
  // “..” would look as if it were inside a folder that it leads out of.
  const plain = uri.path === '' ? uri : uri.with({ path: path.posix.normalize(uri.path) });
  return nearestUri(plain).catch(() => plain);
}

/** Inside a folder of this window, also when links are followed. */
async function isInFolder(uri: vscode.Uri): Promise<boolean> {
  if (vscode.workspace.getWorkspaceFolder(uri) === undefined) return false;
  if (uri.scheme !== 'file') return true;
  const real = await realpath(uri.fsPath).catch(() => uri.fsPath);
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    const root = await realpath(folder.uri.fsPath).catch(() => folder.uri.fsPath);
    const inside = path.relative(root, real);
    if (inside !== '..' && !inside.startsWith(`..${path.sep}`) && !path.isAbsolute(inside)) return true;
  }
  return false;
}

async function isMeant(uris: readonly vscode.Uri[]): Promise<boolean> {
  if (uris.length > MOST_ASKED)
    throw new Error(
      vscode.l10n.t(
        'These are {0} files from outside the open folders. Open their folder first, or choose them by a click.',
        uris.length,
      ),
    );
  const use = uris.length === 1 ? vscode.l10n.t('Use the File') : vscode.l10n.t('Use the Files');
  const question =
    uris.length === 1
      ? vscode.l10n.t('Use a file from outside the open folders?')
      : vscode.l10n.t('Use {0} files from outside the open folders?', uris.length);
  const chosen = await vscode.window.showWarningMessage(
    question,
    {
      modal: true,
      detail: `${uris.map(nameOf).join('\n')}\n\n${vscode.l10n.t('What you run a model on is sent to the service.')}`,
    },
    use,
  );
  return chosen === use;
}

/** On one line, whatever is in the name. */
function nameOf(uri: vscode.Uri): string {
  return (uri.scheme === 'file' ? uri.fsPath : uri.toString(true)).replaceAll(/\p{Cc}/gu, '�');
}
