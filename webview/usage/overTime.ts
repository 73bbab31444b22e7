import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { ShownFindings, ShownSeries } from '../../src/protocol/usage';
import { mostLines, UsageChart } from './chart';
import { seriesTables, tablesView } from './findingsView';
import { type Granularity, groupedBy, within } from './grouping';
import { choose, type ExportFormat, exportButtons } from './section';
import { words } from './texts';

export interface OverTimeActions {
  /** Another grouping was picked, which the service may know better. */
  regroup(): void;
  /** Only what is shown has changed. */
  show(): void;
  save(format: ExportFormat): Promise<unknown>;
}

/** The time series: grouped and measured as the user picked, as a chart and as a table. */
export class OverTime {
  granularity: Granularity | '' = '';
  #measure: string | undefined;
  #chart: UsageChart | undefined;
  #chartHost: HTMLElement | undefined;

  constructor(private readonly actions: OverTimeActions) {}

  shown({ series }: ShownFindings, from: number | undefined): readonly ShownSeries[] {
    const { granularity } = this;
    return series
      .map((one) => within(one, from))
      .map((one) => (granularity === '' ? one : groupedBy(one, granularity)))
      .filter((one) => one.times.length > 0);
  }

  view(
    title: string,
    findings: ShownFindings,
    series: readonly ShownSeries[],
    locale: string,
  ): TemplateResult {
    const measure = this.#measureOf(series);
    const tables = tablesView(findings, locale);
    if (series.length === 0 || measure === undefined)
      return html`<p class="quiet">${l10n.t('There are no points in this time.')}</p>${tables}`;
    return html`${this.#controls(title, series, measure)}
      <div class="chart" id="chart" role="img"
        aria-label=${l10n.t('Chart of {0} over time; the numbers stand in the table after it', words(measure))}></div>
      ${
        series.length > mostLines
          ? html`<p class="quiet">
              ${l10n.t('The chart shows the {0} largest of {1} series.', mostLines, series.length)}
            </p>`
          : nothing
      }
      <details>
        <summary>${l10n.t('Numbers as a table')}</summary>
        ${seriesTables(series, locale)}
      </details>
      ${tables}`;
  }

  /** Once the view stands in the page. */
  draw(root: ParentNode, series: readonly ShownSeries[], locale: string): void {
    const host = root.querySelector<HTMLElement>('#chart') ?? undefined;
    if (host !== this.#chartHost) {
      this.#chart?.dispose();
      this.#chart = host && new UsageChart(host);
      this.#chartHost = host;
    }
    const measure = this.#measureOf(series);
    if (measure === undefined) return;
    const measured = series.filter((one) => one.measures.some(({ name }) => name === measure));
    this.#chart?.draw(measured, measure, locale);
  }

  #controls(title: string, series: readonly ShownSeries[], measure: string): TemplateResult {
    const measures = [...new Set(series.flatMap((one) => one.measures.map(({ name }) => name)))];
    const groupings = [
      ['', l10n.t('As it came')],
      ['hour', l10n.t('Hour')],
      ['day', l10n.t('Day')],
      ['week', l10n.t('Week')],
      ['month', l10n.t('Month')],
    ] as const;
    return html`<div class="controls">
      ${choose<Granularity | ''>(l10n.t('Group by'), this.granularity, groupings, (granularity) => {
        this.granularity = granularity;
        this.actions.regroup();
      })}
      ${choose(
        l10n.t('Measure'),
        measure,
        measures.map((name) => [name, words(name)] as const),
        (name) => {
          this.#measure = name;
          this.actions.show();
        },
      )}
      <span class="spring"></span>
      ${exportButtons(title, (format) => this.actions.save(format))}
    </div>`;
  }

  /** Money first, then the first measure there is. */
  #measureOf(series: readonly ShownSeries[]): string | undefined {
    const measures = series.flatMap((one) => one.measures);
    return (
      measures.find(({ name }) => name === this.#measure)?.name ??
      measures.find(({ isMoney }) => isMoney)?.name ??
      measures[0]?.name
    );
  }
}
