import uPlot from 'uplot';
import { isSummable, type UsageSeries } from '../../src/domain/usage';
import { formatNumber } from '../../src/wording/number';
import type { UsagePage } from './page';
import { axisNumberText, axisTimeText, bucketText, moneyText, type Units, words } from './texts';

const colours = ['blue', 'orange', 'green', 'purple', 'red', 'yellow'];
/** Lines differ by dashes too: for colour blindness, and because high contrast has few colours. */
const dashes = [[], [6, 4], [2, 3], [10, 4, 2, 4], [1, 2], [12, 6]];
const height = 180;
/** The largest width of a bar, in pixels. */
const BAR = 48;
/** As many lines as there are combinations of colours and dashes that differ well. */
export const MAX_LINES = 12;

function themeColour(...names: readonly string[]): string {
  const style = getComputedStyle(document.body);
  for (const name of names) {
    const value = style.getPropertyValue(`--vscode-${name}`).trim();
    if (value !== '') return value;
  }
  return style.color;
}

/** The seventh has the color of the first: as a bar, a paler one. */
function colourOf(index: number, isBar: boolean): string {
  const colour = themeColour(`charts-${colours[index % colours.length]}`, 'foreground');
  if (!isBar || index < colours.length) return colour;
  return `color-mix(in srgb, ${colour} 55%, ${themeColour('editor-background')})`;
}

/** The chart of one measure, redrawn when its data, the theme or its width changes. */
export class UsageChart {
  #host: HTMLElement | null = null;
  #plot: uPlot | undefined;
  #drawn: readonly [readonly UsageSeries[], string, Units] | undefined;
  readonly #resize = new ResizeObserver(() => this.#plot?.setSize({ width: this.#width(), height }));

  constructor() {
    new MutationObserver(() => this.#redraw()).observe(document.body, {
      attributes: true,
      attributeFilter: ['class', 'data-vscode-theme-id'],
    });
  }

  /** Draws the page's series into an element of it; removes the chart if there is none. */
  show(host: HTMLElement | null, page: UsagePage): void {
    if (host !== this.#host) {
      this.#resize.disconnect();
      this.#plot?.destroy();
      this.#plot = undefined;
      this.#drawn = undefined;
      this.#host = host;
      if (host) this.#resize.observe(host);
    }
    const { series } = page;
    const measure = page.measureOf(series);
    if (!host || measure === undefined) return;
    const measured = series.filter((one) => one.measures.some(({ name }) => name === measure));
    this.#drawn = [measured, measure, page.units];
    this.#redraw();
  }

  #width(): number {
    return Math.max(200, this.#host?.clientWidth ?? 0);
  }

  #redraw(): void {
    const host = this.#host;
    if (!this.#drawn || !host) return;
    const [all, name, units] = this.#drawn;
    const { locale } = units;
    const series = largest(all, name);
    this.#plot?.destroy();
    const times = [...new Set(series.flatMap((one) => one.times))].sort((a, b) => a - b);
    const measures = series.map((one) => one.measures.find((measure) => measure.name === name));
    const format = (value: number, index: number) => {
      const measure = measures[index];
      return measure?.isMoney
        ? moneyText({ amount: String(value), currency: measure.currency }, units)
        : formatNumber(value, locale);
    };
    // Floats only here, for pixels: the table shows exact numbers.
    const columns = series.map((one, index) => {
      const values = new Map(one.times.map((at, place) => [at, measures[index]?.values[place]]));
      return times.map((at) => {
        const value = values.get(at);
        return value === undefined ? null : Number(value);
      });
    });
    const bars = series.length === 1 || canStack(name, columns);
    // Stacked bars begin at the top of others, and cannot be shown without them.
    host.classList.toggle('stacked', bars && series.length > 1);
    const heights = bars ? stacked(columns) : columns;
    const bar = uPlot.paths.bars!({ size: [0.8, BAR], radius: 0.1 });
    // As the page draws it: forced colors are not the theme’s.
    const line = getComputedStyle(document.body).color;
    const grid = {
      stroke: themeColour('editorIndentGuide-background1', 'panel-border', 'charts-lines'),
      width: 1,
    };
    const font = `12px ${getComputedStyle(document.body).fontFamily}`;
    const few = times.length < 80;
    this.#plot = new uPlot(
      {
        width: this.#width(),
        height,
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
        scales: {
          x: { range: (_plot, first, last) => withHalfABar(bars ? times : [], first, last) },
          y: { range: (_plot, low, high) => [Math.min(0, low), high > 0 ? high * 1.1 : 1] },
        },
        // Without a bar under the pointer its legend has no values to show.
        hooks: {
          setCursor: [(plot) => plot.root.classList.toggle('pointed', plot.cursor.idx != null)],
        },
        cursor: { y: false },
        axes: [
          {
            stroke: line,
            grid: { show: !bars },
            ticks: { show: !bars, ...grid },
            font,
            size: 28,
            space: 70,
            values: (_plot, splits) => splits.map((split) => axisTimeText(split * 1000, locale)),
          },
          {
            stroke: line,
            grid,
            ticks: grid,
            font,
            size: 80,
            values: (_plot, splits) =>
              splits.map((split) => {
                const value = Number(split.toPrecision(6));
                return axisNumberText(value, withUnits(measures[0], units), locale) ?? format(value, 0);
              }),
          },
        ],
        series: [
          {
            label: 'UTC',
            value: (_plot, seconds) => (seconds == null ? '' : bucketText(seconds * 1000, locale)),
          },
          ...series.map((one, index) => ({
            // A lone series is labelled by its measure: its own name (`points`) says nothing.
            label: series.length === 1 ? words(name) : one.name || words(name),
            stroke: colourOf(index, bars),
            ...(bars && { paths: bar, fill: colourOf(index, bars) }),
            width: bars ? 0 : 2,
            // The seventh has the colour of the first with other dashes.
            dash: dashes[(index + Math.floor(index / colours.length)) % dashes.length],
            points: { show: few && !bars, size: 4, fill: themeColour('editor-background') },
            value: (plot: uPlot) => {
              const value = columns[index]?.[plot.cursor.idx ?? -1];
              return value == null ? '' : format(value, index);
            },
          })),
        ],
      },
      [times.map((at) => at / 1000), ...heights],
      host,
    );
  }
}

type Column = (number | null)[];

/** Medians and losses cannot be put on top of one another. */
function canStack(name: string, columns: readonly Column[]): boolean {
  return isSummable(name) && columns.every((column) => column.every((value) => (value ?? 0) >= 0));
}

/** Heights of stacked bars, each above those of the later series: the highest is drawn first. */
function stacked(columns: readonly Column[]): Column[] {
  const heights: Column[] = [];
  let below: Column = [];
  for (const column of columns.toReversed()) {
    const base = below;
    below = column.map((value, at) => (value === null && !base[at] ? null : (value ?? 0) + (base[at] ?? 0)));
    heights.unshift(below);
  }
  return heights;
}

/** The range of a time axis, in seconds, in which the first and the last bar are whole. */
function withHalfABar(times: readonly number[], first: number, last: number): [number, number] {
  const gaps = times.slice(1).map((at, index) => at - times[index]!);
  const half = times.length === 0 ? 0 : Math.min(86_400_000, ...gaps.slice(0, 1000)) / 2000;
  return [first - half, last + half];
}

function withUnits(measure: UsageSeries['measures'][number] | undefined, { currency }: Units) {
  return measure && { ...measure, ...(measure.isMoney && { currency: measure.currency ?? currency }) };
}

/** The series with most of a measure, in their own order. */
function largest(series: readonly UsageSeries[], name: string): readonly UsageSeries[] {
  if (series.length <= MAX_LINES) return series;
  const sum = (one: UsageSeries) =>
    one.measures
      .find((measure) => measure.name === name)
      ?.values.reduce((total, value) => total + Number(value ?? 0), 0) ?? 0;
  const kept = new Set([...series].sort((a, b) => sum(b) - sum(a)).slice(0, MAX_LINES));
  return series.filter((one) => kept.has(one));
}
