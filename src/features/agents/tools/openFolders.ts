import * as vscode from 'vscode';

/** The workspace folders on disk; none in Restricted Mode, where their files may steer an agent. */
export function openFolders(): string[] {
  if (!vscode.workspace.isTrusted) return [];
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
}
