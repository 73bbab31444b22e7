import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as l10n from '@vscode/l10n';
import { contentTypeOf } from '../../intake/contentType';
import { fileInside } from '../../runFiles/mediaFile';
import { formatScore } from '../../wording/score';
import type { Metric } from '../metrics/metrics';
import { expectedText, itemInputs, rowName } from '../table/itemTexts';
import type { ExperimentTable } from '../table/table';
import { type TableCell, tableCell } from '../table/tableCell';
import type { ReportCell, ReportRow } from './html';
import { withoutMetadata } from './withoutMetadata';

/** Of all pictures of a report, as text: each has its share, so that none is left out for those before it. */
const MOST_PICTURE_CHARACTERS = 3_600_000;
/** A picture alone needs no more. */
const LONGEST_PICTURE = 20_000;
/** Where none can be drawn small, larger ones are better than none. */
const LONGEST_UNDRAWN = 300_000;
/** Pixels of a picture's longer side; fewer where its share is small. */
const SIDE = 160;
/** A page that was closed or hidden meanwhile draws nothing; one photograph takes a second. */
const PATIENCE_MS = 10_000;
/** Rows of a report at most; it is cut by its size too. */
const MOST_ROWS = 5_000;

/** A picture of a report: an input by its URI, or one of a result by its name in the line. */
type PictureSource = { readonly uri: string } | { readonly name: string; readonly column: number };

/**
 * Draws a picture small; undefined: it cannot be read, or not that small.
 * @param most characters of its data URI
 */
export type DrawSmall = (source: PictureSource, side: number, most: number) => Promise<string | undefined>;

export interface ReportSource {
  readonly table: ExperimentTable;
  readonly metrics: readonly Metric[];
  /** Rows of the table in the order of the report; the columns that are shown. */
  readonly order: readonly number[];
  readonly columns: readonly number[];
  /** Absolute path of the experiment's folder. */
  readonly folder: string;
  /** Absolute paths of further folders with pictures of results. */
  readonly others?: readonly string[];
  readonly locale: string;
  /** The absolute path of a result's file; undefined: it may not be shown. */
  resultPath(name: string, column: number): string | undefined;
  /** The URI of the user's own file of a hit in a column. */
  hitFile?(id: string, column: number): Promise<string | undefined>;
  /** Missing: only pictures that are small already are shown. */
  readonly drawSmall?: DrawSmall;
}

/** The rows of a report, pictures as data URIs. Undefined: it was cancelled. */
export async function reportRows(
  source: ReportSource,
  signal: AbortSignal,
): Promise<ReportRow[] | undefined> {
  const { table, metrics, columns, folder, others = [], locale, drawSmall } = source;
  const rows = source.order.slice(0, MOST_ROWS).map((row) => {
    const item = table.plan.items[row]!;
    return {
      item,
      inputs: itemInputs(item),
      cells: columns.map((column) => tableCell(table, row, column, metrics, locale)),
    };
  });
  const count = rows.reduce(
    (sum, { inputs, cells }) =>
      sum +
      inputs.filter(({ uri }) => uri !== undefined).length +
      cells.reduce((own, cell) => own + (cell.hits?.length ?? Number(cell.file !== undefined)), 0),
    0,
  );
  const longest = drawSmall ? LONGEST_PICTURE : LONGEST_UNDRAWN;
  const share = Math.min(longest, Math.floor(MOST_PICTURE_CHARACTERS / Math.max(1, count)));
  const pictures = new Pictures([folder, ...others], drawSmall, share);
  const sections: ReportRow[] = [];
  for (const { item, inputs, cells } of rows) {
    if (signal.aborted) return undefined;
    const [inputCells, own] = await Promise.all([
      Promise.all(
        inputs.map(async ({ text, medium, uri }): Promise<ReportCell> => {
          const file = medium === 'image' ? item.files.find((one) => one.uri === uri) : undefined;
          return { text, ...(file && (await pictures.of(file.path, { uri: file.uri }))) };
        }),
      ),
      Promise.all(
        cells.map(async (cell, at): Promise<ReportCell> => {
          const { kind, file: name, hits } = cell;
          if (hits && source.hitFile) {
            const shown = hits.map(async ({ id, mark }): Promise<ReportCell> => {
              const uri = await source.hitFile?.(id, columns[at]!);
              const drawn = uri?.startsWith('file:') && (await pictures.of(fileURLToPath(uri), { uri }));
              return { text: id, ...(mark && { isRight: mark === 'right' }), ...drawn };
            });
            return { ...reportCell(cell, locale), hits: await Promise.all(shown) };
          }
          if (kind === 'media' || name === undefined) return reportCell(cell, locale);
          const column = columns[at]!;
          const path = source.resultPath(name, column);
          return { ...reportCell(cell, locale), ...(path && (await pictures.of(path, { name, column }))) };
        }),
      ),
    ]);
    sections.push({ name: rowName(item), inputs: inputCells, cells: own, ...expectedText(item.expected) });
  }
  return sections;
}

function reportCell(
  { kind, text, state, score, spread, cost, time, isRight, more }: TableCell,
  locale: string,
): ReportCell {
  if (state === 'empty') return { text: '' };
  const pictures = more === undefined ? undefined : `+${more}`;
  const facts = [pictures, spread, cost, time].filter((fact) => fact !== undefined).join(' · ');
  const label = score === undefined ? text : `${text} (${formatScore(score, locale)})`;
  return {
    text: state === 'finished' ? label : `${state === 'missing' ? l10n.t('not run') : state} ${label}`.trim(),
    isCaptioned: kind !== 'picture',
    ...(facts !== '' && { facts }),
    ...(isRight !== undefined && { isRight }),
  };
}

/** Pictures as data URIs. */
class Pictures {
  #isPageGone = false;
  #answers = 0;

  /**
   * @param folders that of the experiment, and others that pictures may be in
   * @param share most characters of one
   */
  constructor(
    private readonly folders: readonly [string, ...string[]],
    private readonly drawSmall: DrawSmall | undefined,
    private readonly share: number,
  ) {}

  /** @param path absolute, or relative to the first folder */
  async of(path: string, source: PictureSource): Promise<Pick<ReportCell, 'picture'>> {
    const type = contentTypeOf(path);
    if (!/^image\/(?:png|jpeg|gif|webp|avif)$/.test(type)) return {};
    const file = await fileInside(resolve(this.folders[0], path), this.folders);
    if (typeof file === 'string') return {};
    // A small one loses only its metadata: to redraw it would cost quality.
    const isSmall = asText(type, file.sizeBytes) <= this.share;
    const kept = isSmall ? withoutMetadata(await readFile(file.path)) : undefined;
    const picture = kept
      ? `data:${type};base64,${Buffer.from(kept).toString('base64')}`
      : await this.#drawn(source);
    return picture && picture.length <= this.share ? { picture } : {};
  }

  /** Those of a row wait for one another. A page that has drawn none of them in time is not waited for again. */
  async #drawn(source: PictureSource): Promise<string | undefined> {
    if (this.#isPageGone || !this.drawSmall) return undefined;
    const drawing = this.drawSmall(source, SIDE, this.share)
      .catch(() => undefined)
      .finally(() => {
        this.#answers += 1;
      });
    for (let before = this.#answers; !this.#isPageGone; before = this.#answers) {
      const picture = await Promise.race([drawing, setTimeout(PATIENCE_MS, 'late' as const)]);
      if (picture !== 'late') return picture;
      this.#isPageGone = this.#answers === before;
    }
    return undefined;
  }
}

/** Characters of a data URI. */
function asText(type: string, bytes: number): number {
  return `data:${type};base64,`.length + 4 * Math.ceil(bytes / 3);
}
