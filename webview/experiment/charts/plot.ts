import { nothing, svg, type TemplateResult } from 'lit';
import { greatestOf, leastOf } from '../../../src/domain/many';

/**
 * A chart in SVG: it scales, follows the theme by its colours, and is saved unchanged. All sizes are of its view box.
 */
export const WIDTH = 560;
export const HEIGHT = 300;
export const PLOT = { left: 64, right: 32, top: 12, bottom: 44 } as const;

/** Theme colours of series; beside them, dashes tell series apart. */
const COLOURS = ['blue', 'orange', 'green', 'purple', 'red', 'yellow'].map(
  (name) => `var(--vscode-charts-${name}, currentColor)`,
);
const DASHES = ['', '6 4', '2 3', '10 4 2 4', '1 2', '12 6'];

export function colourOf(series: number): string {
  return COLOURS[series % COLOURS.length]!;
}

export function dashOf(series: number): string {
  return DASHES[(series + Math.floor(series / COLOURS.length)) % DASHES.length]!;
}

export interface Axis {
  /** Ascending; the first and the last are the ends of the axis. */
  readonly ticks: readonly number[];
  readonly label: string;
  readonly text: (value: number) => string;
}

/** Of the values: ticks are rounded to twelve digits, and their distance has to be more. */
const LEAST_SPAN = 1e-9;

const TICKS = 5;

/**
 * Round numbers that cover all values ("Nice numbers for graph labels", P. Heckbert in Graphics Gems, 1990).
 * @param values at least one, finite
 */
export function niceTicks(values: readonly number[]): number[] {
  const [low, high] = [leastOf(values), greatestOf(values)];
  const size = Math.max(Math.abs(low), Math.abs(high));
  // Values that differ only in their last digits count as one: ticks between them would look the same.
  const span = high - low > size * LEAST_SPAN ? high - low : size || 1;
  const power = 10 ** Math.floor(Math.log10(span / TICKS));
  const step = ([1, 2, 5].find((factor) => factor * power >= span / TICKS) ?? 10) * power;
  const [first, last] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)];
  const steps = Math.max(1, last - first);
  return Array.from({ length: steps + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

/** Where a value lies between two places. */
export function scaleOf({ ticks }: Pick<Axis, 'ticks'>, from: number, to: number): (value: number) => number {
  const [low, high] = [ticks[0]!, ticks.at(-1)!];
  return (value) => Math.round((from + ((value - low) / (high - low || 1)) * (to - from)) * 10) / 10;
}

export function xScale(axis: Axis): (value: number) => number {
  return scaleOf(axis, PLOT.left, WIDTH - PLOT.right);
}

export function yScale(axis: Axis): (value: number) => number {
  return scaleOf(axis, HEIGHT - PLOT.bottom, PLOT.top);
}

/** Both axes with their grid, ticks and labels. */
export function axes(x: Axis, y: Axis): TemplateResult {
  const [left, right, top, bottom] = [PLOT.left, WIDTH - PLOT.right, PLOT.top, HEIGHT - PLOT.bottom];
  const [toX, toY] = [xScale(x), yScale(y)];
  return svg`
    ${y.ticks.map(
      (tick) => svg`${line(left, toY(tick), right, toY(tick), 'mb-grid')}
      ${label(left - 6, toY(tick) + 4, y.text(tick), 'end')}`,
    )}
    ${line(left, bottom, right, bottom, 'mb-line')}
    ${x.ticks.map(
      (tick) => svg`${line(toX(tick), bottom, toX(tick), bottom + 4, 'mb-line')}
      ${label(toX(tick), bottom + 16, x.text(tick), 'middle')}`,
    )}
    ${label((left + right) / 2, HEIGHT - 6, x.label, 'middle')}
    <text transform=${`translate(12 ${(top + bottom) / 2}) rotate(-90)`} text-anchor="middle">${y.label}</text>`;
}

export function line(x1: number, y1: number, x2: number, y2: number, kind: string): TemplateResult {
  return svg`<line class=${kind} x1=${x1} y1=${y1} x2=${x2} y2=${y2} />`;
}

export function label(
  x: number,
  y: number,
  text: string,
  anchor: 'start' | 'middle' | 'end',
): TemplateResult | typeof nothing {
  return text === '' ? nothing : svg`<text x=${x} y=${y} text-anchor=${anchor}>${text}</text>`;
}

/** The beginning of a name, for where there is little room. */
export function short(name: string, most: number): string {
  return name.length <= most ? name : `${name.slice(0, most - 1)}…`;
}
