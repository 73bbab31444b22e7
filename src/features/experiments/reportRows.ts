import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import type { ReportCell, ReportRow } from '../../experiments/report/html';
import { shownLine } from '../../experiments/table/cellView';
import { contentTypeOf } from '../../intake/contentType';
import type { ShownCell, TableQuery } from '../../protocol/experiment';
import { fileInside } from '../../runFiles/mediaFile';
import type { ShownTable } from './shownTable';

/** Of all pictures of a report, as text: each has its share, so that none is left out for those before it. */
const MOST_PICTURE_CHARACTERS = 3_600_000;
/** A picture alone needs no more. */
const LONGEST_PICTURE = 20_000;
/** Pixels of a picture's longer side; fewer where its share is small. */
const SIDE = 160;
/** A page that was closed or hidden meanwhile draws nothing; one photograph takes a second. */
const PATIENCE_MS = 10_000;
/** Rows of a report at most; it is cut by its size too. */
const MOST_ROWS = 5_000;

/**
 * Draws a picture small; undefined: it cannot be read, or not that small.
 * @param src where the page loads it from
 * @param most characters of its data URI
 */
export type DrawSmall = (src: string, side: number, most: number) => Promise<string | undefined>;

/**
 * The rows of a report, pictures as data URIs. Undefined: it was cancelled.
 * @param folder of the experiment
 */
export async function reportRows(
  shown: ShownTable,
  folder: string,
  query: TableQuery,
  drawSmall: DrawSmall,
  signal: AbortSignal,
): Promise<ReportRow[] | undefined> {
  const { table } = shown.source;
  const { rows } = shown.rows(query, 0, MOST_ROWS, query.columns);
  const sources = rows.flatMap(({ inputs, cells }) => [...inputs, ...cells].flatMap(({ src }) => src ?? []));
  const share = Math.min(LONGEST_PICTURE, Math.floor(MOST_PICTURE_CHARACTERS / sources.length));
  const pictures = new Pictures(folder, drawSmall, share);
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

/** Absolute. */
function resultFile(
  { source: { table }, addresses }: ShownTable,
  row: number,
  column: number,
  { kind, src }: ShownCell,
): string | undefined {
  if (kind === 'media' || src === undefined) return undefined;
  const line = shownLine(
    table,
    table.runs(row, column).flatMap((run) => run.line ?? []),
  );
  const file = line && table.outcome(line).file;
  return file === undefined ? undefined : addresses.resultPath(file);
}

function cellOf({ kind, text, state, score, spread, cost, time, isRight, more }: ShownCell): ReportCell {
  const pictures = more === undefined ? undefined : `+${more}`;
  const facts = [pictures, spread, cost, time].filter((fact) => fact !== undefined).join(' · ');
  const label = score === undefined ? text : `${text} (${score.toFixed(3)})`;
  return {
    text:
      state === 'finished' || state === 'empty'
        ? label
        : `${state === 'missing' ? l10n.t('not run') : state} ${label}`.trim(),
    isCaptioned: kind !== 'picture',
    ...(facts !== '' && { facts }),
    ...(isRight !== undefined && { isRight }),
  };
}

/** Pictures of the experiment's folder as data URIs. */
class Pictures {
  #isPageGone = false;
  #answers = 0;

  /** @param share most characters of one */
  constructor(
    private readonly folder: string,
    private readonly drawSmall: DrawSmall,
    private readonly share: number,
  ) {}

  /** @param src where the page loads it from */
  async of(path: string | undefined, src: string | undefined): Promise<Pick<ReportCell, 'picture'>> {
    if (path === undefined) return {};
    const type = contentTypeOf(path) ?? '';
    if (!/^image\/(?:png|jpeg|gif|webp|avif)$/.test(type)) return {};
    const found = await fileInside(resolve(this.folder, path), [this.folder]);
    if (typeof found === 'string') return {};
    // A small picture is used unchanged.
    const isSmall = asText(type, found.sizeBytes) <= this.share;
    const picture = isSmall
      ? `data:${type};base64,${(await readFile(found.path)).toString('base64')}`
      : src && (await this.#drawn(src));
    return picture && picture.length <= this.share ? { picture } : {};
  }

  /** Those of a row wait for one another. A page that has drawn none of them in time is not waited for again. */
  async #drawn(src: string): Promise<string | undefined> {
    if (this.#isPageGone) return undefined;
    const drawing = this.drawSmall(src, SIDE, this.share)
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
