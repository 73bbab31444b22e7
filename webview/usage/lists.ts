import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import type { ModelUsage, ShownEntry } from '../../src/protocol/usage';
import { agentText } from '../../src/wording/agentGrant';
import { formatDuration } from '../../src/wording/duration';
import { formatNumber } from '../../src/wording/number';
import { visibleText } from '../../src/wording/plainText';
import { moneyText, timeText, type Units } from './texts';

/** Models in the page; the raw response has all. */
const MOST_MODELS = 200;

/** The usage of each model. A figure that the service tells of none has no column. */
export function modelsTable(models: readonly ModelUsage[], units: Units): TemplateResult {
  const { locale } = units;
  const count = (value: string | undefined) =>
    value === undefined ? undefined : formatNumber(value, locale);
  const columns: readonly [name: string, text: (model: ModelUsage) => string | undefined][] = [
    [l10n.t('Runs'), ({ runs }) => count(runs)],
    [l10n.t('Failed'), ({ failed }) => count(failed)],
    [
      l10n.t('Median time'),
      ({ medianMs }) => (medianMs === undefined ? undefined : formatDuration(medianMs, locale)),
    ],
    [l10n.t('Cost'), ({ cost }) => cost && moneyText(cost, units)],
  ];
  const shown = columns.filter(([, text]) => models.some((model) => text(model) !== undefined));
  return list(
    l10n.t('By model'),
    [l10n.t('Model'), ...shown.map(([name]) => name)],
    models.slice(0, MOST_MODELS).map(
      (model) => html`<tr>
        <th scope="row" class="clip" title=${visibleText(model.name)}>${visibleText(model.name)}</th>
        ${shown.map(([, text]) => html`<td class="number clip">${text(model) ?? ''}</td>`)}
      </tr>`,
    ),
  );
}

export function activityTable(
  entries: readonly ShownEntry[],
  units: Units,
  openRun: (historyId: string) => void,
): TemplateResult {
  // A type that all of them have says nothing.
  const hasKinds = new Set(entries.map(({ kind }) => kind)).size > 1;
  return list(
    l10n.t('Activity'),
    [l10n.t('Model'), l10n.t('Time'), l10n.t('Status'), l10n.t('Amount')],
    entries.map((entry) => activityRow(entry, units, hasKinds, openRun)),
  );
}

function activityRow(
  entry: ShownEntry,
  units: Units,
  hasKinds: boolean,
  openRun: (historyId: string) => void,
): TemplateResult {
  const { at, historyId, status, description, money, id } = entry;
  const kind = hasKinds || entry.model === undefined ? entry.kind : undefined;
  const text = (...parts: readonly (string | undefined)[]) => visibleText(parts.filter(Boolean).join(' · '));
  const name = text(entry.model ?? description, entry.mode, kind, entry.agent && agentText(entry.agent));
  const open = l10n.t('Open Run');
  return html`<tr title=${text(name, entry.model && description, status, id)}>
    <th scope="row" class="clip">${
      historyId === undefined
        ? name
        : html`<button class="text-button link" aria-label=${`${open}: ${name}`} @click=${() => openRun(historyId)}
            >${name || open}</button
          >`
    }</th>
    <td class="number clip">${at === undefined ? l10n.t('no time') : timeText(at, units.locale)}</td>
    <td class="number clip">${entry.isUnexplained ? l10n.t('No known run') : visibleText(status ?? '')}</td>
    <td class="number clip">${money ? moneyText(money, units) : l10n.t('unknown')}</td>
  </tr>`;
}

/** A table that scrolls sideways where it is too wide. */
function list(name: string, columns: readonly string[], rows: readonly TemplateResult[]): TemplateResult {
  return html`<div class="list" role="group" tabindex="0" aria-label=${name}><table>
    <thead class="quiet">
      <tr>${columns.map((column, at) => html`<th scope="col" class=${at === 0 ? 'clip' : 'number clip'}>${column}</th>`)}</tr>
    </thead>
    <tbody>${rows}</tbody>
  </table></div>`;
}
