import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { RunPage } from './page';

/** Above the form: the model's published examples, and the way back to an empty form. */
export function formTools(page: RunPage): TemplateResult {
  return html`<div class="examples">
    ${examples(page)}
    <button type="button" class="link-button" @click=${() => page.resetForm()}>${l10n.t('Reset Form')}</button>
  </div>`;
}

function examples(page: RunPage): unknown {
  const list = page.mode?.examples ?? [];
  if (list.length === 0) return nothing;
  return html`<label for="examples">${l10n.t('Examples')}</label>
    <select id="examples" @pointerdown=${byPointer} @keydown=${(event: KeyboardEvent) => onKey(page, event)} @change=${(event: Event) => onChange(page, event)}>
      <option value="">${l10n.t('Load an example…')}</option>
      ${list.map(
        (example, index) =>
          html`<option value=${String(index)}>${example.title ?? l10n.t('Example {0}', index + 1)}</option>`,
      )}
    </select>`;
}

/** The last key in the closed list moved its choice: it is loaded with Enter, as in the open list. */
let isMoving = false;

const byPointer = () => {
  isMoving = false;
};

function onKey(page: RunPage, event: KeyboardEvent): void {
  isMoving =
    !event.ctrlKey && !event.metaKey && !event.altKey && /^(?:[^ ]|Arrow.*|Home|End|Page.*)$/.test(event.key);
  const select = event.target as HTMLSelectElement;
  if (event.key !== 'Enter' || select.value === '') return;
  event.preventDefault();
  load(page, select);
}

function onChange(page: RunPage, event: Event): void {
  if (!isMoving) load(page, event.target as HTMLSelectElement);
}

function load(page: RunPage, select: HTMLSelectElement): void {
  if (select.value !== '') page.loadExample(Number(select.value));
  select.value = '';
}
