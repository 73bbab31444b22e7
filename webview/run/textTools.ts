import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { toolButton } from '../shared/buttons';
import type { RunPage } from './page';

/** Copy and Open in Editor for a text of the page, after other buttons for it. */
export function textTools(
  page: RunPage,
  text: string,
  language: string,
  others: unknown = nothing,
): TemplateResult {
  return html`<div class="actions line wraps">
    ${others}
    ${toolButton('copy', l10n.t('Copy'), () => page.ask(page.host.call('copyText', { text })))}
    ${toolButton('go-to-file', l10n.t('Open in Editor'), () =>
      page.ask(page.host.call('openText', { text, language })),
    )}
  </div>`;
}
