import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { PartName } from '../../src/protocol/usage';
import { visibleText } from '../../src/wording/plainText';

interface Section {
  readonly part: PartName;
  readonly title: string;
  /** Beside the title. */
  readonly found?: TemplateResult;
  readonly body: unknown;
  /** Opens the raw response; missing if there is none. */
  readonly openRaw?: () => void;
}

/** A part of the page under its heading, with a button for the raw response. */
export function section({ part, title, found, body, openRaw }: Section): TemplateResult {
  return html`<section aria-labelledby=${`${part}-title`}>
    <div class="title">
      <h2 id=${`${part}-title`}>${title}</h2>
      <span class="spring"></span>
      ${found ?? nothing}
      ${
        openRaw
          ? html`<button class="secondary" aria-label=${l10n.t('{0}: raw response', title)}
              @click=${openRaw}>${l10n.t('Raw Response')}</button>`
          : nothing
      }
    </div>
    ${body}
  </section>`;
}

type ExportFormat = 'csv' | 'json';

export function exportButtons(
  what: string,
  save: (format: ExportFormat) => Promise<unknown>,
): TemplateResult {
  const button = (format: ExportFormat, text: string) =>
    html`<button class="secondary" aria-label=${`${what}: ${text}`}
      @click=${() => void save(format)}>${text}</button>`;
  return html`${button('csv', l10n.t('Export CSV'))} ${button('json', l10n.t('Export JSON'))}`;
}

export function choose<T extends string>(
  label: string,
  value: T,
  choices: readonly (readonly [T, string])[],
  pick: (value: T) => void,
): TemplateResult {
  return html`<label>${label}
    <select @change=${(event: Event) => pick((event.target as HTMLSelectElement).value as T)}>
      ${choices.map(([one, text]) => html`<option value=${one} ?selected=${one === value}>${visibleText(text)}</option>`)}
    </select>
  </label>`;
}
