import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Json } from '../../../src/domain/json';
import { insertAt, isObject, moveAt, removeAt, renameAt } from '../../../src/domain/value';
import type { ArrayField, Field, MapField, ObjectField, TupleField } from '../../../src/forms/fieldTypes';
import { iconButton, toolButton } from '../../shared/buttons';
import { typedIn } from '../../shared/controls';
import type { MenuItem } from '../../shared/menu';
import type { RunPage } from '../page';
import { addRowItems, badges, errors, fieldMenu, frame, hint, moveItems } from './frame';
import { fieldIds } from './ids';
import type { RenderField } from './renderField';

/** Rows shown at once: a long list would slow down typing. */
const ROWS = 100;

const shownRows = new Map<string, number>();

/**
 * A nested object: a collapsible group. The outermost groups (`input`, `params`) have headings instead. The content
 * of a group is rendered when it opens: a recursive schema has no end.
 */
export function objectField(page: RunPage, field: ObjectField, renderField: RenderField): TemplateResult {
  const ids = fieldIds(field);
  const invalid = page.problemsAt(field.pointer, false).length > 0;
  const inside = page.state.showAll && page.problemsAt(field.pointer, true).length > 0;
  const id = `${ids.control}-group`;
  const open = !field.collapsed || invalid || inside || isUnfolded(id);
  return html`<details
    class="field group"
    id=${id}
    data-pointer=${field.pointer}
    ?open=${open}
    @toggle=${() => page.update()}
  >
    <summary id=${ids.control}>
      <span class="label" id=${ids.label}>${field.label}</span> ${badges(field)}
    </summary>
    <div class="group-tools line">${fieldMenu(page, field)}</div>
    ${hint(field)} ${errors(page, field, false)}
    <div class="group-body" role="group" aria-labelledby=${ids.label}>
      ${open || field.value !== undefined ? members(page, field, renderField) : nothing}
    </div>
  </details>`;
}

/** A group that the user opened stays open. */
export function isUnfolded(id: string): boolean {
  const group = document.getElementById(id);
  return group instanceof HTMLDetailsElement && group.open;
}

/** The fields of an object: the plain ones, the advanced ones folded, and a button to add other members. */
export function members(page: RunPage, field: ObjectField, renderField: RenderField): TemplateResult {
  const children = field.children();
  const plain = children.filter((child) => !child.advanced);
  const advanced = children.filter((child) => child.advanced);
  // Fields with a value are not hidden: an example or the JSON tab may have set it.
  const open = advanced.some(
    (child) =>
      child.value !== undefined || (page.state.showAll && page.problemsAt(child.pointer, true).length > 0),
  );
  const id = `${fieldIds(field).control}-more`;
  const isShown = open || plain.length === 0 || isUnfolded(id);
  return html`${plain.map((child) => entry(page, field.pointer, child, renderField))}
  ${
    advanced.length > 0
      ? html`<details class="advanced" id=${id} ?open=${isShown} @toggle=${() => page.update()}>
          <summary>${l10n.t('More options ({0})', advanced.length)}</summary>
          ${isShown ? advanced.map((child) => entry(page, field.pointer, child, renderField)) : nothing}
        </details>`
      : nothing
  }
  ${field.newEntry ? addMember(page, field, field.newEntry) : nothing}`;
}

/** A member of an object or map; if the schema does not name it, it can be renamed. */
function entry(page: RunPage, objectPointer: string, child: Field, renderField: RenderField): unknown {
  if (!child.extra) return renderField(page, child);
  const rename = (event: Event) => {
    const name = typedIn(event);
    if (name === child.key || name === '') return page.update();
    if (name === '__proto__') {
      page.update({ notice: l10n.t('The name “__proto__” cannot be sent. Choose another name.') });
      return;
    }
    page.rearrange(objectPointer, (draft) => renameAt(draft, objectPointer, child.key, name));
  };
  return html`<div class="extra">
    <label class="quiet line"
      >${l10n.t('Name')}<input
        type="text"
        autocomplete="off"
        spellcheck="false"
        .value=${live(child.key)}
        @change=${rename}
    /></label>
    ${renderField(page, child)}
  </div>`;
}

function addMember(page: RunPage, field: Field, newEntry: () => Json): TemplateResult {
  const ids = fieldIds(field);
  const add = () => {
    const object = isObject(field.value) ? field.value : {};
    let name = 'name';
    for (let n = 2; Object.hasOwn(object, name); n += 1) name = `name${n}`;
    page.editAt(field.pointer, { ...object, [name]: newEntry() });
  };
  return toolButton('add', l10n.t('Add Entry'), add, { describedBy: ids.label });
}

export function mapField(page: RunPage, field: MapField, renderField: RenderField): TemplateResult {
  const ids = fieldIds(field);
  return frame(
    page,
    field,
    html`<div class="nested" role="group" id=${ids.control} tabindex="-1" aria-labelledby=${ids.label}>
      ${field.entries().map((child) => entry(page, field.pointer, child, renderField))}
      ${field.namePattern ? html`<div class="quiet">${l10n.t('Names match {0}', field.namePattern)}</div>` : nothing}
      ${addMember(page, field, () => field.newEntry())}
    </div>`,
    { group: true },
  );
}

export function arrayField(page: RunPage, field: ArrayField, renderField: RenderField): TemplateResult {
  const full = field.maxItems !== undefined && field.items().length >= field.maxItems;
  return list(page, field, renderField, 0, full ? undefined : () => field.newItem());
}

export function tupleField(page: RunPage, field: TupleField, renderField: RenderField): TemplateResult {
  return list(page, field, renderField, field.fixed, field.newItem);
}

function list(
  page: RunPage,
  field: ArrayField | TupleField,
  renderField: RenderField,
  fixed: number,
  newItem: (() => Json) | undefined,
): TemplateResult {
  const ids = fieldIds(field);
  const items = field.items();
  const shown = shownRows.get(field.pointer) ?? ROWS;
  const move = (from: number, to: number) => {
    page.rearrange(field.pointer, (draft) => moveAt(draft, field.pointer, from, to));
    const moved = fieldIds({ pointer: `${field.pointer}/${to}` }).control;
    page.afterRender(() => document.getElementById(moved)?.focus());
  };
  const add = (item: Json) => {
    page.editDraft((draft) => insertAt(draft, field.pointer, item));
    const added = fieldIds({ pointer: `${field.pointer}/${items.length}` }).control;
    page.afterRender(() => document.getElementById(added)?.focus());
  };
  const remove = (index: number) => {
    page.rearrange(field.pointer, (draft) => removeAt(draft, `${field.pointer}/${index}`));
    page.afterRender(() => document.getElementById(`${ids.control}-add`)?.focus());
  };
  const rowItems = (index: number): MenuItem[] => [
    ...moveItems(index, fixed, items.length - 1, (to) => move(index, to)),
    { label: l10n.t('Remove'), icon: 'trash', act: () => remove(index) },
  ];
  const hasTools = (index: number) => index >= fixed && !field.readOnly;
  for (const [index, item] of items.slice(0, shown).entries())
    if (hasTools(index)) addRowItems(item, () => rowItems(index));
  // No Tab stop: the menu of the row's field has this too.
  const tools = (index: number) =>
    hasTools(index)
      ? html`<div class="line">${iconButton('trash', l10n.t('Remove'), () => remove(index), { tab: -1 })}</div>`
      : nothing;
  return frame(
    page,
    field,
    html`<div class="rows" role="group" id=${ids.control} tabindex="-1" aria-labelledby=${ids.label}>
        ${items.slice(0, shown).map(
          (
            item,
            index,
          ) => html`<div class="row line" role="group" aria-label=${l10n.t('Item {0}', index + 1)}>
            <div class="grow">${renderField(page, item)}</div>
            ${tools(index)}
          </div>`,
        )}
        ${
          items.length > shown
            ? toolButton('chevron-down', l10n.t('Show more ({0} of {1} shown)', shown, items.length), () => {
                shownRows.set(field.pointer, shown + ROWS);
                page.update();
              })
            : nothing
        }
      </div>
      ${
        newItem && !field.readOnly
          ? toolButton('add', l10n.t('Add Item'), () => add(newItem()), {
              id: `${ids.control}-add`,
              describedBy: ids.label,
            })
          : nothing
      }`,
    { group: true },
  );
}
