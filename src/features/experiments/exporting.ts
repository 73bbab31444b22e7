import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { htmlReport, type ReportCell, type ReportRow } from '../../experiments/report/html';
import { markdownSummary } from '../../experiments/report/markdown';
import { resultLines, runRecords } from '../../experiments/report/records';
import type { ReportTexts } from '../../experiments/report/reportTexts';
import { executeBuiltIn } from '../../platform/commands';
import { askSavePlace } from '../../platform/dialogs';
import { saveTable } from '../../platform/saveTable';
import { withSlowProgress } from '../../platform/slowProgress';
import type { ExportFormat, ShownCell, TableQuery } from '../../protocol/experiment';
import { fileInside } from '../../runFiles/mediaFile';
import { contentTypeOf } from '../../runs/uploads/contentType';
import type { ShownTable } from './shownTable';

/** A smaller file stands in a report as it is, any other drawn small. */
const SMALL_PICTURE_BYTES = 8_000;
/** Of all pictures of a report, as text; those beyond stand with their names. */
const MOST_PICTURE_CHARACTERS = 3_600_000;
/** Pixels of a picture's longer side; fewer where there are many, so that all of them fit. */
const SIDE = 160;
const SIDE_OF_MANY = 96;
const MANY = 400;
/** A page that was closed or hidden meanwhile draws nothing. */
const PATIENCE_MS = 10_000;
/** Rows of a report at most; it is cut by its size too. */
const MOST_ROWS = 5_000;

/** Draws a picture small; undefined: it cannot be read. @param src where the page loads it from */
type DrawSmall = (src: string, side: number) => Promise<string | undefined>;

/** Saves what the table shows, in its order, to a file that the user chooses, and opens that. */
export async function exportTable(
  shown: ShownTable,
  file: vscode.Uri,
  texts: ReportTexts,
  query: TableQuery,
  format: ExportFormat,
  drawSmall: DrawSmall,
): Promise<void> {
  const { table, metrics } = shown.source;
  const order = shown.order({ ...query, fold: false }).rows;
  switch (format) {
    case 'csv':
      return saveTable(`${texts.name}-results`, 'csv', { ...runRecords(table, order, metrics), json: null });
    case 'jsonl':
      return saveText(`${texts.name}-results.jsonl`, resultLines(table, order));
    case 'markdown':
      return saveText(`${texts.name}.md`, markdownSummary(texts));
    case 'html': {
      const rows = await withSlowProgress(vscode.l10n.t('Making the report…'), (signal) =>
        reportRows(shown, file, { ...query, fold: false }, drawSmall, signal),
      );
      if (!rows) return;
      return saveText(`${texts.name}.html`, htmlReport(texts, rows, vscode.env.language));
    }
  }
}

async function saveText(name: string, text: string): Promise<void> {
  const target = await askSavePlace(name, {});
  if (!target) return;
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  await executeBuiltIn('vscode.open', target);
}

/** Saves the picture of a chart; it is not opened, since an SVG would open as text. */
export async function saveChart(name: string, format: 'png' | 'svg', content: string): Promise<void> {
  const target = await askSavePlace(name, { filters: { [format.toUpperCase()]: [format] } });
  if (!target) return;
  await vscode.workspace.fs.writeFile(target, Buffer.from(content, format === 'png' ? 'base64' : 'utf8'));
}

/** Undefined: it was cancelled. */
async function reportRows(
  shown: ShownTable,
  file: vscode.Uri,
  query: TableQuery,
  drawSmall: DrawSmall,
  signal: AbortSignal,
): Promise<ReportRow[] | undefined> {
  const { table } = shown.source;
  const { rows } = shown.rows(query, 0, MOST_ROWS, query.columns);
  const isMany = rows.length * (1 + query.columns.length) > MANY;
  const pictures = new Pictures(dirname(file.fsPath), drawSmall, isMany ? SIDE_OF_MANY : SIDE);
  const found: ReportRow[] = [];
  for (const { row, name, inputs, expected, cells } of rows) {
    if (signal.aborted) return undefined;
    const { files } = table.plan.items[row]!;
    const [inputCells, own] = await Promise.all([
      Promise.all(
        inputs.map(async ({ text, medium, src }): Promise<ReportCell> => {
          const path = medium === 'image' ? files.find(({ filename }) => filename === text)?.path : undefined;
          return { text, ...(await pictures.of(path, src)) };
        }),
      ),
      Promise.all(
        cells.map(async (cell, at): Promise<ReportCell> => {
          const path = resultFile(shown, row, query.columns[at]!, cell);
          return { ...cellOf(cell), ...(await pictures.of(path, cell.src)) };
        }),
      ),
    ]);
    found.push({ name, inputs: inputCells, cells: own, ...(expected !== undefined && { expected }) });
  }
  return found;
}

function resultFile(
  { source: { table } }: ShownTable,
  row: number,
  column: number,
  { kind, src }: ShownCell,
) {
  if (kind === 'media' || src === undefined) return undefined;
  return table.runs(row, column).flatMap(({ line }) => line?.result_file ?? [])[0];
}

function cellOf({ kind, text, state, score, spread, cost, time, isRight }: ShownCell): ReportCell {
  const facts = [spread, cost, time].filter((fact) => fact !== undefined).join(' · ');
  const label = score === undefined ? text : `${text} (${score.toFixed(3)})`;
  return {
    text:
      state === 'finished'
        ? label
        : `${state === 'missing' ? vscode.l10n.t('not run') : state} ${label}`.trim(),
    isCaptioned: kind !== 'picture',
    ...(facts !== '' && { facts }),
    ...(isRight !== undefined && { isRight }),
  };
}

/** Pictures of the experiment's folder as data URIs, as many as fit. */
class Pictures {
  #characters = 0;
  #isPageGone = false;

  constructor(
    private readonly folder: string,
    private readonly drawSmall: DrawSmall,
    private readonly side: number,
  ) {}

  /** @param src where the page loads it from */
  async of(path: string | undefined, src: string | undefined): Promise<Pick<ReportCell, 'picture'>> {
    if (path === undefined || this.#characters >= MOST_PICTURE_CHARACTERS) return {};
    const type = contentTypeOf(path) ?? '';
    if (!/^image\/(?:png|jpeg|gif|webp|avif)$/.test(type)) return {};
    const found = await fileInside(resolve(this.folder, path), [this.folder]);
    if (typeof found === 'string') return {};
    const isSmall = found.sizeBytes <= SMALL_PICTURE_BYTES;
    const picture = isSmall
      ? `data:${type};base64,${(await readFile(found.path)).toString('base64')}`
      : src && (await this.#drawn(src));
    if (!picture || this.#characters + picture.length > MOST_PICTURE_CHARACTERS) return {};
    this.#characters += picture.length;
    return { picture };
  }

  /** A page that did not draw one in time is not waited for again. */
  async #drawn(src: string): Promise<string | undefined> {
    if (this.#isPageGone) return undefined;
    const drawn = this.drawSmall(src, this.side).catch(() => undefined);
    const picture = await Promise.race([drawn, setTimeout(PATIENCE_MS, 'late' as const)]);
    if (picture !== 'late') return picture;
    this.#isPageGone = true;
    return undefined;
  }
}
