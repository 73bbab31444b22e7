import * as l10n from '@vscode/l10n';
import { nothing, svg } from 'lit';
import type { ShownSummary } from '../../../src/protocol/experiment';
import { MARKS } from '../../../src/wording/signs';
import type { Figure } from './figure';
import { label, line, PLOT, short, WIDTH } from './plot';
import type { NamedColumn } from './quality';

/** The interval, and its words below it. */
const ROW = 40;
const NAMES = 150;
/** More rows are a table. */
const MOST_ROWS = 30;

/** How each column differs from the baseline by a metric: its interval around the line of no difference, with its sign. */
export function differencesOf(
  { rows }: ShownSummary,
  shown: readonly NamedColumn[],
  metric: string,
): Figure | undefined {
  const row = rows.find(({ kind, name }) => kind === 'metric' && name === metric);
  const all = shown.flatMap(({ column, name }) => {
    const cell = row?.cells[column];
    if (!cell) return [];
    const { difference, interval, text, note = '' } = cell;
    // Of pairs, half of them won is no difference.
    if (!difference) return row.isOfPairs ? [{ name, interval, note, words: text }] : [];
    const words = `${MARKS[difference.sign]} ${difference.text} ${difference.word}`;
    return [{ name, interval: difference.interval, note: difference.note ?? '', words }];
  });
  if (all.length === 0) return undefined;
  const drawn = all.slice(0, MOST_ROWS);
  const toX = (share: number) => NAMES + share * (WIDTH - PLOT.right - NAMES);
  const bottom = PLOT.top + drawn.length * ROW;
  return {
    id: 'differences',
    title: l10n.t('{0}: differences from the baseline', metric),
    description: l10n.t('95% intervals over the rows that both have, around no difference.'),
    height: bottom + 8,
    drawing: svg`${drawn.map(({ name, interval, words, note }, at) => {
      const y = PLOT.top + at * ROW + 8;
      return svg`${label(NAMES - 8, y + 4, short(name, 24), 'end')}
          ${line(toX(0.5), y - 9, toX(0.5), y + 9, 'mb-line')}
          ${
            interval
              ? svg`<rect class="mb-box-plot" x=${toX(interval.low)} y=${y - 4} width=${Math.max(1, toX(interval.high) - toX(interval.low))} height="8"><title>${interval.text}</title></rect>
                ${line(toX(interval.at), y - 7, toX(interval.at), y + 7, 'mb-line')}`
              : nothing
          }
          ${label(NAMES, y + 22, short(`${words} ${note}`.trim(), Math.floor((WIDTH - NAMES) / 7)), 'start')}`;
    })}`,
    table: {
      head: [l10n.t('Variation'), l10n.t('Difference'), l10n.t('95% interval')],
      rows: all.map(({ name, words, note, interval }) => [
        ...[
          name,
          `${words} ${note}`.trim(),
          interval?.text ?? (row?.isOfPairs ? '–' : l10n.t('too few rows to tell')),
        ],
      ]),
    },
  };
}
