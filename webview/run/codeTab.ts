import { html, type TemplateResult } from 'lit';
import type { RunPage } from './page';

export function codeTab(page: RunPage): TemplateResult {
  return html`<pre class="code-block" tabindex="0">${JSON.stringify(page.request, null, 2)}</pre>`;
}
