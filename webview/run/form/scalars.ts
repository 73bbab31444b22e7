import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import type { BooleanField, ConstField, EnumField, TextField } from '../../../src/forms/fieldTypes';
import { icon } from '../../shared/icon';
import type { RunPage } from '../page';
import { control, defaultText, frame } from './frame';
import { idsOf } from './ids';
import { selectField } from './select';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const typedIn = (event: Event): string => (event.target as Control).value;

export function textField(page: RunPage, field: TextField): TemplateResult {
  const ids = idsOf(field);
  const text = typeof field.value === 'string' ? field.value : '';
  // An optional field that is emptied is removed; "Send empty" sends an empty string over its default.
  const edit = (value: string) =>
    page.editAt(field.pointer, value === '' && !field.required ? undefined : value);
  const onInput = (event: Event) => edit(typedIn(event));
  const isEmpty = field.value === '' && !field.required;
  const placeholder = isEmpty ? l10n.t('empty string') : otherPlaceholder(field);
  if (field.style === 'lines')
    return frame(
      page,
      field,
      html`<textarea
        ${control(page, field)}
        rows="3"
        .value=${live(text)}
        placeholder=${ifDefined(placeholder)}
        ?readonly=${field.readOnly}
        ?required=${field.required}
        @input=${onInput}
      ></textarea>`,
    );
  const type = inputType(field, text);
  const input = html`<input
    ${control(page, field)}
    type=${type}
    .value=${live(text)}
    step=${ifDefined(type === 'time' ? '1' : undefined)}
    placeholder=${ifDefined(placeholder)}
    list=${ifDefined(field.suggestions.length > 0 ? ids.list : undefined)}
    autocomplete="off"
    spellcheck=${field.style === 'secret' || field.format !== 'none' ? 'false' : 'true'}
    ?readonly=${field.readOnly}
    ?required=${field.required}
    @input=${onInput}
  />`;
  const suggestions =
    field.suggestions.length > 0
      ? html`<datalist id=${ids.list}>
          ${field.suggestions.map((suggestion) => html`<option value=${suggestion}></option>`)}
        </datalist>`
      : nothing;
  return frame(
    page,
    field,
    html`<div class="control-row">${input}${suggestions}${picker(field, text, edit)}</div>
      ${field.formatHint ? html`<div class="quiet" role="note">${icon('info')} ${field.formatHint}</div>` : nothing}`,
  );
}

/** The browser's picker if it can show the value unchanged; else plain text, so that no part of it is lost. */
function inputType(field: TextField, text: string): string {
  if (field.style === 'secret') return 'password';
  switch (field.format) {
    case 'url':
      return 'url';
    case 'email':
      return 'email';
    case 'date':
      return text === '' || /^\d{4}-\d\d-\d\d$/.test(text) ? 'date' : 'text';
    case 'time':
      return text === '' || /^\d\d:\d\d(:\d\d)?$/.test(text) ? 'time' : 'text';
    default:
      return 'text';
  }
}

/** A way to pick what can also be typed: a colour, a time. */
function picker(field: TextField, text: string, edit: (value: string) => void): unknown {
  const { label } = idsOf(field);
  const colors = [text, field.default, '#000000'];
  if (field.format === 'color')
    return html`<input
      type="color"
      class="swatch"
      aria-label=${l10n.t('Pick')}
      aria-describedby=${label}
      .value=${live(colors.find((color) => /^#[0-9a-f]{6}$/i.test(String(color))) as string)}
      @input=${(event: Event) => edit(typedIn(event))}
    />`;
  if (field.format === 'date-time')
    return html`<button
      type="button"
      class="icon-button"
      title=${l10n.t('Now')}
      aria-label=${l10n.t('Now')}
      aria-describedby=${label}
      @click=${() => edit(new Date().toISOString().replace(/\.\d+Z$/, 'Z'))}
    >
      ${icon('watch')}
    </button>`;
  return nothing;
}

function otherPlaceholder(field: TextField): string | undefined {
  return defaultText(field) ?? field.placeholder ?? exampleText(field);
}

function exampleText(field: TextField): string | undefined {
  const [example] = field.examples;
  if (typeof example === 'string') return l10n.t('for example: {0}', example.slice(0, 80));
  return field.format === 'date-time' ? '2026-01-31T12:00:00Z' : undefined;
}

interface Checkbox {
  readonly checked: boolean;
  readonly disabled: boolean;
  readonly unset?: boolean;
  readonly beside: unknown;
  change(checked: boolean): void;
}

function checkbox(
  page: RunPage,
  field: BooleanField | ConstField,
  { checked, disabled, unset = false, beside, change }: Checkbox,
): TemplateResult {
  return frame(
    page,
    field,
    html`<div class="control-row">
      <input
        ${control(page, field)}
        type="checkbox"
        class=${unset ? 'unset' : ''}
        .checked=${live(checked)}
        ?disabled=${disabled}
        @change=${(event: Event) => change((event.target as HTMLInputElement).checked)}
      />${beside}
    </div>`,
  );
}

export function booleanField(page: RunPage, field: BooleanField): TemplateResult {
  const unset = typeof field.value !== 'boolean';
  return checkbox(page, field, {
    unset,
    checked: (unset ? field.default : field.value) === true,
    disabled: field.readOnly,
    beside: unset ? html`<span class="quiet">${booleanDefault(field)}</span>` : nothing,
    change: (checked) => page.editAt(field.pointer, checked),
  });
}

function booleanDefault(field: BooleanField): string {
  if (field.default === true) return l10n.t('On by default');
  if (field.default === false) return l10n.t('Off by default');
  return defaultText(field) ?? l10n.t('not sent');
}

export function constField(page: RunPage, field: ConstField): TemplateResult {
  const sent = field.value !== undefined;
  return checkbox(page, field, {
    checked: sent,
    disabled: field.required && sent,
    beside: html`<code>${JSON.stringify(field.constant)}</code>`,
    change: (checked) => page.editAt(field.pointer, checked ? field.constant : undefined),
  });
}

export function enumField(page: RunPage, field: EnumField): TemplateResult {
  const { selected, options, value } = field;
  const isUnlisted = selected < 0 && value !== undefined && value !== null;
  const about = options[selected]?.description;
  return frame(
    page,
    field,
    html`${selectField(page, field, options, isUnlisted ? JSON.stringify(value) : undefined, (index) => {
      page.touched.add(field.pointer);
      page.editAt(field.pointer, options[index]?.value);
    })}
      ${about ? html`<div class="quiet">${about}</div>` : nothing}`,
  );
}
