import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { RunPage } from './page';

/** A button with an icon before its label. */
export function labelledButton(name: string, label: string, act: () => unknown): TemplateResult {
  return html`<vscode-button appearance="secondary" @click=${() => void act()}
    ><span slot="start" class="codicon codicon-${name}" aria-hidden="true"></span>${label}</vscode-button
  >`;
}

/** Copy and Open in Editor for a text of the page, after other buttons for it. */
export function textTools(
  page: RunPage,
  text: string,
  language: string,
  others: unknown = nothing,
): TemplateResult {
  return html`<div class="actions">
    ${others}
    ${labelledButton('copy', l10n.t('Copy'), () => page.ask(page.host.call('copyText', { text })))}
    ${labelledButton('go-to-file', l10n.t('Open in Editor'), () =>
      page.ask(page.host.call('openText', { text, language })),
    )}
  </div>`;
}
