import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { UsageFindings, UsageSeries } from '../../src/domain/usage';
import { choice } from '../shared/controls';
import { MAX_LINES } from './chart';
import { seriesTables, tablesView } from './findingsView';
import type { Granularity } from './grouping';
import type { UsagePage } from './page';
import { words } from './texts';

/** The time series in the chosen grouping and measure, as a chart and as a table. */
export function overTimeView(page: UsagePage, findings: UsageFindings): TemplateResult {
  const { units } = page;
  const { series } = page;
  const measure = page.measureOf(series);
  const tables = tablesView(findings, units);
  if (series.length === 0 || measure === undefined)
    return html`<p class="quiet">${l10n.t('No data in this range.')}</p>${tables}`;
  return html`<div class="chart" id="chart" role="img"
      aria-label=${l10n.t('Chart of {0} over time; the table below shows the numbers', words(measure))}></div>
    ${
      series.length > MAX_LINES
        ? html`<p class="quiet">
            ${l10n.t('The chart shows the {0} largest of {1} series.', MAX_LINES, series.length)}
          </p>`
        : nothing
    }
    ${
      page.leftOutMeasures.length > 0
        ? html`<p class="quiet">
            ${l10n.t('Not shown, since they cannot be added up: {0}. Group by “{1}” to see them.', page.leftOutMeasures.map(words).join(', '), l10n.t('Service default'))}
          </p>`
        : nothing
    }
    <details>
      <summary>${l10n.t('Numbers as a table')}</summary>
      ${seriesTables(series, units)}
    </details>
    ${tables}`;
}

/** How the series are grouped, and the measure that is drawn. */
export function overTimeControls(page: UsagePage): TemplateResult | typeof nothing {
  const { series } = page;
  const measure = page.measureOf(series);
  return measure === undefined ? nothing : controls(page, series, measure);
}

function controls(page: UsagePage, series: readonly UsageSeries[], measure: string): TemplateResult {
  const measures = [...new Set(series.flatMap((one) => one.measures.map(({ name }) => name)))];
  const groupings: readonly (readonly [Granularity | '', string])[] = [
    ['', l10n.t('Service default')],
    ['hour', l10n.t('Hour')],
    ['day', l10n.t('Day')],
    ['week', l10n.t('Week')],
    ['month', l10n.t('Month')],
  ];
  return html`<div class="controls">
    ${choice(l10n.t('Group by'), page.grouping, groupings, (granularity) => {
      page.update({ granularity });
      // The service may know this grouping better than a sum of the loaded values.
      void page.load();
    })}
    ${choice(
      l10n.t('Measure'),
      measure,
      measures.map((name) => [name, words(name)] as const),
      (name) => page.update({ measure: name }),
    )}
  </div>`;
}
