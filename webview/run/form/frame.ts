import * as l10n from '@vscode/l10n';
import { html, noChange, nothing, type TemplateResult } from 'lit';
import { Directive, directive, type ElementPart } from 'lit/directive.js';
import type { Json } from '../../../src/domain/json';
import { beginning, valueText } from '../../../src/domain/words';
import type { Field } from '../../../src/forms/fieldTypes';
import { icon } from '../../shared/icon';
import { markdown } from '../../shared/markdown';
import { type MenuItem, menuButton } from '../../shared/menu';
import { varyItems } from '../experiment';
import type { RunPage } from '../page';
import { fieldIds } from './ids';

interface ControlOptions {
  /** Problems inside the value count too. */
  readonly below?: boolean;
  /** Invalid for a reason that is no problem of the request. */
  readonly invalid?: boolean;
  /** Missing: the control's ID of the field; null: without an ID. */
  readonly id?: null;
}

class Control extends Directive {
  override render(_page: RunPage, _field: Field, _options?: ControlOptions): unknown {
    return noChange;
  }

  override update(part: ElementPart, [page, field, options = {}]: Parameters<this['render']>): unknown {
    const element = part.element as HTMLElement;
    const ids = fieldIds(field);
    const hasProblem = page.problemsAt(field.pointer, options.below === true).length > 0;
    const describedBy = [hasProblem && ids.error, field.description && ids.hint].filter(Boolean).join(' ');
    if (options.id !== null) setAttribute(element, 'id', ids.control);
    setAttribute(element, 'aria-invalid', String(hasProblem || options.invalid === true));
    setAttribute(element, 'aria-describedby', describedBy || null);
    element.onblur = () => page.touch(field.pointer);
    return noChange;
  }
}

/** Writing an attribute's own value again would make screen readers and the layout look at it again. */
function setAttribute(element: Element, name: string, value: string | null): void {
  if (element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** Ties a control to its field: its id, its description and problems for screen readers, and when these show. */
export const control = directive(Control);

export interface FrameOptions {
  /** The label is not for a form control but a group or a drop zone, which is named by `aria-labelledby`. */
  readonly group?: boolean;
  readonly below?: boolean;
  /** A field inside with the same pointer shows the problems. */
  readonly silent?: boolean;
  /** Further entries of the field's menu. */
  readonly items?: () => readonly MenuItem[];
}

/** Label, badges, description, control, problems: the same for every kind of field. */
export function frame(
  page: RunPage,
  field: Field,
  content: unknown,
  options: FrameOptions = {},
): TemplateResult {
  const ids = fieldIds(field);
  const label = options.group
    ? html`<span class="label" id=${ids.label}>${field.label}</span>`
    : html`<label class="label" id=${ids.label} for=${ids.control}>${field.label}</label>`;
  const isShort = hasShortHint(field);
  // Without space between its parts: each would be a node more, in each of hundreds of fields.
  return html`<div class="field kind-${field.kind}" data-pointer=${field.pointer}
    ><div class="field-head line wraps">${label}${badges(field)}${isShort ? hint(field) : nothing}${fieldMenu(page, field, options.items)}</div
    >${isShort ? nothing : hint(field)}${content}${options.silent ? nothing : errors(page, field, options.below === true)}</div>`;
}

export function badges(field: Field): unknown {
  return shown([
    field.required &&
      !field.extra &&
      // The interface calls it optional; a request has it, if empty.
      field.pointer !== '/params' &&
      html`<span class="badge" title=${l10n.t('Required')} aria-hidden="true">*</span>`,
    field.deprecated && html`<s class="badge">${l10n.t('deprecated')}</s>`,
    field.readOnly && html`<span class="badge">${l10n.t('read-only')}</span>`,
  ]);
}

/** Those that are shown: of a list, lit keeps two nodes in the page for each value, also for one that is `nothing`. */
function shown(parts: readonly unknown[]): unknown {
  const present = parts.filter((part) => part !== false && part !== nothing);
  return present.length > 1 ? present : (present[0] ?? nothing);
}

/** The state of a value that its control does not show. */
function valueBadge(field: Field): unknown {
  if (field.value === null) return html`<code class="badge">null</code>`;
  const isEmpty = field.value === '' && field.kind === 'text' && !field.required;
  return isEmpty ? html`<span class="badge">${l10n.t('empty')}</span>` : nothing;
}

/** The moves of a row among those from the first to the last. */
export function moveItems(at: number, first: number, last: number, move: (to: number) => void): MenuItem[] {
  return [
    { label: l10n.t('Move up'), icon: 'arrow-up', disabled: at === first, act: () => move(at - 1) },
    { label: l10n.t('Move down'), icon: 'arrow-down', disabled: at === last, act: () => move(at + 1) },
  ];
}

const rowItems = new WeakMap<Field, () => readonly MenuItem[]>();

/** Adds the actions of a row of a list to the menu of its field. */
export function addRowItems(field: Field, items: () => readonly MenuItem[]): void {
  rowItems.set(field, items);
}

/**
 * One button for all that can be done with a field. It is seen where the pointer or the focus is, and is no Tab stop:
 * Ctrl+. in the field opens it too.
 */
export function fieldMenu(
  page: RunPage,
  field: Field,
  others: () => readonly MenuItem[] = () => [],
): unknown {
  const items = () => [...others(), ...(rowItems.get(field)?.() ?? []), ...fieldItems(page, field)];
  return html`${valueBadge(field)}${menuButton(l10n.t('Field Actions (Ctrl+.)'), items, {
    describedBy: fieldIds(field).label,
    className: 'field-menu',
    tab: -1,
  })}`;
}

/** Opens the menu of the field, or of the file in a list, that has the focus. */
export function openFieldMenu(): void {
  const field = document.activeElement?.closest('.field, .medium-card:has(.field-menu)');
  field?.querySelector<HTMLElement>('.field-menu')?.click();
}

function fieldItems(page: RunPage, field: Field): MenuItem[] {
  const canRemove = field.value !== undefined && (!field.required || field.extra) && field.key !== '';
  const set = (label: string, icon: string, value: Json): MenuItem => ({
    label,
    icon,
    act: () => page.editAt(field.pointer, value),
  });
  return [
    ...(canRemove
      ? [
          {
            label: l10n.t('Remove from request'),
            icon: 'close',
            act: () => removeAndFocus(page, field),
          },
        ]
      : []),
    ...(field.nullable && field.value !== null ? [set(l10n.t('Set to null'), 'circle-slash', null)] : []),
    ...(canSendEmpty(field) ? [set(l10n.t('Send empty'), 'whitespace', '')] : []),
    ...varyItems(page, field),
    {
      label: l10n.t('Copy JSON Pointer'),
      icon: 'copy',
      act: () => page.ask(page.host.call('copyText', { text: field.pointer })),
    },
  ];
}

/** Whether an empty string says something that leaving the field out does not: the service has a default for it. */
function canSendEmpty(field: Field): boolean {
  if (field.kind !== 'text' || field.required || field.readOnly || field.value !== undefined) return false;
  return typeof field.default === 'string' && field.default !== '' && (field.minLength ?? 0) === 0;
}

function removeAndFocus(page: RunPage, field: Field): void {
  page.chooseVariant(field.pointer, undefined, undefined);
  page.afterRender(() => document.getElementById(fieldIds(field).control)?.focus());
}

/** Characters of a description that has room beside its label. */
const SHORT_HINT = 48;

export function hasShortHint({ description }: Field): boolean {
  return description !== undefined && description.length <= SHORT_HINT && !description.includes('\n');
}

export function hint(field: Field): unknown {
  if (!field.description) return nothing;
  return html`<div class="hint quiet" id=${fieldIds(field).hint}>${markdown(field.description)}</div>`;
}

export function errors(page: RunPage, field: Field, below: boolean): unknown {
  const problems = page.problemsAt(field.pointer, below);
  if (problems.length === 0) return nothing;
  const texts = [...new Set(problems.map((problem) => problem.message))];
  return html`<div class="error" id=${fieldIds(field).error}>
    ${texts.map((text) => html`<div>${icon('error')} ${text}</div>`)}
  </div>`;
}

/** A default as a placeholder. */
export function defaultText(field: Field): string | undefined {
  if (field.default === undefined) return undefined;
  return l10n.t('default: {0}', beginning(valueText(field.default), 60));
}
