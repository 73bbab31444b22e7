import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { contextKeys } from '../contributions';
import type { ResponseBody } from '../domain/response';
import { executeBuiltIn } from '../vscode/commands';
import { formatBytes } from '../wording/bytes';
import { isWanted } from './longTexts';

/**
 * JSON of a service as a language: colored as JSON, but not one of those that VS Code's JSON language server reads, which
 * requests the address of any `$schema`.
 */
export const FOREIGN_JSON = 'jsonl';
const READ_BY_SERVER: ReadonlySet<string> = new Set(['json', 'jsonc', 'snippets']);

/** Opens a text as an untitled document; asks first about one that would hold up the window. */
export async function openText(
  text: string,
  language: string,
  options: vscode.TextDocumentShowOptions = { preview: true },
): Promise<vscode.TextEditor | undefined> {
  const size = formatBytes(text.length, vscode.env.language);
  const question = l10n.t('Open {0} of text in an editor?', size);
  if (!(await isWanted(text, question, l10n.t('Open')))) return undefined;
  const document = await vscode.workspace.openTextDocument({
    content: text,
    language: READ_BY_SERVER.has(language) ? FOREIGN_JSON : language,
  });
  return vscode.window.showTextDocument(document, options);
}

/** Opens a response's raw body as an untitled document; JSON is laid out over lines, and otherwise untouched. */
export async function openRawResponse({ bytes, contentType }: ResponseBody): Promise<void> {
  const { readableBody } = await import('./jsonText');
  const { text, isJson } = readableBody(bytes, contentType);
  const other = contentType.includes('html') ? 'html' : 'plaintext';
  const editor = await openText(text, isJson ? 'json' : other);
  if (editor && isJson) pointable.push(editor.document.uri.path);
  // Its values have a menu for naming their parts.
  await executeBuiltIn('setContext', contextKeys.rawResponses, [...pointable]);
}

/** Paths of untitled documents with responses. */
const pointable: string[] = [];

/** Opens a JSON value as an untitled document and selects the value at a JSON pointer. */
export async function openJson(value: unknown, at: string): Promise<void> {
  const { jsonTextAt } = await import('./jsonText');
  const { text, from, to } = jsonTextAt(value, at);
  const editor = await openText(text, 'json');
  if (!editor) return;
  const range = new vscode.Range(editor.document.positionAt(from), editor.document.positionAt(to));
  editor.selection = new vscode.Selection(range.start, range.end);
  editor.revealRange(range, vscode.TextEditorRevealType.AtTop);
}
