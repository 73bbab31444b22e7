import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import type {
  BooleanField,
  ConstField,
  EnumField,
  NumberField,
  TextField,
} from '../../../src/forms/fieldTypes';
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
  // An optional field that is emptied is removed; an empty string can still be sent from the JSON tab.
  const edit = (value: string) =>
    page.editAt(field.pointer, value === '' && !field.required ? undefined : value);
  const onInput = (event: Event) => edit(typedIn(event));
  const placeholder = defaultText(field) ?? field.placeholder ?? exampleText(field);
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
    html`<div class="control-row">${input}${suggestions}${picker(field, text, edit)}</div>`,
  );
}

/** The browser's picker if it can show the value unchanged; else plain text, so that nothing is lost. */
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

function exampleText(field: TextField): string | undefined {
  const [example] = field.examples;
  if (typeof example === 'string') return l10n.t('for example: {0}', example.slice(0, 80));
  return field.format === 'date-time' ? '2026-01-31T12:00:00Z' : undefined;
}

/** The number of a typed text; any other text stays a string, which the validation reports. */
function numberFrom(text: string): number | string {
  const trimmed = text.trim();
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : text;
}

export function numberField(page: RunPage, field: NumberField): TemplateResult {
  const ids = idsOf(field);
  const shown = (typed: string | undefined) => {
    // "1.0" and "1" are the same number: the typed text stays.
    if (typed !== undefined && numberFrom(typed) === field.value) return typed;
    return typeof field.value === 'number' || typeof field.value === 'string' ? String(field.value) : '';
  };
  const edit = (text: string) =>
    page.editAt(field.pointer, text === '' ? (field.required ? '' : undefined) : numberFrom(text));
  const current = document.getElementById(ids.control) as HTMLInputElement | null;
  const onKey = (event: KeyboardEvent) => {
    const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (direction === 0 || field.readOnly) return;
    event.preventDefault();
    edit(String(stepped(field, direction)));
  };
  const number = typeof field.value === 'number' ? field.value : undefined;
  const slider = field.slider
    ? html`<input
        type="range"
        aria-hidden="true"
        tabindex="-1"
        min=${ifDefined(field.min)}
        max=${ifDefined(field.max)}
        step=${field.sliderStep}
        .value=${live(String(number ?? (typeof field.default === 'number' ? field.default : (field.min ?? 0))))}
        ?disabled=${field.readOnly}
        class=${number === undefined ? 'unset' : ''}
        @input=${(event: Event) => edit(typedIn(event))}
      />`
    : nothing;
  return frame(
    page,
    field,
    html`<div class="control-row">
      <input
        ${control(page, field)}
        class="number"
        type="text"
        inputmode=${field.integer ? 'numeric' : 'decimal'}
        autocomplete="off"
        .value=${live(shown(current?.value))}
        placeholder=${ifDefined(defaultText(field) ?? field.placeholder ?? rangeText(field))}
        ?readonly=${field.readOnly}
        ?required=${field.required}
        @input=${(event: Event) => edit(typedIn(event))}
        @keydown=${onKey}
      />${slider}
    </div>`,
  );
}

/** One step up or down from the value, within the bounds. */
function stepped(field: NumberField, direction: number): number {
  const from =
    typeof field.value === 'number'
      ? field.value
      : typeof field.default === 'number'
        ? field.default
        : (field.min ?? 0);
  const step = field.step ?? field.sliderStep;
  const to = Number((from + direction * step).toPrecision(12));
  return Math.min(field.max ?? Number.POSITIVE_INFINITY, Math.max(field.min ?? Number.NEGATIVE_INFINITY, to));
}

function rangeText({ min, max }: NumberField): string | undefined {
  if (min !== undefined && max !== undefined) return l10n.t('{0} to {1}', min, max);
  if (min !== undefined) return l10n.t('at least {0}', min);
  return max === undefined ? undefined : l10n.t('at most {0}', max);
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
