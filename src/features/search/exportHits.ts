import * as vscode from 'vscode';
import type { Dataset } from '../../domain/dataset';
import type { FoundHits } from './searchHits';

/** Writes the hits to a file the user picks, and opens it. */
export async function exportHits(
  dataset: Dataset,
  { hits, measure }: FoundHits,
  format: 'json' | 'csv',
): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, `search-${dataset.scope}.${format}`) }),
    filters: format === 'csv' ? { CSV: ['csv'] } : { JSON: ['json'] },
  });
  if (!target) return;
  const rows = hits.map(({ id, score, about, uri }, index) => ({
    rank: index + 1,
    id,
    ...(score !== undefined && { [measure]: score }),
    ...(uri && { path: vscode.workspace.asRelativePath(uri) }),
    ...(about !== undefined && { about }),
  }));
  const text =
    format === 'json'
      ? `${JSON.stringify(rows, null, 2)}\n`
      : await csv(rows, ['rank', 'id', measure, 'path', 'about']);
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  await vscode.window.showTextDocument(target);
}

async function csv(rows: readonly Record<string, unknown>[], columns: string[]): Promise<string> {
  const { stringify } = await import('csv-stringify/sync');
  // A spreadsheet runs a text that begins with "=": ids and words of a service are text.
  return stringify([...rows], { header: true, columns, escape_formulas: true });
}
