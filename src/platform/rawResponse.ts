import type { ParseError } from 'jsonc-parser';
import * as vscode from 'vscode';
import type { ResponseBody } from '../contributions';

/** Opens a response's body as it came, as an untitled document; JSON is laid out over lines, and otherwise untouched. */
export async function openRawResponse({ bytes, contentType }: ResponseBody): Promise<void> {
  const text = new TextDecoder().decode(bytes);
  const json = await laidOut(text);
  const document = await vscode.workspace.openTextDocument({
    language: json !== undefined ? 'json' : contentType.includes('html') ? 'html' : 'plaintext',
    content: json ?? text,
  });
  await vscode.window.showTextDocument(document, { preview: true });
}

/** Formats the text itself: parsing and printing would round long numbers and drop repeated names. */
async function laidOut(text: string): Promise<string | undefined> {
  const { applyEdits, format, parseTree } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true });
  if (errors.length > 0) return undefined;
  return applyEdits(text, format(text, undefined, { insertSpaces: true, tabSize: 2 }));
}
