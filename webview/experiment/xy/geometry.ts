import { type Window, windowOf } from '../../shared/results/windowed';
import type { GridScroll } from '../gridGeometry';

/** Pixels. */
const HEAD_HEIGHT = 34;
const HEAD_WIDTH = 150;
/** Of a narrow plot. */
const HEAD_SHARE = 0.25;
/** The least size of a cell: a picture is seen, a number is read. */
const LEAST = { picture: { width: 72, height: 72 }, text: { width: 72, height: 34 } };
/** A cell of text or of a number needs no more. */
const MOST_TEXT = { width: 420, height: 150 };
/** Most of the longer side of a cell with a picture, for one of its shorter side. */
const WIDEST = 1.6;
/** Side of larger cells, by zoom; 0 fits all cells into sight. */
const SIDES = [0, 160, 260, 400, 640] as const;
export const MOST_PLOT_ZOOM = SIDES.length - 1;

export interface PlotSize {
  readonly headWidth: number;
  readonly headHeight: number;
  readonly width: number;
  readonly height: number;
}

export interface PlotCounts {
  readonly x: number;
  readonly y: number;
  /** Heads of rows are shown. */
  readonly hasY: boolean;
  readonly hasPictures: boolean;
}

/** Cells as large as all of them fit into the box, but for a least size. */
export function plotSize(
  box: { readonly width: number; readonly height: number },
  { x, y, hasY, hasPictures }: PlotCounts,
  zoom = 0,
): PlotSize {
  const headWidth = hasY ? Math.round(Math.min(HEAD_WIDTH, box.width * HEAD_SHARE)) : 0;
  const least = hasPictures ? LEAST.picture : LEAST.text;
  const side = SIDES[Math.min(MOST_PLOT_ZOOM, Math.max(0, zoom))]!;
  const fitting = {
    width: Math.floor((box.width - headWidth) / Math.max(1, x)),
    height: Math.floor((box.height - HEAD_HEIGHT) / Math.max(1, y)),
  };
  if (side > 0)
    return {
      headWidth,
      headHeight: HEAD_HEIGHT,
      width: side,
      height: hasPictures ? side : Math.min(side, MOST_TEXT.height),
    };
  // A picture has no use for more beside it.
  const most = hasPictures ? { width: WIDEST * fitting.height, height: WIDEST * fitting.width } : MOST_TEXT;
  return {
    headWidth,
    headHeight: HEAD_HEIGHT,
    width: Math.round(Math.max(least.width, Math.min(fitting.width, most.width))),
    height: Math.round(Math.max(least.height, Math.min(fitting.height, most.height))),
  };
}

export interface PlotWindow {
  readonly x: Window;
  readonly y: Window;
}

/** The present window as long as it holds all that is in sight: a scroll of a few pixels draws nothing. */
export function plotWindow(
  { top, left, width, height }: GridScroll,
  size: PlotSize,
  { x, y }: Pick<PlotCounts, 'x' | 'y'>,
  present?: PlotWindow,
): PlotWindow {
  const next = {
    x: windowOf(left, Math.max(width - size.headWidth, size.width), size.width, x),
    y: windowOf(top, Math.max(height - size.headHeight, size.height), size.height, y),
  };
  if (!present) return next;
  const inSight = {
    x: inSightOf(left, width - size.headWidth, size.width, x),
    y: inSightOf(top, height - size.headHeight, size.height, y),
  };
  return holds(present.x, inSight.x, x) && holds(present.y, inSight.y, y) ? present : next;
}

function inSightOf(scrolled: number, length: number, each: number, count: number): Window {
  return {
    first: Math.max(0, Math.floor(scrolled / each)),
    last: Math.min(count, Math.ceil((scrolled + length) / each)),
  };
}

function holds({ first, last }: Window, inSight: Window, count: number): boolean {
  return last <= count && first <= inSight.first && last >= inSight.last;
}

export interface PlotPoint {
  readonly x: number;
  readonly y: number;
}
