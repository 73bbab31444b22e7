import { dirname } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { hitJudgementsOf } from '../../experiments/file/relevance';
import { htmlReport } from '../../experiments/report/html';
import { markdownSummary } from '../../experiments/report/markdown';
import type { ReportTexts } from '../../experiments/report/reportTexts';
import { type DrawSmall, reportRows } from '../../experiments/report/rows';
import { resultLines, runTable } from '../../experiments/report/runTable';
import { qrelsText } from '../../experiments/results/hitJudgements';
import { saveTable } from '../../platform/saveTable';
import type { ExportFormat, TableQuery } from '../../protocol/experiment';
import { executeBuiltIn } from '../../vscode/commands';
import { askSavePlace } from '../../vscode/dialogs';
import { showInformationMessage } from '../../vscode/messages/notifications';
import { withSlowProgress } from '../../vscode/slowProgress';
import type { HitFileOf } from './hitFileOf';
import type { ShownTable } from './shownTable';

/** Saves the shown table, in its order, to a file that the user chooses, and opens that; of a report it offers to. */
export async function exportTable(
  shown: ShownTable,
  file: vscode.Uri,
  texts: ReportTexts,
  query: TableQuery,
  format: ExportFormat,
  drawSmall: DrawSmall,
  fileOf: HitFileOf,
): Promise<void> {
  const { own, table, metrics, earlier } = shown.source;
  const order = shown.order({ ...query, fold: false }).rows;
  switch (format) {
    case 'csv':
      return saveTable(`${texts.name}-results`, 'csv', runTable(own, order, metrics));
    case 'jsonl':
      return saveText(`${texts.name}-results.jsonl`, resultLines(own, order, earlier));
    case 'markdown':
      return saveText(`${texts.name}.md`, markdownSummary(texts));
    case 'trec':
    case 'beir': {
      const text = qrelsText(await hitJudgementsOf(file.fsPath), format);
      return saveText(`${texts.name}.qrels.${format === 'trec' ? 'txt' : 'tsv'}`, text);
    }
    case 'html': {
      const rows = await withSlowProgress(l10n.t('Making the report…'), (signal) =>
        reportRows(
          {
            table,
            metrics,
            order,
            columns: query.columns,
            drawSmall,
            folder: dirname(file.fsPath),
            locale: vscode.env.language,
            others: [
              ...shown.source.others.map(({ of }) => dirname(of.file)),
              ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath),
            ],
            hitFile: async (id, column) => (await fileOf(shown, column, id))?.toString(),
            resultPath: (name, column) => shown.addresses.resultPath(name, shown.fileOf(column)),
          },
          signal,
        ),
      );
      if (!rows) return;
      return saveText(`${texts.name}.html`, htmlReport(texts, rows, vscode.env.language, order.length));
    }
  }
}

async function saveText(name: string, text: string): Promise<void> {
  const target = await askSavePlace(name, {});
  if (!target) return;
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  if (!name.endsWith('.html')) return void (await executeBuiltIn('vscode.open', target));
  const open = l10n.t('Open in Browser');
  if ((await showInformationMessage(l10n.t('The report was saved.'), open)) === open)
    await vscode.env.openExternal(target);
}

/** Saves the picture of a chart; it is not opened, since an SVG would open as text. */
export async function saveChart(name: string, format: 'png' | 'svg', content: string): Promise<void> {
  const target = await askSavePlace(name, { filters: { [format.toUpperCase()]: [format] } });
  if (!target) return;
  await vscode.workspace.fs.writeFile(target, Buffer.from(content, format === 'png' ? 'base64' : 'utf8'));
}
