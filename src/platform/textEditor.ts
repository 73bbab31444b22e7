import type { ParseError } from 'jsonc-parser';
import * as vscode from 'vscode';
import type { ResponseBody } from '../contributions';

/** Opens a text as an untitled document. */
export async function openText(
  content: string,
  language: string,
  options: vscode.TextDocumentShowOptions = { preview: true },
): Promise<void> {
  await vscode.window.showTextDocument(
    await vscode.workspace.openTextDocument({ content, language }),
    options,
  );
}

/** Opens a response's body as it came, as an untitled document; JSON is laid out over lines, and otherwise untouched. */
export async function openRawResponse({ bytes, contentType }: ResponseBody): Promise<void> {
  const text = new TextDecoder().decode(bytes);
  const json = await laidOut(text);
  const other = contentType.includes('html') ? 'html' : 'plaintext';
  await openText(json ?? text, json === undefined ? other : 'json');
}

/** Formats the text itself: parsing and printing would round long numbers and drop repeated names. */
async function laidOut(text: string): Promise<string | undefined> {
  const { applyEdits, format, parseTree } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true });
  if (errors.length > 0) return undefined;
  return applyEdits(text, format(text, undefined, { insertSpaces: true, tabSize: 2 }));
}
