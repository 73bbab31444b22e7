import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../shared/icon';
import type { RunPage } from './page';

/** Where the next run is sent, beside the button that sends it: a click asks for another environment. */
export function environmentButton(page: RunPage): TemplateResult | typeof nothing {
  const { environment } = page.state.panel ?? {};
  if (!environment?.name) return nothing;
  const { name, baseUrl, production, active } = environment;
  const facts = [
    l10n.t('Runs of this panel are sent to {0}, {1}.', name, baseUrl),
    production ? l10n.t('It is marked as production.') : '',
    active ? '' : l10n.t('Another environment is active in this window.'),
    l10n.t('Click to choose another environment.'),
  ];
  return html`<button
    type="button"
    class="text-button environment clip ${production ? 'production' : ''}"
    aria-label=${production ? l10n.t('Environment: {0}, production', name) : l10n.t('Environment: {0}', name)}
    title=${facts.filter(Boolean).join('\n')}
    @click=${() => void page.ask(page.host.call('chooseEnvironment', {}))}
  >
    ${icon(production ? 'shield' : 'server')} ${name}
    ${active ? nothing : html`<span class="quiet">${l10n.t('(not active)')}</span>`}
  </button>`;
}

/** Where a run was sent: it stays there when its panel is moved. */
export function environmentOfRun(name: string): TemplateResult | typeof nothing {
  return name === ''
    ? nothing
    : html`<span class="quiet environment clip" title=${name}>${icon('server')} ${name}</span>`;
}
