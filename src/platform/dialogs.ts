import * as vscode from 'vscode';

/** Asks a modal question with one button; whether the user chose it. */
export async function isConfirmed(question: string, detail: string, yes: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}

/** Asks where to save a file, at first in the workspace. Undefined: cancelled. */
export function askSavePlace(
  name: string,
  options: vscode.SaveDialogOptions,
): Thenable<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const defaultUri = folder ? vscode.Uri.joinPath(folder, name) : vscode.Uri.file(`/${name}`);
  return vscode.window.showSaveDialog({ ...options, defaultUri });
}
