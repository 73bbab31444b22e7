import * as l10n from '@vscode/l10n';
import { html, nothing, svg, type TemplateResult } from 'lit';
import { sameJson } from '../../../src/domain/value';
import type { ShownFigures, TableHead } from '../../../src/protocol/experiment';
import { formatDuration } from '../../../src/wording/duration';
import { formatMoney } from '../../../src/wording/money';
import { formatNumber } from '../../../src/wording/number';
import { choice } from '../../shared/controls';
import type { ExperimentPage } from '../page';
import { hasLabels } from '../viewSettings';
import { differencesOf } from './differences';
import { type Figure, figureView } from './figure';
import { label, line, niceTicks, PLOT, scaleOf, short, WIDTH } from './plot';
import { metricOver, type NamedColumn, qualityAgainst } from './quality';
import { amountOf } from './texts';

const COST_CHARTS: readonly [string, string] = ['quality-cost', 'costs'];

/** The charts of the shown columns. */
export function chartsView(page: ExperimentPage, head: TableHead): TemplateResult {
  const { figures } = page.state;
  if (!figures) return html`<p class="quiet">${l10n.t('Loading…')}</p>`;
  const { charts } = page.state;
  const metric = Math.min(charts?.metric ?? 0, Math.max(0, figures.metrics.length - 1));
  // A figure of a part of the rows says so in each chart.
  const nameOf = (column: number) =>
    [head.columns[column]!.name, figures.columns[column]!.part].filter(Boolean).join(' · ');
  const shown = page.columns.map((column) => ({
    column,
    name: nameOf(column),
    others: (pointer: string) =>
      head.columns[column]!.places.filter((place) => place.pointer !== pointer)
        .map(({ pointer: at, name, value }) => (at === '/model' ? value : `${name} ${value}`))
        .join(', '),
  }));
  const money = (value: number) =>
    formatMoney({ amount: amountOf(value), currency: figures.currency }, head.locale);
  const time = (value: number) => formatDuration(value, head.locale);
  const numeric = head.varied.filter(({ pointer }) =>
    figures.columns.some(({ numbers }) => numbers[pointer] !== undefined),
  );
  const { summary } = page.state;
  const pictures: (Figure | undefined)[] = [
    summary && differencesOf(summary, shown, figures.metrics[metric]?.name ?? ''),
    qualityAgainst(figures, shown, metric, {
      of: 'costs',
      id: COST_CHARTS[0],
      label: l10n.t('median cost'),
      text: money,
    }),
    qualityAgainst(figures, shown, metric, {
      of: 'times',
      id: 'quality-time',
      label: l10n.t('median time'),
      text: time,
    }),
    ...numeric.map((place) => metricOver(figures, shown, metric, place)),
    confusionFigure(page),
    distributionOf(figures, shown, 'times', { id: 'times', title: l10n.t('Times of runs'), text: time }),
    distributionOf(figures, shown, 'costs', {
      id: COST_CHARTS[1],
      title: l10n.t('Costs of runs'),
      text: money,
    }),
  ];
  const drawn = pictures
    .filter((figure) => figure !== undefined)
    .map((figure) =>
      COST_CHARTS.includes(figure.id) ? withoutOthers(figure, figures.otherCurrencies) : figure,
    );
  return html`${choices(page, head, metric)}
    ${drawn.length === 0 ? html`<p class="quiet">${l10n.t('No run has finished yet.')}</p>` : drawn.map((figure) => figureView(page, figure))}`;
}

/** A chart of costs has one currency. @param runs in others */
function withoutOthers(figure: Figure, runs: number): Figure {
  if (runs === 0) return figure;
  const note =
    runs === 1
      ? l10n.t('Without 1 run that was charged in another currency.')
      : l10n.t('Without {0} runs that were charged in other currencies.', runs);
  return { ...figure, description: `${figure.description} ${note}` };
}

function choices(page: ExperimentPage, head: TableHead, metric: number): TemplateResult {
  const { figures, charts } = page.state;
  const metrics = figures?.metrics ?? [];
  return html`<div class="filter line wraps">
    ${
      metrics.length < 2
        ? nothing
        : choice(
            l10n.t('Metric'),
            metric,
            metrics.map(({ name }, at) => [at, name] as const),
            (chosen) => page.showCharts({ metric: chosen }),
          )
    }
    ${
      hasLabels(head)
        ? choice(
            l10n.t('Confusion matrix of'),
            charts?.column ?? page.columns[0] ?? 0,
            page.columns.map((column) => [column, head.columns[column]!.name] as const),
            (column) => page.showCharts({ column }),
          )
        : nothing
    }
  </div>`;
}

const LABELS = 110;
const LARGEST_CELL = 44;

/** Which labels were taken for which. A cell leaves in the table the rows that it counts; chosen again, all. */
function confusionFigure(page: ExperimentPage): Figure | undefined {
  const { confusion, view } = page.state;
  if (!confusion || confusion.matrix.labels.length === 0) return undefined;
  const { column, matrix } = confusion;
  const { labels, counts, total } = matrix;
  const size = Math.min(LARGEST_CELL, (WIDTH - LABELS - PLOT.right) / labels.length);
  const most = Math.max(1, ...counts.flat());
  const labelName = (text: string) => (text === '' ? l10n.t('no label') : text);
  const cell = (row: number, at: number): TemplateResult => {
    const count = counts[row]![at]!;
    const pair = { column, expected: labels[row]!, got: labels[at]! };
    const isChosen = sameJson(view.pair, pair);
    const [x, y] = [LABELS + at * size, PLOT.top + 28 + row * size];
    const ground = svg`<rect x=${x + 1} y=${y + 1} width=${size - 2} height=${size - 2}
        class=${row === at ? 'mb-right-pair' : 'mb-wrong-pair'} fill-opacity=${0.5 * (count / most)} />`;
    if (count === 0) return ground;
    const act = () => page.changeView(isChosen ? { pair: undefined } : { pair, fold: false });
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

const ROW = 26;
const NAMES = 170;
/** More rows are a table. */
const MOST_ROWS = 30;

/** How the costs or times of single runs are distributed: a box plot for each column. */
function distributionOf(
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
