import * as l10n from '@vscode/l10n';
import { nothing, svg, type TemplateResult } from 'lit';
import type { ShownFigures } from '../../../src/protocol/experiment';
import { formatNumber } from '../../../src/wording/number';
import type { Figure } from './figure';
import { type Measured, onFront } from './front';
import {
  type Axis,
  axes,
  colourOf,
  dashOf,
  HEIGHT,
  label,
  line,
  niceTicks,
  PLOT,
  short,
  WIDTH,
  xScale,
  yScale,
} from './plot';
import { metricText, numberText } from './texts';

/** A shown column: its figures by its place in `figures.columns`. */
export interface NamedColumn {
  readonly column: number;
  readonly name: string;
}

interface Point {
  readonly name: string;
  readonly quality: number;
  /** After the point. */
  readonly digits: number;
  /** 95% interval; missing where there are too few rows for one, or all are alike. */
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  readonly isAlike?: boolean | undefined;
  readonly count: number;
  /** Its place on the X axis: the cost, the time or the varied number. */
  readonly price: number;
}

/** Names beside points that are not on the front are left out where there are more columns. */
const MOST_NAMED = 8;

/** A metric against the cost or time of a run. Undefined: no column has both. */
export function qualityAgainst(
  { metrics, columns }: ShownFigures,
  shown: readonly NamedColumn[],
  metric: number,
  price: {
    readonly of: 'costs' | 'times';
    readonly id: string;
    readonly label: string;
    readonly text: Axis['text'];
  },
): Figure | undefined {
  const { of } = price;
  const points = shown.flatMap(({ column, name }): (Point & { readonly prices: Measured })[] => {
    const { metrics: measured, [of]: prices } = columns[column]!;
    const value = measured[metric];
    if (!value || !prices) return [];
    const median = prices.quantiles[2];
    const { low, high } = prices;
    return [{ name, quality: value.value, ...value, price: median, prices: { value: median, low, high } }];
  });
  if (points.length === 0) return undefined;
  const { name, better } = metrics[metric]!;
  const front = onFront(
    points.map(({ quality, low, high, isAlike, prices }) => ({
      quality: isAlike ? { value: quality, low: quality, high: quality } : { value: quality, low, high },
      price: prices,
    })),
    better,
  );
  const x: Axis = {
    ticks: niceTicks([0, ...points.map((point) => point.price)]),
    label: price.label,
    text: price.text,
  };
  const y: Axis = {
    ticks: niceTicks(points.flatMap(endsOf)),
    label: name,
    text: numberText,
  };
  const best = points.filter((_, at) => front[at]).toSorted((a, b) => a.price - b.price);
  return {
    id: price.id,
    title: l10n.t('{0} and {1}', name, price.label),
    description: l10n.t(
      'Filled: no other column is at least as good for less, beyond chance: {0}.',
      best.map((one) => one.name).join('; '),
    ),
    drawing: svg`${axes(x, y)}${points.map((point) => interval(point, x, y))}
      <path class="mb-front" fill="none" d=${stairs(best, x, y)} />
      ${points.map((point, at) => mark(point, x, y, front[at]!))}
      ${names(
        points.filter((_, at) => front[at] || points.length <= MOST_NAMED),
        x,
        y,
      )}`,
    table: {
      head: [
        ...[l10n.t('Variation'), name, l10n.t('95% interval'), l10n.t('Rows'), price.label],
        l10n.t('On the front'),
      ],
      rows: points.map((point, at) => [
        ...[point.name, metricText(point.quality, point), rangeText(point), formatNumber(point.count)],
        price.text(point.price),
        front[at] ? l10n.t('yes') : l10n.t('no'),
      ]),
    },
  };
}

function endsOf({ quality, low = quality, high = quality }: Point): number[] {
  return [low, high];
}

function interval({ price, low, high }: Point, x: Axis, y: Axis): TemplateResult | typeof nothing {
  if (low === undefined || high === undefined) return nothing;
  const at = xScale(x)(price);
  return line(at, yScale(y)(low), at, yScale(y)(high), 'mb-interval');
}

function mark({ name, quality, price }: Point, x: Axis, y: Axis, isBest: boolean): TemplateResult {
  return svg`<circle class=${isBest ? 'mb-best' : 'mb-point'} cx=${xScale(x)(price)} cy=${yScale(y)(quality)} r="5"><title>${name}</title></circle>`;
}

const LINE = 12;

/** Names beside their points, one below the other where they would overlap, and above the axis. */
function names(points: readonly Point[], x: Axis, y: Axis): unknown {
  const placed = points
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ name, quality, price }) => {
      const cx = xScale(x)(price);
      const side = cx > WIDTH / 2 ? ('end' as const) : ('start' as const);
      return { name, cx, side, y: yScale(y)(quality) - 6 };
    });
  return (['start', 'end'] as const).map((side) => {
    const ofSide = placed.filter((one) => one.side === side);
    const lines = apart(ofSide.map((one) => one.y));
    return ofSide.map(({ name, cx }, at) =>
      label(cx + (side === 'end' ? -8 : 8), lines[at]!, short(name, 32), side),
    );
  });
}

/** Ascending places of lines, moved down so that each has a line's height, and up again where they reach the axis. */
export function apart(places: readonly number[]): number[] {
  const lines: number[] = [];
  for (const place of places) lines.push(Math.max(place, (lines.at(-1) ?? -LINE) + LINE));
  let least = HEIGHT - PLOT.bottom - 4;
  return lines
    .toReversed()
    .map((line) => {
      const at = Math.min(line, least);
      least = at - LINE;
      return at;
    })
    .toReversed();
}

/** The quality that a price buys: it stays the same up to the next point of the front. */
function stairs(front: readonly Point[], x: Axis, y: Axis): string {
  const [toX, toY] = [xScale(x), yScale(y)];
  return front
    .map(({ price, quality }, at) =>
      at === 0 ? `M${toX(price)} ${toY(quality)}` : `H${toX(price)}V${toY(quality)}`,
    )
    .join('');
}

interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

/** More lines look alike. */
const MOST_SERIES = 6;

/** A metric over a place that is varied by numbers, one line for each combination of the other values. */
export function metricOver(
  { metrics, columns }: ShownFigures,
  shown: readonly (NamedColumn & { readonly others: (pointer: string) => string })[],
  metric: number,
  place: { readonly pointer: string; readonly name: string },
): Figure | undefined {
  const groups = new Map<string, Point[]>();
  for (const { column, others } of shown) {
    const { metrics: measured, numbers } = columns[column]!;
    const value = measured[metric];
    const number = numbers[place.pointer];
    if (!value || number === undefined) continue;
    const name = others(place.pointer);
    groups.set(name, [...(groups.get(name) ?? []), { name, quality: value.value, ...value, price: number }]);
  }
  const all: Series[] = [...groups].map(([name, points]) => ({
    name,
    points: points.toSorted((a, b) => a.price - b.price),
  }));
  const numbers = [...new Set(all.flatMap(({ points }) => points.map(({ price }) => price)))];
  if (numbers.length < 2) return undefined;
  const series = all.slice(0, MOST_SERIES);
  const { name } = metrics[metric]!;
  const x: Axis = { ticks: niceTicks(numbers), label: place.name, text: numberText };
  const y: Axis = {
    ticks: niceTicks(series.flatMap(({ points }) => points.flatMap(endsOf))),
    label: name,
    text: numberText,
  };
  return {
    id: `over-${place.name.replaceAll(/\W+/g, '-')}`,
    title: l10n.t('{0} over {1}', name, place.name),
    description:
      all.length > series.length
        ? l10n.t('Lines with their 95% intervals; the first {0} of {1} lines.', series.length, all.length)
        : l10n.t('Lines with their 95% intervals.'),
    drawing: svg`${axes(x, y)}${series.map((one, at) => seriesView(one, at, x, y))}`,
    table: {
      head: [l10n.t('Variation'), place.name, name, l10n.t('95% interval'), l10n.t('Rows')],
      rows: all.flatMap(({ name: own, points }) =>
        points.map((point) => [
          ...[own, numberText(point.price), metricText(point.quality, point), rangeText(point)],
          formatNumber(point.count),
        ]),
      ),
    },
  };
}

function seriesView({ name, points }: Series, at: number, x: Axis, y: Axis): TemplateResult {
  const [toX, toY] = [xScale(x), yScale(y)];
  const path = (of: (point: Point) => number, some: readonly Point[] = points) =>
    some.map((point) => `${toX(point.price)} ${toY(of(point))}`).join('L');
  // A band of no width would look exact.
  const known = points.filter(({ low }) => low !== undefined);
  const upper = path((point) => endsOf(point)[1]!, known);
  const lower = path((point) => endsOf(point)[0]!, known.toReversed());
  const band = known.length < 2 ? '' : `M${upper}L${lower}Z`;
  const colour = colourOf(at);
  return svg`<path d=${band} fill=${colour} fill-opacity="0.15" stroke="none" />
    <path d=${`M${path(({ quality }) => quality)}`} fill="none" stroke=${colour} stroke-width="2" stroke-dasharray=${dashOf(at)} />
    ${points.map((point) => svg`<circle cx=${toX(point.price)} cy=${toY(point.quality)} r="3" fill=${colour} />`)}
    <path d=${`M${PLOT.left + 8} ${PLOT.top + 8 + at * 14}h24`} stroke=${colour} stroke-width="2" stroke-dasharray=${dashOf(at)} />
    ${label(PLOT.left + 38, PLOT.top + 12 + at * 14, short(name, 60), 'start')}`;
}

function rangeText({ low, high, isAlike, digits }: Point): string {
  if (isAlike) return l10n.t('all rows are alike');
  if (low === undefined || high === undefined) return l10n.t('too few rows to tell');
  return l10n.t('{0} to {1}', metricText(low, { digits }), metricText(high, { digits }));
}
