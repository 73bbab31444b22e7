import * as vscode from 'vscode';
import { askSavePlace } from '../vscode/dialogs';

export type TableFormat = 'csv' | 'json';
type SavedValue = string | number | undefined;

export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly SavedValue[])[];
}

/** Writes a table to a file that the user chooses, and opens it. */
export async function saveTable(name: string, format: TableFormat, table: Table): Promise<void> {
  const target = await askSavePlace(`${name}.${format}`, { filters: { [format.toUpperCase()]: [format] } });
  if (!target) return;
  const text = format === 'json' ? jsonOf(table) : await csvOf(table);
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  await vscode.window.showTextDocument(target);
}

/** A list of objects. */
function jsonOf({ header, rows }: Table): string {
  const members = rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at]])));
  return `${JSON.stringify(members, null, 2)}\n`;
}

/** A spreadsheet runs text that begins like a formula ("=", "+", "-", "@"), so that is escaped; numbers are not. */
async function csvOf({ header, rows }: Table): Promise<string> {
  const { stringify } = await import('csv-stringify/sync');
  return stringify([header, ...rows], {
    // Without the mark, Excel takes UTF-8 for the code page of its system.
    bom: true,
    escape_formulas: true,
    // Where a comma is the decimal sign, spreadsheets split at semicolons: a formula could follow one.
    quoted_match: /[;\t]/,
    cast: {
      string: (value) => (/^-?\d+(\.\d+)?$/.test(value) ? { value, escape_formulas: false } : value),
    },
  });
}
