import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import type { Json } from '../../../src/domain/json';
import { sameJson } from '../../../src/domain/value';
import { valueText } from '../../../src/domain/words';
import type { StringListField } from '../../../src/forms/fieldTypes';
import { checkbox } from '../../shared/choices';
import { icon } from '../../shared/icon';
import type { RunPage } from '../page';
import { control, defaultText, frame } from './frame';
import { fieldIds } from './ids';

/** A list of short strings: chips, or a checkbox for each string that is allowed. */
export function stringListField(page: RunPage, field: StringListField): TemplateResult {
  // The IDs of media are edited with the media.
  const media = field.mediaPointer === undefined ? undefined : page.valueAt(field.mediaPointer);
  if (Array.isArray(media) && media.length > 0 && media.length >= listItems(field).length) return html``;
  return field.options.length > 0 ? tickList(page, field) : chips(page, field);
}

function listItems(field: StringListField): Json[] {
  return Array.isArray(field.value) ? field.value : [];
}

function chips(page: RunPage, field: StringListField): TemplateResult {
  const ids = fieldIds(field);
  const items = listItems(field);
  const write = (next: Json[]) =>
    page.editAt(field.pointer, next.length === 0 && !field.required ? undefined : next);
  const add = (input: HTMLInputElement) => {
    if (input.value === '') return;
    write([...items, input.value]);
    input.value = '';
  };
  const onKey = (event: KeyboardEvent) => {
    const input = event.target as HTMLInputElement;
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      add(input);
    } else if (event.key === 'Backspace' && input.value === '' && items.length > 0) {
      write(items.slice(0, -1));
    }
  };
  const move = (index: number, to: number) => {
    const next = items.toSpliced(index, 1).toSpliced(to, 0, items[index]!);
    write(next);
    page.afterRender(() => document.getElementById(`${ids.control}-${to}`)?.focus());
  };
  const onChipKey = (index: number) => (event: KeyboardEvent) => {
    const to = event.altKey
      ? index + (event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0)
      : index;
    if (to === index || to < 0 || to >= items.length) return;
    event.preventDefault();
    move(index, to);
  };
  return frame(
    page,
    field,
    html`<div class="chips line wraps">
      <ul class="chip-list" aria-labelledby=${ids.label}>
        ${items.map(
          (item, index) =>
            html`<li class="chip line">
            <span>${valueText(item)}</span>
            <button
              type="button"
              class="icon-button"
              id="${ids.control}-${index}"
              title=${l10n.t('Remove (Alt+Left and Alt+Right to move)')}
              aria-label=${l10n.t('Remove “{0}”', String(item))}
              aria-keyshortcuts="Alt+ArrowLeft Alt+ArrowRight"
              @keydown=${onChipKey(index)}
              @click=${() => {
                write(items.toSpliced(index, 1));
                document.getElementById(ids.control)?.focus();
              }}
            >
              ${icon('close')}
            </button>
          </li>`,
        )}
      </ul>
      <input
        ${control(page, field, { below: true })}
        type="text"
        autocomplete="off"
        placeholder=${ifDefined(
          items.length === 0 ? (defaultText(field) ?? l10n.t('Type and press Enter')) : l10n.t('Add…'),
        )}
        ?readonly=${field.readOnly}
        @keydown=${onKey}
        @blur=${(event: Event) => add(event.target as HTMLInputElement)}
      />
    </div>`,
    { below: true },
  );
}

function tickList(page: RunPage, field: StringListField): TemplateResult {
  const ids = fieldIds(field);
  const items = listItems(field);
  const toggle = (value: Json, on: boolean) => {
    const others = items.filter((item) => !sameJson(item, value));
    const next = on ? [...others, value] : others;
    page.touched.add(field.pointer);
    page.editAt(field.pointer, next.length === 0 && !field.required ? undefined : next);
  };
  return frame(
    page,
    field,
    html`<div class="line wraps" role="group" id=${ids.control} tabindex="-1" aria-labelledby=${ids.label}>
      ${field.options.map((option) =>
        checkbox(
          option.label,
          items.some((item) => sameJson(item, option.value)),
          (on) => toggle(option.value, on),
          { disabled: field.readOnly },
        ),
      )}
    </div>`,
    { group: true, below: true },
  );
}
