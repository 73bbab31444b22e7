import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { TableHead } from '../../../src/protocol/experiment';
import { formatDuration } from '../../../src/wording/duration';
import { formatMoney } from '../../../src/wording/money';
import { choice } from '../../shared/controls';
import type { ExperimentPage } from '../page';
import { hasLabels } from '../viewSettings';
import { confusionFigure } from './confusion';
import { differencesOf } from './differences';
import { distributionOf } from './distribution';
import { type Figure, figureView } from './figure';
import { metricOver, qualityAgainst } from './quality';
import { amountOf } from './texts';

const COST_CHARTS: readonly [string, string] = ['quality-cost', 'costs'];

/** The charts of the shown columns. */
export function chartsView(page: ExperimentPage, head: TableHead): TemplateResult {
  const { figures } = page.state;
  if (!figures) return html`<p class="quiet">${l10n.t('Loading…')}</p>`;
  const { charts } = page.state;
  const metric = Math.min(charts?.metric ?? 0, Math.max(0, figures.metrics.length - 1));
  const shown = page.columns.map((column) => ({
    column,
    name: head.columns[column]!.name,
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
    confusion(page),
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

function confusion(page: ExperimentPage): Figure | undefined {
  const { confusion: matrix, view } = page.state;
  return (
    matrix &&
    confusionFigure(matrix.column, matrix.matrix, view.pair, (pair) =>
      page.changeView({ pair, fold: pair ? false : view.fold }),
    )
  );
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
