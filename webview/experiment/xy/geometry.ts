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

export function plotWindow(
  { top, left, width, height }: GridScroll,
  size: PlotSize,
  { x, y }: Pick<PlotCounts, 'x' | 'y'>,
): PlotWindow {
  return {
    x: windowOf(left, Math.max(width - size.headWidth, size.width), size.width, x),
    y: windowOf(top, Math.max(height - size.headHeight, size.height), size.height, y),
  };
}

export interface PlotPoint {
  readonly x: number;
  readonly y: number;
}
