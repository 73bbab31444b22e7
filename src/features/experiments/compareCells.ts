import { posix } from 'node:path';
import * as vscode from 'vscode';
import { FOREIGN_JSON } from '../../platform/textEditor';
import { executeBuiltIn } from '../../vscode/commands';
import { plainLine } from '../../wording/plainText';
import { CELL_TEXTS } from './names';

/** Texts of open comparisons; the oldest are forgotten, and their documents are empty when they are opened again. */
const texts = new Map<string, string>();
const MOST_TEXTS = 40;

export interface CellText {
  readonly title: string;
  readonly text: string;
}

export function cellText({ query }: vscode.Uri): string {
  return texts.get(query) ?? '';
}

/** Shows the differences of two cells in VS Code's own diff editor. */
export async function compareCells(first: CellText, second: CellText): Promise<void> {
  const [left, right] = [documentOf(first), documentOf(second)];
  await executeBuiltIn('vscode.diff', left, right, `${plainLine(first.title)} ↔ ${plainLine(second.title)}`, {
    viewColumn: vscode.ViewColumn.Active,
  });
}

let count = 0;

function documentOf({ title, text }: CellText): vscode.Uri {
  const key = String(++count);
  texts.set(key, text);
  for (const oldest of texts.keys()) {
    if (texts.size <= MOST_TEXTS) break;
    texts.delete(oldest);
  }
  const name = posix.basename(plainLine(title).replaceAll(/[\\/]/g, '-'));
  return vscode.Uri.from({ scheme: CELL_TEXTS, path: `/${name}.${FOREIGN_JSON}`, query: key });
}
