import * as vscode from 'vscode';
import { safeFileName } from '../domain/fileName';
import { showSaveDialog } from './messages/fileDialogs';
import { showWarningMessage } from './messages/notifications';

/** Asks a modal question with one button; whether the user chose it. */
export async function isConfirmed(
  question: string,
  detail: string | readonly string[],
  yes: string,
): Promise<boolean> {
  return (await showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}

/**
 * Asks where to save a file, at first in the workspace. Undefined: cancelled.
 * @param name proposed; parts from a scope or a model may be invalid in a file's name
 */
export function askSavePlace(
  name: string,
  options: vscode.SaveDialogOptions,
): Thenable<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/');
  const defaultUri = vscode.Uri.joinPath(folder, safeFileName(name));
  return showSaveDialog({ ...options, defaultUri });
}
