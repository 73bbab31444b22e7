import { html, type TemplateResult } from 'lit';

/** A codicon for the eye only: its control has a name of its own. */
export function icon(name: string): TemplateResult {
  return html`<span class="codicon codicon-${name}" aria-hidden="true"></span>`;
}
