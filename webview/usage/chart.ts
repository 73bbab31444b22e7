import uPlot from 'uplot';
import type { UsageSeries } from '../../src/domain/usage';
import { formatMoney } from '../../src/wording/money';
import { formatNumber } from '../../src/wording/number';
import type { UsagePage } from './page';
import { axisNumberText, axisTimeText, bucketText, words } from './texts';

const colours = ['blue', 'orange', 'green', 'purple', 'red', 'yellow'];
/** Lines differ by dashes too: for colour blindness, and because high contrast has few colours. */
const dashes = [[], [6, 4], [2, 3], [10, 4, 2, 4], [1, 2], [12, 6]];
const height = 220;
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

/** The chart of one measure, redrawn when its data, the theme or its width changes. */
export class UsageChart {
  #host: HTMLElement | null = null;
  #plot: uPlot | undefined;
  #drawn: readonly [readonly UsageSeries[], string, string] | undefined;
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
    this.#drawn = [measured, measure, page.state.hello.locale];
    this.#redraw();
  }

  #width(): number {
    return Math.max(200, this.#host?.clientWidth ?? 0);
  }

  #redraw(): void {
    const host = this.#host;
    if (!this.#drawn || !host) return;
    const [all, name, locale] = this.#drawn;
    const series = largest(all, name);
    this.#plot?.destroy();
    const times = [...new Set(series.flatMap((one) => one.times))].sort((a, b) => a - b);
    const measures = series.map((one) => one.measures.find((measure) => measure.name === name));
    const format = (value: number, index: number) => {
      const measure = measures[index];
      return measure?.isMoney
        ? formatMoney({ amount: String(value), currency: measure.currency }, locale)
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
    const line = themeColour('foreground', 'editor-foreground');
    const grid = { stroke: themeColour('editorIndentGuide-background1', 'charts-lines'), width: 1 };
    const font = `12px ${getComputedStyle(document.body).fontFamily}`;
    const few = times.length < 80;
    this.#plot = new uPlot(
      {
        width: this.#width(),
        height,
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
        scales: { y: { range: (_plot, low, high) => [Math.min(0, low), high > 0 ? high * 1.1 : 1] } },
        axes: [
          {
            stroke: line,
            grid,
            ticks: grid,
            font,
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
                return axisNumberText(value, measures[0], locale) ?? format(value, 0);
              }),
          },
        ],
        series: [
          {
            label: 'UTC',
            value: (_plot, seconds) => (seconds == null ? '–' : bucketText(seconds * 1000, locale)),
          },
          ...series.map((one, index) => ({
            // A lone series is labelled by its measure: its own name (`points`) says nothing.
            label: series.length === 1 ? words(name) : one.name || words(name),
            stroke: themeColour(`charts-${colours[index % colours.length]}`, 'foreground'),
            width: 2,
            // The seventh has the colour of the first with other dashes.
            dash: dashes[(index + Math.floor(index / colours.length)) % dashes.length],
            points: { show: few, size: 4, fill: themeColour('editor-background') },
            value: (_plot: uPlot, value: number | null) => (value === null ? '–' : format(value, index)),
          })),
        ],
      },
      [times.map((at) => at / 1000), ...columns],
      host,
    );
  }
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
