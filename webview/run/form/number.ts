import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import { isExactNumber } from '../../../src/domain/exactNumbers';
import type { NumberField } from '../../../src/forms/fieldTypes';
import { typedIn } from '../../shared/controls';
import type { RunPage } from '../page';
import { control, defaultText, frame } from './frame';
import { fieldIds } from './ids';

/** The number of a typed text; any other text, and a number that would be sent as another, stays a string, which the validation reports. */
function numberFrom(text: string): number | string {
  const trimmed = text.trim();
  const isNumber = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(trimmed);
  return isNumber && isExactNumber(trimmed) ? Number(trimmed) : text;
}

export function numberField(page: RunPage, field: NumberField): TemplateResult {
  const ids = fieldIds(field);
  const current = document.getElementById(ids.control) as HTMLInputElement | null;
  const defaultValue = typeof field.default === 'number' ? String(field.default) : '';
  const isDefault = field.value === undefined && defaultValue !== '';
  const shown = (typed: string | undefined) => {
    // "1.0" and "1" are the same number: the typed text stays.
    if (typed !== undefined && numberFrom(typed) === field.value) return typed;
    if (typeof field.value === 'number' || typeof field.value === 'string') return String(field.value);
    // Not while it is edited: the number that follows would be appended.
    return field.value === undefined && document.activeElement !== current ? defaultValue : '';
  };
  const edit = (text: string) =>
    page.editAt(field.pointer, text === '' ? (field.required ? '' : undefined) : numberFrom(text));
  const onKey = (event: KeyboardEvent) => {
    const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (direction === 0 || field.readOnly) return;
    event.preventDefault();
    edit(String(stepped(field, direction)));
  };
  const number = typeof field.value === 'number' ? field.value : undefined;
  const at = number ?? (typeof field.default === 'number' ? field.default : (field.min ?? 0));
  const { min = 0, max = 0 } = reach(field);
  const filled = max > min ? Math.min(1, Math.max(0, (at - min) / (max - min))) : 0;
  const slider = field.slider
    ? html`<input
        type="range"
        aria-hidden="true"
        tabindex="-1"
        min=${ifDefined(reach(field).min)}
        max=${ifDefined(reach(field).max)}
        step=${field.sliderStep}
        .value=${live(String(at))}
        .style=${`--filled:${filled * 100}%`}
        ?disabled=${field.readOnly}
        @input=${(event: Event) => edit(typedIn(event))}
      />`
    : nothing;
  return frame(
    page,
    field,
    html`<div class="control-row line">
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
        @focus=${({ target }: Event) => isDefault && (target as HTMLInputElement).select()}
        @focusout=${({ target }: Event) => {
          const input = target as HTMLInputElement;
          if (isDefault && input.value === '') input.value = defaultValue;
        }}
      />${slider}${isDefault ? html`<span class="quiet">${l10n.t('default')}</span>` : nothing}
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
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = reach(field);
  return Math.min(max, Math.max(min, to));
}

function rangeText({ min, max, exclusiveMin, exclusiveMax }: NumberField): string | undefined {
  if (min !== undefined && max !== undefined && !exclusiveMin && !exclusiveMax)
    return l10n.t('{0} to {1}', min, max);
  const low = exclusiveMin ? l10n.t('more than {0}', min ?? 0) : l10n.t('at least {0}', min ?? 0);
  const high = exclusiveMax ? l10n.t('less than {0}', max ?? 0) : l10n.t('at most {0}', max ?? 0);
  if (min !== undefined && max !== undefined) return `${low}, ${high}`;
  if (min !== undefined) return low;
  return max === undefined ? undefined : high;
}

/** The least and the greatest value that steps and slider may reach: one step inside an exclusive bound. */
function reach(field: NumberField): { readonly min: number | undefined; readonly max: number | undefined } {
  const step = field.step ?? field.sliderStep;
  const inside = (bound: number | undefined, by: number) =>
    bound === undefined ? undefined : Number((bound + by).toPrecision(12));
  return {
    min: inside(field.min, field.exclusiveMin ? step : 0),
    max: inside(field.max, field.exclusiveMax ? -step : 0),
  };
}
