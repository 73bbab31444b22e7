import * as vscode from 'vscode';
import { plain, plainOptions } from './plainProperties';

/** The system's dialogs for files; their own texts are plain. */
export function showOpenDialog(options: vscode.OpenDialogOptions): Thenable<vscode.Uri[] | undefined> {
  return vscode.window.showOpenDialog(plainOptions(options, { title: plain, openLabel: plain }));
}

export function showSaveDialog(options: vscode.SaveDialogOptions): Thenable<vscode.Uri | undefined> {
  return vscode.window.showSaveDialog(plainOptions(options, { title: plain, saveLabel: plain }));
}
