import { html, nothing, type TemplateResult } from 'lit';
import type { PartName } from '../../src/protocol/usage';

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
