import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { icon } from './icon';

export interface TabItem<Id extends string> {
  readonly id: Id;
  readonly label: string;
  /** Said after the name, as a sign that something in there wants attention. */
  readonly mark?: string;
}

/** A tab list after the ARIA pattern: arrow keys, Home and End move and select, one tab stop for all. */
export function tabList<Id extends string>(
  name: string,
  items: readonly TabItem<Id>[],
  selected: Id,
  select: (id: Id) => void,
  prefix: string,
): TemplateResult {
  const onKey = (event: KeyboardEvent) => {
    const at = items.findIndex((item) => item.id === selected);
    const steps: Record<string, number> = {
      ArrowRight: (at + 1) % items.length,
      ArrowLeft: (at - 1 + items.length) % items.length,
      Home: 0,
      End: items.length - 1,
    };
    const next = items[steps[event.key] ?? -1];
    if (!next) return;
    event.preventDefault();
    const list = event.currentTarget as HTMLElement;
    select(next.id);
    list.querySelector<HTMLElement>(`#${prefix}-tab-${next.id}`)?.focus();
  };
  return html`<div class="tabs" role="tablist" aria-label=${name} @keydown=${onKey}>
    ${items.map(
      (item) => html`<button
        type="button"
        role="tab"
        class="tab"
        id="${prefix}-tab-${item.id}"
        aria-selected=${item.id === selected ? 'true' : 'false'}
        aria-controls=${ifDefined(item.id === selected ? `${prefix}-panel` : undefined)}
        tabindex=${item.id === selected ? 0 : -1}
        @click=${() => select(item.id)}
      >
        ${item.label}${
          item.mark
            ? html`<span class="error" title=${item.mark} aria-hidden="true">${icon('circle-small-filled')}</span>`
            : nothing
        }
      </button>`,
    )}
  </div>`;
}

export function tabPanel(prefix: string, selected: string, content: unknown): TemplateResult {
  return html`<div
    class="tab-panel"
    role="tabpanel"
    id="${prefix}-panel"
    aria-labelledby="${prefix}-tab-${selected}"
    tabindex="-1"
  >
    ${content}
  </div>`;
}
