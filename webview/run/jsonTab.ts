import { html, type TemplateResult } from 'lit';
import type { RunPage } from './page';

export function jsonTab(page: RunPage): TemplateResult {
  return html`<pre>${JSON.stringify(page.work?.draft, null, 2)}</pre>`;
}
