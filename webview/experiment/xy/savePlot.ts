import * as l10n from '@vscode/l10n';
import type { ShownCell } from '../../../src/protocol/experiment';
import { formatNumber } from '../../../src/wording/number';
import { base64Of, loaded, pngOf } from '../../shared/picture';
import { decodeInTurn } from '../../shared/thumbnail';
import { stateText } from '../cells';
import type { GridScroll } from '../gridGeometry';
import { type Axis, INPUTS, type Layout, valueText } from './axes';
import { type PlotRange, pageSize, shareOf } from './pageCells';
import type { XyPlot } from './plot';

/** Cells of one picture: of more, none could be read. */
const MOST_CELLS = 2_500;
/** Pixels of the whole picture, tried in this order until its file is small enough. */
const AREAS = [24_000_000, 12_000_000, 6_000_000, 3_000_000];
/** Characters of base64 that the host takes. */
const LONGEST_FILE = 20_000_000;
/** Browsers draw no longer side. */
const LONGEST_SIDE = 16_000;
const PICTURE_SIDE = { most: 640, least: 32 };
const TEXT_CELL = { width: 280, height: 96 };
/** Of cells up to a width; larger ones have larger texts. */
const TEXT = { font: 16, line: 22, gap: 8, head: 200, upTo: 320 };
/** Lines above the plot, and of a head of a column. */
const CAPTION_LINES = 8;
const HEAD_LINES = 2;

/** Saves the page of the plot as one PNG, to a file that the user chooses. */
export async function savePlot(plot: XyPlot, layout: Layout): Promise<void> {
  const { x, y } = pageSize(layout);
  if (x * y > MOST_CELLS)
    throw new Error(
      l10n.t(
        'A picture of {0} cells could not be read; {1} are possible. Choose other axes.',
        formatNumber(x * y),
        formatNumber(MOST_CELLS),
      ),
    );
  const page = await pageOf(plot, layout);
  for (const area of AREAS) {
    const canvas = await drawn(page, area);
    const png = canvas && (await pngOf(canvas).catch(() => undefined));
    const content = png && (await base64Of(png));
    if (content && content.length <= LONGEST_FILE)
      return plot.page.host.call('saveChart', { name: 'xy', format: 'png', content });
  }
  throw new Error(l10n.t('This page is too large for one PNG. Choose axes with fewer values.'));
}

interface DrawnPage {
  readonly title: string;
  readonly caption: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly string[];
  /** Row by row; undefined where there is no such run. */
  readonly cells: readonly (ShownCell | undefined)[];
  readonly range: PlotRange | undefined;
}

async function pageOf(plot: XyPlot, layout: Layout): Promise<DrawnPage> {
  const { x, y } = pageSize(layout);
  const { head, axes } = plot;
  if (!plot.figure) await plot.cells.load(layout, plot.view);
  const textAt = (axis: Axis | undefined, at: number) => {
    if (!axis) return '';
    if (axis.key !== INPUTS) return `${axis.name} ${valueText(axis, at, head.locale)}`;
    const { name = '', inputs = [] } = plot.cells.head(at) ?? {};
    return inputs.map(({ text }) => text).join(' ') || name;
  };
  const texts = (axis: Axis | undefined, count: number) =>
    Array.from({ length: count }, (_, at) => textAt(axis, at));
  return {
    title: head.name,
    caption: [
      ...(plot.figure ? [plot.figure.name] : []),
      ...(axes?.fixed ?? []).map(({ text }) => text),
      ...layout.pages.map(({ axis, at }) => textAt(axis, at)),
    ],
    columns: texts(layout.x, x),
    rows: layout.y ? texts(layout.y, y) : [],
    cells: Array.from({ length: x * y }, (_, at) => {
      const place = layout.cellAt(at % x, Math.floor(at / x));
      return place && plot.cellOf(place);
    }),
    range: plot.range,
  };
}

interface Sizes {
  readonly text: TextSize;
  readonly headWidth: number;
  readonly width: number;
  readonly height: number;
}

interface TextSize {
  readonly font: number;
  readonly line: number;
  readonly gap: number;
}

function textSize(width: number): TextSize & { readonly head: number } {
  const scale = Math.max(1, width / TEXT.upTo);
  const scaled = (length: number) => Math.round(length * scale);
  return { font: scaled(TEXT.font), line: scaled(TEXT.line), gap: scaled(TEXT.gap), head: scaled(TEXT.head) };
}

/** Undefined: the pictures would be too small in so few pixels. */
async function drawn(page: DrawnPage, area: number): Promise<HTMLCanvasElement | undefined> {
  const [x, y] = [page.columns.length, page.cells.length / page.columns.length];
  const size = await sizesOf(page, { x, y }, area);
  if (!size) return undefined;
  const canvas = document.createElement('canvas');
  const { text } = size;
  const { line, gap } = text;
  const width = Math.max(480, size.headWidth + x * size.width);
  canvas.width = width;
  const context = canvas.getContext('2d')!;
  const { color, backgroundColor, fontFamily } = getComputedStyle(document.body);
  const begin = () => {
    context.font = `${text.font}px ${fontFamily}`;
    context.textBaseline = 'top';
    context.fillStyle = color;
  };
  begin();
  const caption = page.caption
    .flatMap((own) => wrappedLines(context, own, width - 2 * gap, CAPTION_LINES))
    .slice(0, CAPTION_LINES);
  const top = 2 * gap + line * (1 + caption.length);
  const head = HEAD_LINES * line + gap;
  // A new height clears the canvas and its settings.
  canvas.height = top + head + y * size.height + gap;
  context.fillStyle = backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  begin();
  for (const [at, own] of [page.title, ...caption].entries()) context.fillText(own, gap, gap + at * line);
  /** -1: the heads of rows, and of columns. */
  const box = (column: number, row: number): Box => ({
    left: column < 0 ? 0 : size.headWidth + column * size.width,
    top: row < 0 ? top : top + head + row * size.height,
    width: column < 0 ? size.headWidth : size.width,
    height: row < 0 ? head : size.height,
    text,
  });
  for (const [at, own] of page.columns.entries()) drawText(context, own, box(at, -1));
  for (const [at, own] of page.rows.entries()) drawText(context, own, box(-1, at));
  await Promise.all(
    page.cells.map((cell, at) => drawCell(context, cell, box(at % x, Math.floor(at / x)), page.range)),
  );
  return canvas;
}

async function sizesOf(
  { cells, rows }: DrawnPage,
  { x, y }: { readonly x: number; readonly y: number },
  area: number,
): Promise<Sizes | undefined> {
  const withHeads = (width: number, height: number): Sizes => {
    const { head, ...text } = textSize(width);
    return { text, headWidth: rows.length === 0 ? 0 : head, width, height };
  };
  const first = cells.find((cell) => cell?.src !== undefined)?.src;
  if (first === undefined) {
    const isFitting = x * TEXT_CELL.width < LONGEST_SIDE && y * TEXT_CELL.height < LONGEST_SIDE;
    return isFitting && x * y * TEXT_CELL.width * TEXT_CELL.height <= 4 * area
      ? withHeads(TEXT_CELL.width, TEXT_CELL.height)
      : undefined;
  }
  const picture = await decodeInTurn(() => loaded(first).catch(() => undefined));
  const ratio = picture ? Math.min(2, Math.max(0.5, picture.naturalWidth / picture.naturalHeight)) : 1;
  const fitting = Math.floor(
    Math.min(Math.sqrt((area / (x * y)) * ratio), (LONGEST_SIDE - 2 * TEXT.head) / x),
  );
  const width = Math.min(PICTURE_SIDE.most, fitting, Math.floor(((LONGEST_SIDE - 400) / y) * ratio));
  return width < PICTURE_SIDE.least ? undefined : withHeads(width, Math.round(width / ratio));
}

interface Box extends GridScroll {
  readonly text: TextSize;
}

async function drawCell(
  context: CanvasRenderingContext2D,
  cell: ShownCell | undefined,
  box: Box,
  range: DrawnPage['range'],
): Promise<void> {
  if (!cell) return;
  const { src } = cell;
  if (src !== undefined && (await decodeInTurn(() => drawPicture(context, src, box)))) return;
  if (cell.value !== undefined && range) drawHeat(context, shareOf(cell.value, range), cell.text, box);
  else drawText(context, wordsOf(cell), box);
}

/** The outcome of a cell, or why it has none. */
function wordsOf({ state, text }: ShownCell): string {
  if (state === 'failed' || state === 'unconfirmed' || state === 'missing')
    return [stateText(state), text].filter(Boolean).join(': ');
  return text;
}

/** A number on its colour: on the page's own ground, so that it is read on any. */
function drawHeat(context: CanvasRenderingContext2D, share: number, text: string, box: Box): void {
  const { left, top, width, height } = box;
  const isPlain = document.body.classList.contains('vscode-high-contrast');
  const colours = getComputedStyle(document.body);
  context.save();
  context.fillStyle = colours.getPropertyValue('--vscode-charts-blue').trim() || colours.color;
  context.globalAlpha = isPlain ? 1 : 0.85 * share;
  if (isPlain) context.fillRect(left, top + height - 6, width * share, 4);
  else context.fillRect(left, top, width - 1, height - 1);
  context.globalAlpha = 1;
  context.fillStyle = colours.backgroundColor;
  const { gap, line } = box.text;
  context.fillRect(left + gap / 2, top + gap / 2, context.measureText(text).width + gap, line);
  context.restore();
  drawText(context, text, box);
}

/** Whether it could be drawn. */
async function drawPicture(context: CanvasRenderingContext2D, src: string, box: Box): Promise<boolean> {
  const picture = await loaded(src).catch(() => undefined);
  if (!picture) return false;
  const { naturalWidth, naturalHeight } = picture;
  const scale = Math.min((box.width - 2) / naturalWidth, (box.height - 2) / naturalHeight);
  const [width, height] = [naturalWidth * scale, naturalHeight * scale];
  context.imageSmoothingQuality = 'high';
  const [left, top] = [box.left + (box.width - width) / 2, box.top + (box.height - height) / 2];
  context.drawImage(picture, left, top, width, height);
  return true;
}

function drawText(context: CanvasRenderingContext2D, text: string, box: Box): void {
  const { gap, line } = box.text;
  const most = Math.max(1, Math.floor((box.height - gap) / line));
  const lines = wrappedLines(context, text, box.width - 2 * gap, most);
  for (const [at, own] of lines.entries())
    context.fillText(own, box.left + gap, box.top + gap / 2 + at * line, box.width - 2 * gap);
}

/** A text in lines of a width, the last with an ellipsis where more would follow. */
function wrappedLines(
  context: CanvasRenderingContext2D,
  text: string,
  width: number,
  most: number,
): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || context.measureText(longer).width <= width) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = word;
    if (lines.length === most) {
      lines[most - 1] += ' …';
      return lines;
    }
  }
  return [...lines, line].filter((one) => one !== '');
}
