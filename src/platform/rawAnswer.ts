import * as vscode from 'vscode';
import type { RawAnswer } from '../service/client';

/** Opens an answer's body as it came, as an untitled document; JSON is laid out over lines, and otherwise untouched. */
export async function openRawAnswer({ bytes, contentType }: RawAnswer): Promise<void> {
  const text = new TextDecoder().decode(bytes);
  const json = laidOut(text);
  const document = await vscode.workspace.openTextDocument({
    language: json !== undefined ? 'json' : contentType.includes('html') ? 'html' : 'plaintext',
    content: json ?? text,
  });
  await vscode.window.showTextDocument(document, { preview: true });
}

function laidOut(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return undefined;
  }
}
