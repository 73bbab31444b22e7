import { html, type TemplateResult } from 'lit';

/** A codicon for the eye only: its control has a name of its own. */
export function icon(name: string, extra = ''): TemplateResult {
  return html`<span class="codicon codicon-${name} ${extra}" aria-hidden="true"></span>`;
}
