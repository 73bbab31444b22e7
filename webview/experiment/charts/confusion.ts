import * as l10n from '@vscode/l10n';
import { svg, type TemplateResult } from 'lit';
import type { ShownConfusion, TableQuery } from '../../../src/protocol/experiment';
import { formatNumber } from '../../../src/wording/number';
import type { Figure } from './figure';
import { label, PLOT, short, WIDTH } from './plot';

type Pair = NonNullable<TableQuery['pair']>;

const LABELS = 110;
const LARGEST_CELL = 44;

/**
 * Which labels were taken for which. A cell leaves in the table the rows that it counts.
 * @param chosen the cell that the table is filtered by
 */
export function confusionFigure(
  column: number,
  { labels, counts, total }: ShownConfusion,
  chosen: Pair | undefined,
  choose: (pair: Pair | undefined) => void,
): Figure | undefined {
  if (labels.length === 0) return undefined;
  const size = Math.min(LARGEST_CELL, (WIDTH - LABELS - PLOT.right) / labels.length);
  const most = Math.max(1, ...counts.flat());
  const labelName = (text: string) => (text === '' ? l10n.t('no label') : text);
  const cell = (row: number, at: number): TemplateResult => {
    const count = counts[row]![at]!;
    const pair = { column, expected: labels[row]!, got: labels[at]! };
    const isChosen =
      chosen?.column === column && chosen.expected === pair.expected && chosen.got === pair.got;
    const [x, y] = [LABELS + at * size, PLOT.top + 28 + row * size];
    const ground = svg`<rect x=${x + 1} y=${y + 1} width=${size - 2} height=${size - 2}
        class=${row === at ? 'mb-right-pair' : 'mb-wrong-pair'} fill-opacity=${0.5 * (count / most)} />`;
    if (count === 0) return ground;
    const act = () => choose(isChosen ? undefined : pair);
    return svg`<g class="mb-pair ${isChosen ? 'mb-chosen' : ''}" role="button" tabindex="0" aria-pressed=${isChosen ? 'true' : 'false'}
      aria-label=${l10n.t('Expected {0}, got {1}: {2}', labelName(pair.expected), labelName(pair.got), formatNumber(count))}
      @click=${act} @keydown=${(event: KeyboardEvent) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        act();
      }}>${ground}<text x=${x + size / 2} y=${y + size / 2 + 4} text-anchor="middle">${formatNumber(count)}</text></g>`;
  };
  const letters = Math.max(2, Math.floor(size / 6));
  return {
    id: 'confusion',
    title: l10n.t('Confusion matrix'),
    description:
      total > labels.length
        ? l10n.t(
            'Rows: expected, columns: got. The {0} most frequent of {1} labels. Choose a cell to see its rows.',
            labels.length,
            total,
          )
        : l10n.t('Rows: expected, columns: got. Choose a cell to see its rows.'),
    role: 'group',
    height: PLOT.top + 36 + labels.length * size,
    drawing: svg`${label(LABELS - 8, PLOT.top, l10n.t('expected'), 'end')}${label(LABELS, PLOT.top, l10n.t('got'), 'start')}
      ${labels.map((name, at) => label(LABELS + (at + 0.5) * size, PLOT.top + 20, short(labelName(name), letters), 'middle'))}
      ${labels.map((name, at) => label(LABELS - 8, PLOT.top + 32 + (at + 0.5) * size, short(labelName(name), 16), 'end'))}
      ${labels.flatMap((_, row) => labels.map((_name, at) => cell(row, at)))}`,
    table: {
      head: [l10n.t('Expected'), ...labels.map(labelName)],
      rows: labels.map((name, row) => [labelName(name), ...counts[row]!.map((count) => formatNumber(count))]),
    },
  };
}
