import * as vscode from 'vscode';
import { linksOut } from '../intake/linksOut';

/**
 * Files of the workspace, or below the base of a pattern, without those in `node_modules` and below links that lead out:
 * VS Code's search follows links, and one to `/` would have it read all disks.
 */
export async function searchFiles(
  include: string | vscode.RelativePattern,
  most?: number,
): Promise<vscode.Uri[]> {
  const roots =
    typeof include === 'string'
      ? (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri)
      : [include.baseUri];
  const links = await Promise.all(roots.map((root) => (root.scheme === 'file' ? linksOut(root.fsPath) : [])));
  const exclude = ['**/node_modules/**', ...links.flat().map((link) => `${escaped(link)}/**`)];
  return vscode.workspace.findFiles(include, `{${exclude.join(',')}}`, most);
}

/** A path as a part of a glob. */
function escaped(path: string): string {
  return path.replaceAll(/[*?[\]{},!\\]/g, '[$&]');
}
