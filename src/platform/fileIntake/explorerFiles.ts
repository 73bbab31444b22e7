import * as vscode from 'vscode';
import type { ExplorerArgs } from '../../contributions';

/** What the Explorer, an editor title or the palette pass: the selection, else the clicked file, else nothing. */
export function chosenUris([clicked, selected]: readonly [...ExplorerArgs, ...unknown[]]): vscode.Uri[] {
  const all = Array.isArray(selected) && selected.length > 0 ? selected : clicked ? [clicked] : [];
  return all.filter((uri): uri is vscode.Uri => uri instanceof vscode.Uri);
}
