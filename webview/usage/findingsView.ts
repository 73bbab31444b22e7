import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { formatMoney } from '../../src/contract/money';
import type { ShownFindings, ShownSeries } from '../../src/protocol/usage';
import { bucketText, cellText, isNumeric, numberText, words } from './texts';

/** Figures first those in money, for that is what one came for. */
export function figuresView({ figures }: ShownFindings, locale: string): TemplateResult | typeof nothing {
  if (figures.length === 0) return nothing;
  const numbers = figures.filter(({ cell }) => isNumeric(cell));
  const rest = figures.filter(({ cell }) => !isNumeric(cell));
  const money = numbers.filter(({ cell }) => cell.kind === 'money');
  const counts = numbers.filter(({ cell }) => cell.kind !== 'money');
  return html`<dl class="figures">
      ${[...money, ...counts].map(
        ({ name, cell }) => html`<div><dt>${words(name)}</dt><dd>${cellText(cell, locale)}</dd></div>`,
      )}
    </dl>
    ${
      rest.length === 0
        ? nothing
        : html`<dl class="facts">
            ${rest.map(({ name, cell }) => html`<dt>${words(name)}</dt><dd>${cellText(cell, locale)}</dd>`)}
          </dl>`
    }`;
}

export function tablesView({ tables }: ShownFindings, locale: string): readonly TemplateResult[] {
  return tables.map(
    (table) => html`<div class="scroller" tabindex="0" role="region" aria-label=${words(table.name)}>
      <table>
        <caption>${words(table.name)}</caption>
        <thead>
          <tr>${table.columns.map((column) => html`<th scope="col">${words(column)}</th>`)}</tr>
        </thead>
        <tbody>
          ${table.rows.map(
            (row) => html`<tr>
              ${row.map((cell) => html`<td class=${isNumeric(cell) ? 'number' : ''}>${cellText(cell, locale)}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`,
  );
}

/** The numbers of the chart, and of every other measure, for those who cannot see a chart. */
export function seriesTable(series: ShownSeries, locale: string): TemplateResult {
  return html`<div class="scroller" tabindex="0" role="region" aria-label=${words(series.name)}>
    <table>
      <caption>${words(series.name)}</caption>
      <thead>
        <tr>
          <th scope="col">${l10n.t('Time (UTC)')}</th>
          ${series.measures.map((measure) => html`<th scope="col">${words(measure.name)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${series.times.map(
          (at, index) => html`<tr>
            <th scope="row">${bucketText(at, locale)}</th>
            ${series.measures.map((measure) => {
              const value = measure.values[index];
              const text =
                value === undefined
                  ? ''
                  : measure.isMoney
                    ? formatMoney({ amount: value, currency: measure.currency }, locale)
                    : numberText(value, locale);
              return html`<td class="number">${text}</td>`;
            })}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
