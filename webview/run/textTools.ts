import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import { icon } from '../shared/icon';
import type { RunPage } from './page';

/** A button with an icon before its name. */
export function iconButton(name: string, label: string, act: () => unknown): TemplateResult {
  return html`<vscode-button appearance="secondary" @click=${() => void act()}
    ><span slot="start" class="codicon codicon-${name}" aria-hidden="true"></span>${label}</vscode-button
  >`;
}

/** Copy and Open in Editor for a text that the page holds. */
export function textTools(page: RunPage, text: string, language: string): TemplateResult {
  return html`<div class="actions">
    ${iconButton('copy', l10n.t('Copy'), () => page.ask(page.host.call('copyText', { text })))}
    ${iconButton('go-to-file', l10n.t('Open in Editor'), () =>
      page.ask(page.host.call('openText', { text, language })),
    )}
  </div>`;
}

/** A button that is an icon alone. */
export function toolButton(
  name: string,
  label: string,
  act: () => unknown,
  disabled = false,
): TemplateResult {
  return html`<button
    type="button"
    class="icon-button"
    title=${label}
    aria-label=${label}
    ?disabled=${disabled}
    @click=${() => void act()}
  >
    ${icon(name)}
  </button>`;
}
