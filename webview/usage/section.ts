import { html, nothing, type TemplateResult } from 'lit';
import type { PartName } from '../../src/protocol/usage';
import { visibleText } from '../../src/wording/plainText';

interface Section {
  readonly part: PartName;
  readonly title: string;
  /** Beside the title. */
  readonly findings?: TemplateResult | typeof nothing;
  readonly body: unknown;
}

/** A part of the page under its heading. */
export function section({ part, title, findings, body }: Section): TemplateResult {
  return html`<section aria-labelledby=${`${part}-title`}>
    <div class="title">
      <h2 id=${`${part}-title`}>${title}</h2>
      <span class="spring"></span>
      ${findings ?? nothing}
    </div>
    ${body}
  </section>`;
}

export function choose<T extends string>(
  label: string,
  value: T,
  choices: readonly (readonly [T, string])[],
  pick: (value: T) => void,
): TemplateResult {
  return html`<label>${label}
    <select @change=${(event: Event) => pick((event.target as HTMLSelectElement).value as T)}>
      ${choices.map(([one, text]) => html`<option value=${one} ?selected=${one === value}>${visibleText(text)}</option>`)}
    </select>
  </label>`;
}
