import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { Field } from '../../../src/forms/fieldTypes';
import { icon } from '../../shared/icon';
import { markdown } from '../../shared/markdown';
import type { RunPage } from '../page';
import { idsOf } from './ids';

/** What a control says of its field, as attributes for lit: `aria-describedby`, `aria-invalid`. */
export function describedBy(page: RunPage, field: Field, below = false): { ids: string; invalid: boolean } {
  const ids = idsOf(field);
  const invalid = page.problemsAt(field.pointer, below).length > 0;
  const about = [invalid ? ids.error : '', field.description ? ids.hint : ''].filter((id) => id !== '');
  return { ids: about.join(' '), invalid };
}

export interface FrameOptions {
  /** The element that the label belongs to is no form control (a group, a drop zone): it is named by `aria-labelledby`. */
  readonly group?: boolean;
  /** Problems inside the value are shown here: nothing in there shows its own. */
  readonly below?: boolean;
  /** Something inside stands at the same place and shows the problems. */
  readonly silent?: boolean;
}

/** Label, badges, description, control, problems: the same for every kind of field. */
export function frame(
  page: RunPage,
  field: Field,
  control: unknown,
  options: FrameOptions = {},
): TemplateResult {
  const ids = idsOf(field);
  return html`<div class="field kind-${field.kind}" data-pointer=${field.pointer}>
    <div class="field-head">
      ${
        options.group
          ? html`<span class="label" id=${ids.label}>${field.label}</span>`
          : html`<label class="label" id=${ids.label} for=${ids.control}>${field.label}</label>`
      }
      <span class="badges">${badges(field)}</span> ${leaveOut(page, field)}
    </div>
    ${hint(field)} ${control} ${options.silent ? nothing : errors(page, field, options.below === true)}
  </div>`;
}

export function badges(field: Field): unknown {
  return [
    field.required && !field.extra
      ? html`<span class="badge" title=${l10n.t('Required')} aria-hidden="true">*</span>`
      : nothing,
    field.deprecated ? html`<span class="badge deprecated">${l10n.t('deprecated')}</span>` : nothing,
    field.readOnly ? html`<span class="badge">${l10n.t('read-only')}</span>` : nothing,
  ];
}

/** Buttons that take a field out of the request, or make it null. */
export function leaveOut(page: RunPage, field: Field): unknown {
  const ids = idsOf(field);
  const isSet = field.value !== undefined;
  const canLeaveOut = isSet && (!field.required || field.extra) && field.key !== '';
  return [
    field.nullable && field.value !== null
      ? html`<button
          type="button"
          class="link-button"
          aria-describedby=${ids.label}
          @click=${() => page.editAt(field.pointer, null)}
        >
          ${l10n.t('Set to null')}
        </button>`
      : nothing,
    field.value === null ? html`<code class="badge">null</code>` : nothing,
    canLeaveOut
      ? html`<button
          type="button"
          class="icon-button"
          title=${l10n.t('Leave out of the request')}
          aria-label=${l10n.t('Leave out')}
          aria-describedby=${ids.label}
          @click=${() => removeAndFocus(page, field)}
        >
          ${icon('close')}
        </button>`
      : nothing,
  ];
}

function removeAndFocus(page: RunPage, field: Field): void {
  page.editBrokenPart(field.pointer, undefined);
  page.editAt(field.pointer, undefined);
  requestAnimationFrame(() => document.getElementById(idsOf(field).control)?.focus());
}

export function hint(field: Field): unknown {
  if (!field.description) return nothing;
  return html`<div class="hint" id=${idsOf(field).hint}>${markdown(field.description)}</div>`;
}

export function errors(page: RunPage, field: Field, below: boolean): unknown {
  const problems = page.problemsAt(field.pointer, below);
  if (problems.length === 0) return nothing;
  const texts = [...new Set(problems.map((problem) => problem.message))];
  return html`<div class="error" id=${idsOf(field).error}>
    ${texts.map((text) => html`<div>${icon('error')} ${text}</div>`)}
  </div>`;
}

/** How a default reads in a placeholder. */
export function defaultText(field: Field): string | undefined {
  if (field.default === undefined) return undefined;
  const text = typeof field.default === 'string' ? field.default : JSON.stringify(field.default);
  return l10n.t('default: {0}', text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
