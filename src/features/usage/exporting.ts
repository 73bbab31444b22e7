import * as vscode from 'vscode';
import type { ActivityEntry } from '../../service/reading/activity';
import type { UsageSeries } from '../../service/reading/usageSeries';

type Format = 'csv' | 'json';

/** Activity as it is shown: CSV has what was understood, JSON the entries as they came. */
export async function exportActivity(entries: readonly ActivityEntry[], format: Format): Promise<void> {
  const header = ['time', 'type', 'model', 'mode', 'status', 'amount', 'currency', 'id', 'description'];
  const rows = entries.map((entry) => [
    entry.at === undefined ? '' : new Date(entry.at).toISOString(),
    entry.kind,
    entry.model,
    entry.mode,
    entry.status,
    entry.money?.amount,
    entry.money?.currency,
    entry.ids[0],
    entry.description,
  ]);
  await save(
    'activity',
    format,
    header,
    rows,
    entries.map((entry) => entry.raw),
  );
}

/** One row a time and series, one column a measure. */
export async function exportSeries(series: readonly UsageSeries[], format: Format): Promise<void> {
  const measures = [...new Set(series.flatMap((one) => one.measures.map(({ name }) => name)))];
  const rows = series.flatMap((one) =>
    one.times.map((at, index) => [
      new Date(at).toISOString(),
      one.name,
      ...measures.map((name) => one.measures.find((measure) => measure.name === name)?.values[index]),
    ]),
  );
  await save('usage', format, ['time', 'series', ...measures], rows, series);
}

async function save(
  name: string,
  format: Format,
  header: readonly string[],
  rows: readonly (readonly (string | undefined)[])[],
  json: unknown,
): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const file = `${name}-${new Date().toISOString().slice(0, 10)}.${format}`;
  const target = await vscode.window.showSaveDialog({
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, file) }),
    filters: format === 'csv' ? { CSV: ['csv'] } : { JSON: ['json'] },
  });
  if (!target) return;
  const text = format === 'json' ? `${JSON.stringify(json, null, 2)}\n` : await csv(header, rows);
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  await vscode.window.showTextDocument(target);
}

async function csv(
  header: readonly string[],
  rows: readonly (readonly (string | undefined)[])[],
): Promise<string> {
  const { stringify } = await import('csv-stringify/sync');
  // A spreadsheet runs a text that begins with "=": what a service says is text, and amounts stay numbers.
  const safe = (value: string | undefined) =>
    value !== undefined && /^[=+@\t\r]|^-(?![\d.])/.test(value) ? `'${value}` : value;
  return stringify([header, ...rows.map((row) => row.map(safe))]);
}
