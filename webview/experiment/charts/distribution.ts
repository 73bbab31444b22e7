import * as l10n from '@vscode/l10n';
import { svg } from 'lit';
import type { ShownFigures } from '../../../src/protocol/experiment';
import { formatNumber } from '../../../src/wording/number';
import type { Figure } from './figure';
import { label, line, niceTicks, PLOT, scaleOf, short, WIDTH } from './plot';
import type { NamedColumn } from './quality';

const ROW = 26;
const NAMES = 170;
/** More rows are a table. */
const MOST_ROWS = 30;

/** How the costs or times of single runs are distributed: a box plot for each column. */
export function distributionOf(
  { columns }: ShownFigures,
  shown: readonly NamedColumn[],
  of: 'costs' | 'times',
  {
    id,
    title,
    text,
  }: { readonly id: string; readonly title: string; readonly text: (value: number) => string },
): Figure | undefined {
  const all = shown.flatMap(({ column, name }) => {
    const values = columns[column]![of];
    return values ? [{ name, ...values }] : [];
  });
  if (all.length === 0) return undefined;
  const rows = all.slice(0, MOST_ROWS);
  const ticks = niceTicks([0, ...rows.map(({ quantiles }) => quantiles[4])]);
  const toX = scaleOf({ ticks }, NAMES, WIDTH - PLOT.right);
  const bottom = PLOT.top + rows.length * ROW;
  return {
    id,
    title,
    description: l10n.t('Of single runs: the middle half as a box with the median, lines from 5% to 95%.'),
    height: bottom + 24,
    drawing: svg`
      ${ticks.map((tick) => svg`${line(toX(tick), PLOT.top, toX(tick), bottom, 'mb-grid')}${label(toX(tick), bottom + 16, text(tick), 'middle')}`)}
      ${rows.map(({ name, quantiles: [low, first, median, third, high] }, at) => {
        const y = PLOT.top + at * ROW + ROW / 2;
        return svg`${label(NAMES - 8, y + 4, short(name, 28), 'end')}
          ${line(toX(low), y, toX(high), y, 'mb-interval')}
          <rect class="mb-box-plot" x=${toX(first)} y=${y - 7} width=${Math.max(1, toX(third) - toX(first))} height="14"><title>${name}</title></rect>
          ${line(toX(median), y - 7, toX(median), y + 7, 'mb-line')}`;
      })}`,
    table: {
      head: [l10n.t('Variation'), l10n.t('Runs'), '5%', '25%', l10n.t('Median'), '75%', '95%'],
      rows: all.map(({ name, count, quantiles }) => [name, formatNumber(count), ...quantiles.map(text)]),
    },
  };
}
