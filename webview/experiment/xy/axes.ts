import * as l10n from '@vscode/l10n';
import type { PlotAxes, PlotPlace } from '../../../src/protocol/experimentPlot';
import { formatNumber } from '../../../src/wording/number';

/** How the user looks at the plot: kept with the view of the table. */
export interface PlotView {
  readonly isShown: boolean;
  /** Keys of axes; '' is no axis, missing is the first that is there. */
  readonly x?: string;
  readonly y?: string;
  /** Key → which value is shown, of axes that are pages. */
  readonly pages?: Readonly<Record<string, number>>;
  /** The figure of whole columns that is shown, see `plottedFigures`; missing: the results themselves. */
  readonly of?: string | undefined;
  /** How large cells are: 0 fits all into sight. */
  readonly zoom?: number;
}

/** A varied place by its pointer, the inputs, or the repeats. */
export interface Axis {
  readonly key: string;
  readonly name: string;
  readonly length: number;
  /** Of a varied place. */
  readonly values?: readonly string[];
}

/** Pointers begin with a slash, so no place has these keys. */
export const INPUTS = 'inputs';
export const REPEATS = 'repeats';
export const NO_AXIS = '';

/** The axes with more than one value: the others are the same everywhere. */
export function axesOf({ places, rows, repeats }: PlotAxes): Axis[] {
  const all: Axis[] = [
    ...places.map(({ pointer, name, values }) => ({ key: pointer, name, length: values.length, values })),
    { key: INPUTS, name: l10n.t('Input'), length: rows },
    { key: REPEATS, name: l10n.t('Run no.'), length: repeats },
  ];
  return all.filter(({ length }) => length > 1);
}

/** An axis that is neither X nor Y, and the value of it that is shown. */
export interface PlotPage {
  readonly axis: Axis;
  readonly at: number;
}

export interface Layout {
  readonly x: Axis | undefined;
  readonly y: Axis | undefined;
  readonly pages: readonly PlotPage[];
  /** The cell at a place; undefined where no variation has those values. */
  readonly cellAt: (x: number, y: number) => PlotPlace | undefined;
}

export function layoutOf(axes: PlotAxes, view: PlotView): Layout {
  const all = axesOf(axes);
  const find = (key: string | undefined) => all.find((axis) => axis.key === key);
  const x = view.x === NO_AXIS ? undefined : (find(view.x) ?? all.find(({ key }) => key !== view.y));
  const others = all.filter((axis) => axis !== x);
  const y = view.y === NO_AXIS ? undefined : (others.find(({ key }) => key === view.y) ?? others[0]);
  const pages = others
    .filter((axis) => axis !== y)
    .map((axis) => ({ axis, at: Math.min(axis.length - 1, Math.max(0, view.pages?.[axis.key] ?? 0)) }));
  const columns = columnsBy(axes);
  return {
    x,
    y,
    pages,
    cellAt(atX, atY) {
      const at = (key: string) =>
        key === x?.key ? atX : key === y?.key ? atY : (pages.find(({ axis }) => axis.key === key)?.at ?? 0);
      const column = columns.get(axes.places.map(({ pointer }) => at(pointer)).join());
      if (column === undefined || axes.rows === 0) return undefined;
      return { row: at(INPUTS), column, ...(axes.repeats > 1 && { repeat: at(REPEATS) }) };
    },
  };
}

/** Of columns with the same values, the first. */
function columnsBy(axes: PlotAxes): ReadonlyMap<string, number> {
  return new Map([...axes.columns.entries()].reverse().map(([column, values]) => [values.join(), column]));
}

/** The view with X and Y exchanged. */
export function transposed(view: PlotView, { x, y }: Layout): PlotView {
  return { ...view, x: y?.key ?? NO_AXIS, y: x?.key ?? NO_AXIS };
}

/** The view with another axis: one that is in use already is exchanged with it. */
export function withAxis(view: PlotView, layout: Layout, which: 'x' | 'y', key: string): PlotView {
  const other = which === 'x' ? 'y' : 'x';
  if (key !== NO_AXIS && layout[other]?.key === key) return transposed(view, layout);
  return { ...view, [other]: layout[other]?.key ?? NO_AXIS, [which]: key };
}

/** The next (1) or the previous (-1) page of all, the last axis first; undefined beyond the ends. */
export function turned(view: PlotView, { pages }: Layout, by: 1 | -1): PlotView | undefined {
  for (let place = pages.length - 1; place >= 0; place--) {
    const { axis, at } = pages[place]!;
    if (at + by < 0 || at + by >= axis.length) continue;
    const later = pages.slice(place + 1).map((page) => [page.axis.key, by > 0 ? 0 : page.axis.length - 1]);
    return { ...view, pages: { ...view.pages, [axis.key]: at + by, ...Object.fromEntries(later) } };
  }
  return undefined;
}

/** The value of an axis in words. @param locale BCP 47 */
export function valueText({ values }: Axis, at: number, locale: string): string {
  return values?.[at] ?? formatNumber(at + 1, locale);
}
