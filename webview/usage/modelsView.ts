import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { UsageFigure } from '../../src/domain/usage';
import type { ModelUsage } from '../../src/protocol/usage';
import { formatDuration } from '../../src/wording/duration';
import { formatNumber } from '../../src/wording/number';
import { visibleText } from '../../src/wording/plainText';
import { cellText, moneyText, type Units, words } from './texts';

/** Rows in the page; the raw response has all. */
const MOST_ROWS = 200;

interface Column {
  readonly name: string;
  readonly text: (model: ModelUsage) => string | undefined;
}

/** The usage of each model. A figure that the service tells of none has no column. */
export function modelsView(models: readonly ModelUsage[], units: Units): TemplateResult {
  const { locale } = units;
  const count = (value: string | undefined) =>
    value === undefined ? undefined : formatNumber(value, locale);
  const columns: readonly Column[] = [
    { name: l10n.t('Runs'), text: ({ runs }) => count(runs) },
    { name: l10n.t('Failed'), text: ({ failed }) => count(failed) },
    {
      name: l10n.t('Median time'),
      text: ({ medianMs }) => (medianMs === undefined ? undefined : formatDuration(medianMs, locale)),
    },
    { name: l10n.t('Cost'), text: ({ cost }) => cost && moneyText(cost, units) },
  ];
  const shown = columns.filter(({ text }) => models.some((model) => text(model) !== undefined));
  return html`<div class="models" role="group" tabindex="0" aria-label=${l10n.t('By model')}><table>
    <thead class="quiet">
      <tr>
        <th scope="col" class="clip">${l10n.t('Model')}</th>
        ${shown.map(({ name }) => html`<th scope="col" class="number clip">${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${models.slice(0, MOST_ROWS).map(
        (model) => html`<tr>
          <th scope="row" class="clip" title=${visibleText(model.name)}>${visibleText(model.name)}</th>
          ${shown.map(({ text }) => html`<td class="number clip">${text(model) ?? ''}</td>`)}
        </tr>`,
      )}
    </tbody>
  </table></div>`;
}

/** The other values of the summary: its period and identifiers. */
export function detailsView(figures: readonly UsageFigure[], units: Units): TemplateResult | typeof nothing {
  if (figures.length === 0) return nothing;
  return html`<details>
    <summary>${l10n.t('Details')}</summary>
    <dl class="facts">
      ${figures.map(({ name, cell }) => html`<dt>${words(name)}</dt><dd>${cellText(cell, units)}</dd>`)}
    </dl>
  </details>`;
}
