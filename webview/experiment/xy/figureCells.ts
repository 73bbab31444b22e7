import * as l10n from '@vscode/l10n';
import type { ShownCell, ShownFigures } from '../../../src/protocol/experiment';
import type { PlotAxes, PlotPlace } from '../../../src/protocol/experimentPlot';
import { formatDuration } from '../../../src/wording/duration';
import { formatMoney } from '../../../src/wording/money';
import { formatNumber } from '../../../src/wording/number';
import { amountOf, metricText } from '../charts/texts';
import type { PlotRange } from './pageCells';

/** Figures of whole columns, in place of the results of single cells. */

/** A figure that the plot can show: `of` is the one that the view keeps. */
export interface PlottedFigure {
  readonly of: string;
  readonly name: string;
}

const COST = 'cost';
const TIME = 'time';

export function plottedFigures({ metrics, columns }: ShownFigures): PlottedFigure[] {
  return [
    ...metrics.map(({ name }) => ({ of: `metric ${name}`, name })),
    ...(columns.some(({ costs }) => costs) ? [{ of: COST, name: l10n.t('Median cost') }] : []),
    ...(columns.some(({ times }) => times) ? [{ of: TIME, name: l10n.t('Median time') }] : []),
  ];
}

/** Figures are of all inputs and repeats. */
export function figureAxes(axes: PlotAxes): PlotAxes {
  return { ...axes, rows: Math.min(1, axes.rows), repeats: 1 };
}

/** The figure of a column as a cell. @param locale BCP 47 */
export function figureCell(
  { metrics, columns, currency }: ShownFigures,
  of: string,
  { column }: PlotPlace,
  locale: string,
): ShownCell {
  const figures = columns[column];
  const numberCell = (value: number, text: string): ShownCell => ({
    state: 'finished',
    kind: 'number',
    value,
    text,
  });
  const ofRows = (count: number) => l10n.t('n {0}', formatNumber(count, locale));
  if (of === COST || of === TIME) {
    const all = of === COST ? figures?.costs : figures?.times;
    if (!all) return NOTHING;
    const median = all.quantiles[2];
    const text =
      of === COST
        ? formatMoney({ amount: amountOf(median), currency }, locale)
        : formatDuration(median, locale);
    return { ...numberCell(median, text), spread: ofRows(all.count) };
  }
  const metric = figures?.metrics[metrics.findIndex(({ name }) => `metric ${name}` === of)];
  if (!metric) return NOTHING;
  const { value, count, low, high } = metric;
  const digits = (one: number) => metricText(one, metric, locale);
  return {
    ...numberCell(value, digits(value)),
    // Beside the value below the plot.
    spread:
      low === undefined || high === undefined
        ? ofRows(count)
        : l10n.t('{0} to {1}, n {2}', digits(low), digits(high), formatNumber(count, locale)),
  };
}

/** No run of the column could be measured. */
const NOTHING: ShownCell = { state: 'missing', kind: 'none', text: '' };

export function valueRange(cells: readonly ShownCell[]): PlotRange | undefined {
  const values = cells.flatMap(({ value }) => value ?? []);
  if (values.length === 0) return undefined;
  return values.reduce(
    ({ low, high }, value) => ({ low: Math.min(low, value), high: Math.max(high, value) }),
    { low: values[0]!, high: values[0]! },
  );
}
