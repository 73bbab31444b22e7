import * as vscode from 'vscode';
import { changeBetween } from '../runFiles/write';

/** The document of a file that an editor has, saved or not. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}

/** Replaces the text of a document, as one step that its editor can undo, without saving it. */
export async function changeText(document: vscode.TextDocument, after: string): Promise<void> {
  const before = document.getText();
  if (before === after) return;
  const { offset, length, text } = changeBetween(before, after);
  const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, range, text);
  await vscode.workspace.applyEdit(edit);
}
