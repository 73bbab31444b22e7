import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { DirectiveResult } from 'lit/directive.js';
import { live } from 'lit/directives/live.js';
import type { Json } from '../../../src/domain/json';
import { insertAt, isObject, moveAt, removeAt, renameAt } from '../../../src/domain/value';
import type { ArrayField, Field, MapField, ObjectField, TupleField } from '../../../src/forms/fieldTypes';
import { icon } from '../../shared/icon';
import type { RunPage } from '../page';
import { fieldTemplate } from './fields';
import { badges, describedBy, errors, frame, hint, leaveOut } from './frame';
import { idsOf } from './ids';

/** Rows shown at once; more are asked for, so that a long list does not hold up typing. */
const ROWS = 100;

const shownRows = new Map<string, number>();

function writeDraft(page: RunPage, change: (draft: Json) => Json): void {
  page.editDraft(
    change(page.work!.draft as unknown as Json) as unknown as NonNullable<typeof page.work>['draft'],
  );
}

/**
 * A nested object: a collapsible group. The outermost groups (`input`, `params`) have headings of their own. What is
 * inside a group is made when it opens: a schema that refers to itself has no end.
 */
export function objectField(page: RunPage, field: ObjectField): TemplateResult {
  const ids = idsOf(field);
  const { invalid } = describedBy(page, field);
  const inside = page.showAll && page.problems.some(({ pointer }) => pointer.startsWith(`${field.pointer}/`));
  const id = `${ids.control}-group`;
  const open = !field.collapsed || invalid || inside || isOpen(id);
  return html`<details
    class="field group kind-object"
    id=${id}
    data-pointer=${field.pointer}
    ?open=${open}
    @toggle=${() => page.changed()}
  >
    <summary id=${ids.control}>
      <span class="label" id=${ids.label}>${field.label}</span> ${badges(field)}
    </summary>
    <div class="group-tools">${leaveOut(page, field)}</div>
    ${hint(field)} ${errors(page, field, false)}
    <div class="group-body" role="group" aria-labelledby=${ids.label}>
      ${open || field.value !== undefined ? members(page, field) : nothing}
    </div>
  </details>`;
}

/** A group that the user opened stays open, whatever becomes of the reason for which it would be. */
function isOpen(id: string): boolean {
  const group = document.getElementById(id);
  return group instanceof HTMLDetailsElement && group.open;
}

/** The fields of an object: the plain ones, then the advanced ones folded, then a way to add members of one's own. */
export function members(page: RunPage, field: ObjectField): TemplateResult {
  const children = field.children();
  const plain = children.filter((child) => !child.advanced);
  const advanced = children.filter((child) => child.advanced);
  // What has a value is never hidden: an example or the JSON tab may have set it.
  const open = advanced.some(
    (child) => child.value !== undefined || (page.showAll && page.problemsAt(child.pointer, true).length > 0),
  );
  const id = `${idsOf(field).control}-more`;
  return html`${plain.map((child) => entry(page, field.pointer, child))}
  ${
    advanced.length > 0
      ? html`<details class="advanced" id=${id} ?open=${open || plain.length === 0 || isOpen(id)}>
          <summary>${l10n.t('More options ({0})', advanced.length)}</summary>
          ${advanced.map((child) => entry(page, field.pointer, child))}
        </details>`
      : nothing
  }
  ${field.newEntry ? addMember(page, field, field.newEntry) : nothing}`;
}

/** A member of an object or map; one that the schema does not name can be renamed. */
function entry(page: RunPage, objectPointer: string, child: Field): TemplateResult | DirectiveResult {
  if (!child.extra) return fieldTemplate(page, child);
  const rename = (event: Event) => {
    const name = (event.target as HTMLInputElement).value;
    if (name === child.key || name === '') return page.changed();
    writeDraft(page, (draft) => renameAt(draft, objectPointer, child.key, name));
  };
  return html`<div class="extra">
    <label class="key"
      >${l10n.t('Name')}<input
        type="text"
        autocomplete="off"
        spellcheck="false"
        .value=${live(child.key)}
        @change=${rename}
    /></label>
    ${fieldTemplate(page, child)}
  </div>`;
}

function addMember(page: RunPage, field: Field, newEntry: () => Json): TemplateResult {
  const ids = idsOf(field);
  const add = () => {
    const object = isObject(field.value) ? field.value : {};
    let name = 'name';
    for (let n = 2; Object.hasOwn(object, name); n += 1) name = `name${n}`;
    page.editAt(field.pointer, { ...object, [name]: newEntry() });
  };
  return html`<vscode-button appearance="secondary" class="add" aria-describedby=${ids.label} @click=${add}>
    <span slot="start" class="codicon codicon-add" aria-hidden="true"></span>${l10n.t('Add Entry')}
  </vscode-button>`;
}

export function mapField(page: RunPage, field: MapField): TemplateResult {
  const ids = idsOf(field);
  return frame(
    page,
    field,
    html`<div class="nested" role="group" id=${ids.control} tabindex="-1" aria-labelledby=${ids.label}>
      ${field.entries().map((child) => entry(page, field.pointer, child))}
      ${field.namePattern ? html`<div class="quiet">${l10n.t('Names match {0}', field.namePattern)}</div>` : nothing}
      ${addMember(page, field, () => field.newEntry())}
    </div>`,
    { group: true },
  );
}

export function arrayField(page: RunPage, field: ArrayField): TemplateResult {
  const full = field.maxItems !== undefined && field.items().length >= field.maxItems;
  return list(page, field, field.items(), 0, full ? undefined : () => field.newItem());
}

export function tupleField(page: RunPage, field: TupleField): TemplateResult {
  return list(page, field, field.items(), field.fixed, field.newItem);
}

function list(
  page: RunPage,
  field: ArrayField | TupleField,
  items: readonly Field[],
  fixed: number,
  newItem: (() => Json) | undefined,
): TemplateResult {
  const ids = idsOf(field);
  const shown = shownRows.get(field.pointer) ?? ROWS;
  const move = (from: number, to: number) => {
    writeDraft(page, (draft) => moveAt(draft, field.pointer, from, to));
    requestAnimationFrame(() => document.getElementById(`${ids.control}-${to}-move`)?.focus());
  };
  const tools = (index: number) =>
    index < fixed
      ? nothing
      : html`<div class="row-tools">
          ${tool('arrow-up', l10n.t('Move up'), index === fixed, () => move(index, index - 1), `${ids.control}-${index}-move`)}
          ${tool('arrow-down', l10n.t('Move down'), index === items.length - 1, () => move(index, index + 1))}
          ${tool('trash', l10n.t('Remove'), false, () => {
            writeDraft(page, (draft) => removeAt(draft, `${field.pointer}/${index}`));
            requestAnimationFrame(() => document.getElementById(`${ids.control}-add`)?.focus());
          })}
        </div>`;
  const tool = (name: string, label: string, disabled: boolean, act: () => void, id?: string) =>
    html`<button
      type="button"
      class="icon-button"
      id=${id ?? nothing}
      title=${label}
      aria-label=${label}
      ?disabled=${disabled || field.readOnly}
      @click=${act}
    >
      ${icon(name)}
    </button>`;
  return frame(
    page,
    field,
    html`<div class="rows" role="group" id=${ids.control} tabindex="-1" aria-labelledby=${ids.label}>
        ${items.slice(0, shown).map(
          (item, index) => html`<div class="row" role="group" aria-label=${l10n.t('Item {0}', index + 1)}>
            <div class="row-body">${fieldTemplate(page, item)}</div>
            ${tools(index)}
          </div>`,
        )}
        ${
          items.length > shown
            ? html`<button
                type="button"
                class="link-button"
                @click=${() => {
                  shownRows.set(field.pointer, shown + ROWS);
                  page.changed();
                }}
              >
                ${l10n.t('Show more ({0} of {1} shown)', shown, items.length)}
              </button>`
            : nothing
        }
      </div>
      ${
        newItem && !field.readOnly
          ? html`<vscode-button
              appearance="secondary"
              class="add"
              id="${ids.control}-add"
              aria-describedby=${ids.label}
              @click=${() => {
                writeDraft(page, (draft) => insertAt(draft, field.pointer, newItem()));
                focusLater({ pointer: `${field.pointer}/${items.length}` });
              }}
              ><span slot="start" class="codicon codicon-add" aria-hidden="true"></span>${l10n.t('Add Item')}</vscode-button
            >`
          : nothing
      }`,
    { group: true },
  );
}

function focusLater(place: { pointer: string }): void {
  requestAnimationFrame(() => document.getElementById(idsOf(place).control)?.focus());
}
