import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { IdOwner } from '../../indexing/identities';
import type { Plan } from '../../indexing/plan';

/** Which files get an id beside that of another file, and which replace one that is gone; with the first of them. */
export function idLines({ separate, replacing }: Plan, scope: string): string[] {
  const lines: string[] = [];
  const [apart] = separate;
  if (apart)
    lines.push(
      separate.length === 1
        ? l10n.t(
            '1 file gets an ID of its own, because {0} already has an image of the same path from another folder: {1}, from {2}.',
            ...[scope, apart.imageId, ownerOf(apart)],
          )
        : l10n.t(
            '{0} files get IDs of their own, because {1} already has images of the same paths from another folder, such as {2}, from {3}.',
            ...[separate.length, scope, apart.imageId, ownerOf(apart)],
          ),
    );
  const [first] = replacing;
  if (first)
    lines.push(
      replacing.length === 1
        ? l10n.t('1 file replaces one that no longer exists: {0}.', ownerOf(first))
        : l10n.t(
            '{0} files replace files that no longer exist, such as {1}.',
            ...[replacing.length, ownerOf(first)],
          ),
    );
  return lines;
}

/** As the user finds the other file. */
function ownerOf({ owner }: IdOwner): string {
  const uri = vscode.Uri.parse(owner);
  return uri.scheme === 'file' ? uri.fsPath : uri.toString(true);
}
