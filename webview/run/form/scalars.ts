import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import type { BooleanField, ConstField, EnumField, TextField } from '../../../src/forms/fieldTypes';
import { iconButton } from '../../shared/buttons';
import { checkbox } from '../../shared/choices';
import { typedIn } from '../../shared/controls';
import { icon } from '../../shared/icon';
import type { RunPage } from '../page';
import { badges, control, defaultText, errors, fieldMenu, frame, hasShortHint, hint } from './frame';
import { fieldIds } from './ids';
import { selectField } from './select';
import { textInTime } from './textInTime';

export function textField(page: RunPage, field: TextField): TemplateResult {
  const ids = fieldIds(field);
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
      textInTime(
        page,
        ids.control,
        text,
        (shown, note) => html`<textarea
        ${control(page, field)}
        rows="3"
        .value=${live(shown)}
        placeholder=${ifDefined(placeholder)}
        ?readonly=${field.readOnly || shown !== text}
        ?required=${field.required}
        @input=${onInput}
      ></textarea>${note}`,
      ),
    );
  const type = inputType(field);
  const box = (shown: string) => html`<input
    ${control(page, field)}
    type=${type}
    .value=${live(shown)}
    placeholder=${ifDefined(placeholder)}
    list=${ifDefined(field.suggestions.length > 0 ? ids.list : undefined)}
    autocomplete="off"
    spellcheck=${field.style === 'secret' || field.format !== 'none' ? 'false' : 'true'}
    ?readonly=${field.readOnly || shown !== text}
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
    html`${textInTime(
      page,
      ids.control,
      text,
      (shown, note) =>
        html`<div class="control-row line">${box(shown)}${suggestions}${picker(field, text, edit)}</div>${note}`,
    )}
      ${field.formatHint ? html`<div class="quiet" role="note">${icon('info')} ${field.formatHint}</div>` : nothing}`,
    { items: () => pickerItems(field, edit) },
  );
}

function inputType(field: TextField): string {
  if (field.style === 'secret') return 'password';
  switch (field.format) {
    case 'url':
      return 'url';
    case 'email':
      return 'email';
    default:
      return 'text';
  }
}

/** A way to pick a value that can also be typed: a color, a date, a time. No Tab stop: the field's menu has it too. */
function picker(field: TextField, text: string, edit: (value: string) => void): unknown {
  if (field.readOnly) return nothing;
  const { label, control: id } = fieldIds(field);
  const onInput = (event: Event) => edit(typedIn(event));
  const colors = [text, field.default, '#000000'];
  switch (field.format) {
    case 'color':
      return html`<input
        type="color"
        class="swatch"
        id="${id}-picker"
        tabindex="-1"
        aria-label=${l10n.t('Pick')}
        aria-describedby=${label}
        .value=${live(colors.find((color) => /^#[0-9a-f]{6}$/i.test(String(color))) as string)}
        @input=${onInput}
      />`;
    case 'date':
    case 'time':
      return html`<input
          type=${field.format}
          class="hidden-picker"
          id="${id}-picker"
          tabindex="-1"
          aria-hidden="true"
          step=${field.format === 'time' ? '1' : nothing}
          .value=${live(text)}
          @input=${onInput}
        />${pickerButton(field, edit)}`;
    case 'date-time':
      return pickerButton(field, edit);
    default:
      return nothing;
  }
}

function pickerButton(field: TextField, edit: (value: string) => void): unknown {
  return pickerItems(field, edit).map(({ label, icon: glyph, act }) =>
    iconButton(glyph, label, act, { tab: -1, describedBy: fieldIds(field).label }),
  );
}

function pickerItems(field: TextField, edit: (value: string) => void) {
  const showPicker = () =>
    (document.getElementById(`${fieldIds(field).control}-picker`) as HTMLInputElement | null)?.showPicker();
  switch (field.readOnly ? undefined : field.format) {
    case 'date':
      return [{ label: l10n.t('Choose a Date…'), icon: 'calendar', act: showPicker }];
    case 'time':
      return [{ label: l10n.t('Choose a Time…'), icon: 'watch', act: showPicker }];
    case 'date-time':
      return [
        {
          label: l10n.t('Now'),
          icon: 'watch',
          act: () => edit(new Date().toISOString().replace(/\.\d+Z$/, 'Z')),
        },
      ];
    case 'color':
      return [{ label: l10n.t('Pick a Color…'), icon: 'symbol-color', act: showPicker }];
    default:
      return [];
  }
}

function otherPlaceholder(field: TextField): string | undefined {
  return defaultText(field) ?? field.placeholder ?? exampleText(field);
}

/** Examples of typed dates and times. */
const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  time: '12:00:00',
  'date-time': '2026-01-31T12:00:00Z',
};

function exampleText(field: TextField): string | undefined {
  const [example] = field.examples;
  if (typeof example === 'string') return l10n.t('for example: {0}', example.slice(0, 80));
  return FORMATS[field.format];
}

interface Checkbox {
  readonly checked: boolean;
  readonly disabled: boolean;
  readonly beside: unknown;
  change(checked: boolean): void;
}

function checkField(
  page: RunPage,
  field: BooleanField | ConstField,
  { checked, disabled, beside, change }: Checkbox,
): TemplateResult {
  const { label, control: id } = fieldIds(field);
  const isShort = hasShortHint(field);
  return html`<div class="field kind-${field.kind}" data-pointer=${field.pointer}
    ><div class="field-head check line wraps"
      >${checkbox('', checked, change, { disabled, control: control(page, field), labelledBy: label })}<label class="label" id=${label} for=${id}>${field.label}</label>${badges(field)}${isShort ? hint(field) : nothing}${beside}${fieldMenu(page, field)}</div
    >${isShort ? nothing : hint(field)}${errors(page, field, false)}</div>`;
}

export function booleanField(page: RunPage, field: BooleanField): TemplateResult {
  const unset = typeof field.value !== 'boolean';
  return checkField(page, field, {
    checked: (unset ? field.default : field.value) === true,
    disabled: field.readOnly,
    beside: unset ? html`<span class="quiet">${booleanDefault(field)}</span>` : nothing,
    change: (checked) => page.editAt(field.pointer, checked),
  });
}

function booleanDefault(field: BooleanField): string {
  return typeof field.default === 'boolean' ? l10n.t('default') : (defaultText(field) ?? l10n.t('not sent'));
}

export function constField(page: RunPage, field: ConstField): TemplateResult {
  const sent = field.value !== undefined;
  return checkField(page, field, {
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
