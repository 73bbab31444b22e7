import * as vscode from 'vscode';
import type { Dataset } from '../../domain/dataset';
import { saveTable, type TableFormat } from '../../platform/saveTable';
import type { FoundHits } from './searchHits';

/** Saves the hits of a search as a table. */
export async function exportHits(
  { scope }: Dataset,
  { hits, measure }: FoundHits,
  format: TableFormat,
): Promise<void> {
  const header = ['rank', 'id', measure, 'path', 'about'];
  const rows = hits.map(({ id, score, about, uri }, index) => [
    index + 1,
    id,
    score,
    uri && vscode.workspace.asRelativePath(uri),
    about,
  ]);
  const json = rows.map((row) => Object.fromEntries(header.map((name, column) => [name, row[column]])));
  await saveTable(`search-${scope}`, format, { header, rows, json });
}
