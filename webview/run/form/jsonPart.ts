import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Json } from '../../../src/domain/json';
import { sameJson } from '../../../src/domain/value';
import type { JsonField } from '../../../src/forms/fieldTypes';
import type { RunPage } from '../page';
import { control, frame } from './frame';
import { idsOf } from './ids';

/** A part of the request as JSON, if no control of the form fits. Invalid text is kept. */
export function jsonField(page: RunPage, field: JsonField): TemplateResult {
  const ids = idsOf(field);
  const broken = page.state.work?.brokenParts?.[field.pointer];
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
        ${control(page, field, { below: true, invalid: broken !== undefined })}
        class="code"
        rows=${Math.min(14, Math.max(3, shown.split('\n').length))}
        spellcheck="false"
        .value=${live(shown)}
        placeholder=${field.required ? l10n.t('JSON') : l10n.t('JSON; not sent if empty')}
        ?readonly=${field.readOnly}
        @input=${onInput}
      ></textarea>
      ${
        field.reason === 'misfit'
          ? html`<div class="quiet">
              ${l10n.t('This value does not match the model’s schema.')}
              <button
                type="button"
                class="link-button"
                aria-describedby=${ids.label}
                @click=${() => page.editAt(field.pointer, field.initial())}
              >
                ${l10n.t('Reset and use the form')}
              </button>
            </div>`
          : nothing
      }`,
    { below: true },
  );
}

/** The user's text and its formatting stay while it is equal to the value. */
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
