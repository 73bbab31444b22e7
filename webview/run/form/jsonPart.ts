import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import type { Json } from '../../../src/domain/json';
import { sameJson } from '../../../src/domain/value';
import type { JsonField } from '../../../src/forms/fieldTypes';
import type { RunPage } from '../page';
import { describedBy, frame } from './frame';
import { idsOf } from './ids';

/** A part of the request as JSON: for what no control of the form fits. Text that is not valid yet is kept. */
export function jsonField(page: RunPage, field: JsonField): TemplateResult {
  const ids = idsOf(field);
  const { ids: described, invalid } = describedBy(page, field, true);
  const broken = page.work?.brokenParts?.[field.pointer];
  const current = document.getElementById(ids.control) as HTMLTextAreaElement | null;
  const shown = broken ?? textFor(field, current?.value);
  const onInput = (event: Event) => {
    const text = (event.target as HTMLTextAreaElement).value;
    if (text.trim() === '' && !field.required) {
      page.editBrokenPart(field.pointer, undefined);
      page.editAt(field.pointer, undefined);
      return;
    }
    const value = parsed(text);
    if (value === undefined) return page.editBrokenPart(field.pointer, text);
    page.editBrokenPart(field.pointer, undefined);
    page.editAt(field.pointer, value);
  };
  return frame(
    page,
    field,
    html`<textarea
        id=${ids.control}
        class="code"
        rows=${Math.min(14, Math.max(3, shown.split('\n').length))}
        spellcheck="false"
        .value=${live(shown)}
        placeholder=${field.required ? l10n.t('JSON') : l10n.t('JSON; empty: not sent')}
        ?readonly=${field.readOnly}
        aria-invalid=${invalid || broken !== undefined ? 'true' : 'false'}
        aria-describedby=${ifDefined(described || undefined)}
        @input=${onInput}
        @blur=${() => page.touch(field.pointer)}
      ></textarea>
      ${
        field.reason === 'misfit'
          ? html`<div class="quiet">
              ${l10n.t('This value has another shape than the model names.')}
              <button
                type="button"
                class="link-button"
                aria-describedby=${ids.label}
                @click=${() => page.editAt(field.pointer, field.initial())}
              >
                ${l10n.t('Start over with the form')}
              </button>
            </div>`
          : nothing
      }`,
    { below: true },
  );
}

/** What the user typed stays as typed while it means the value. */
function textFor(field: JsonField, typed: string | undefined): string {
  if (field.value === undefined) return '';
  if (typed !== undefined && sameJson(parsed(typed), field.value)) return typed;
  return JSON.stringify(field.value, null, 2);
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
