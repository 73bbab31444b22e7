import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { UsageFindings, UsageSeries } from '../../src/domain/usage';
import { formatNumber } from '../../src/wording/number';
import { bucketText, cellText, isNumeric, moneyText, type Units, words } from './texts';

/** More than this is only in the raw response and the exports. */
const mostFigures = 120;
const mostRows = 1000;
const mostTables = 40;

function omitted(count: number, all: number, what: (shown: string, all: string) => string, units: Units) {
  if (count >= all) return nothing;
  return html`<p class="quiet">${what(formatNumber(count, units.locale), formatNumber(all, units.locale))}</p>`;
}

function omittedRows(rows: number, units: Units) {
  const words = (shown: string, all: string) =>
    l10n.t('The first {0} of {1} rows. The raw response contains all of them.', shown, all);
  return omitted(Math.min(rows, mostRows), rows, words, units);
}

function omittedTables(tables: number, units: Units) {
  const words = (shown: string, all: string) =>
    l10n.t('The first {0} of {1} tables. The raw response contains all of them.', shown, all);
  return omitted(Math.min(tables, mostTables), tables, words, units);
}

/** Figures, those in money first. */
export function figuresView(findings: UsageFindings, units: Units): TemplateResult | typeof nothing {
  if (findings.figures.length === 0) return nothing;
  const figures = findings.figures.slice(0, mostFigures);
  const numbers = figures.filter(({ cell }) => isNumeric(cell));
  const rest = figures.filter(({ cell }) => !isNumeric(cell));
  const money = numbers.filter(({ cell }) => cell.kind === 'money');
  const counts = numbers.filter(({ cell }) => cell.kind !== 'money');
  return html`<dl class="figures">
      ${[...money, ...counts].map(
        ({ name, cell }) => html`<div><dt>${words(name)}</dt><dd>${cellText(cell, units)}</dd></div>`,
      )}
    </dl>
    ${
      rest.length === 0
        ? nothing
        : html`<dl class="facts">
            ${rest.map(({ name, cell }) => html`<dt>${words(name)}</dt><dd>${cellText(cell, units)}</dd>`)}
          </dl>`
    }
    ${omitted(
      figures.length,
      findings.figures.length,
      (shown, all) =>
        l10n.t('The first {0} of {1} figures. The raw response contains all of them.', shown, all),
      units,
    )}`;
}

export function tablesView({ tables }: UsageFindings, units: Units): TemplateResult {
  return html`${tables.slice(0, mostTables).map((table) => tableView(table, units))}
    ${omittedTables(tables.length, units)}`;
}

function tableView(table: UsageFindings['tables'][number], units: Units): TemplateResult {
  return html`<div class="scroller" tabindex="0" role="region" aria-label=${words(table.name)}>
      <table>
        <caption>${words(table.name)}</caption>
        <thead>
          <tr>${table.columns.map((column, at) =>
            columnHead(
              words(column),
              table.rows.some((row) => isNumeric(row[at])),
            ),
          )}</tr>
        </thead>
        <tbody>
          ${table.rows.slice(0, mostRows).map(
            (row) => html`<tr>
              ${row.map((cell) => cellView(cellText(cell, units), isNumeric(cell)))}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${omittedRows(table.rows.length, units)}
    ${
      table.moreColumns > 0
        ? html`<p class="quiet">${l10n.t('{0} more columns are in the raw response.', table.moreColumns)}</p>`
        : nothing
    }`;
}

/** The head of a column, above the ends of its numbers. */
function columnHead(text: string, numeric: boolean): TemplateResult {
  return html`<th scope="col" class=${numeric ? 'number' : ''}>${text}</th>`;
}

/** A long text is cut to the column's width; its tooltip shows all of it. */
function cellView(text: string, numeric: boolean): TemplateResult {
  return text.length > 40
    ? html`<td class=${numeric ? 'number' : ''} title=${text}>${text}</td>`
    : html`<td class=${numeric ? 'number' : ''}>${text}</td>`;
}

/** The numbers of the chart and of every other measure, also for screen readers. */
export function seriesTables(series: readonly UsageSeries[], units: Units): TemplateResult {
  return html`${series.slice(0, mostTables).map((one) => seriesTable(one, units))}
    ${omittedTables(series.length, units)}`;
}

function seriesTable(series: UsageSeries, units: Units): TemplateResult {
  const valueText = (measure: UsageSeries['measures'][number], index: number) => {
    const value = measure.values[index];
    if (value === undefined) return '';
    return measure.isMoney
      ? moneyText({ amount: value, currency: measure.currency }, units)
      : formatNumber(value, units.locale);
  };
  return html`<div class="scroller" tabindex="0" role="region" aria-label=${words(series.name)}>
      <table>
        <caption>${words(series.name)}</caption>
        <thead>
          <tr>
            <th scope="col">${l10n.t('Time (UTC)')}</th>
            ${series.measures.map((measure) => columnHead(words(measure.name), true))}
          </tr>
        </thead>
        <tbody>
          ${series.times.slice(0, mostRows).map(
            (at, index) => html`<tr>
              <th scope="row">${bucketText(at, units.locale)}</th>
              ${series.measures.map((measure) => cellView(valueText(measure, index), true))}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${omittedRows(series.times.length, units)}`;
}
