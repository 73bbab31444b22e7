import * as vscode from 'vscode';
import type { CommandId } from '../contributions';

/** A row of a tree view with these properties. */
export function treeRow(label: string, properties: Partial<vscode.TreeItem>): vscode.TreeItem {
  return Object.assign(new vscode.TreeItem(label), properties);
}

/** The last row of a long list: a click runs the command that shows more of it. */
export function moreRow(id: string, left: number, command: CommandId, argument: unknown): vscode.TreeItem {
  const title = vscode.l10n.t('Show more ({0} left)', left);
  const iconPath = new vscode.ThemeIcon('ellipsis');
  return treeRow(title, { id, iconPath, command: { command, title, arguments: [argument] } });
}
