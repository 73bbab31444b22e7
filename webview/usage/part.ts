import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';

/** Why a part is not shown. */
export type NotShown =
  | { readonly state: 'loading' }
  | { readonly state: 'notUnderstood' }
  | { readonly state: 'broken'; readonly message: string }
  | {
      readonly state: 'notConnected' | 'forbidden' | 'failing';
      readonly message: string;
      readonly wayOn?: string;
      readonly answered?: boolean;
    };

export interface PartActions {
  openRaw(): void;
  wayOn(): void;
  retry(): void;
}

export function notShown(what: NotShown, actions: PartActions): TemplateResult {
  switch (what.state) {
    case 'loading':
      return html`<p class="quiet" role="status">${l10n.t('Loading…')}</p>`;
    case 'notUnderstood':
      return html`<p class="notice">
        ${l10n.t('No figures or lists were recognized in the response.')}
        <button class="primary" @click=${() => actions.openRaw()}>${l10n.t('Open Raw Response')}</button>
      </p>`;
    case 'notConnected':
    case 'forbidden':
    case 'failing':
    case 'broken':
      return html`<div class=${`notice ${what.state}`} role="alert">
        <strong>${heading(what.state)}</strong>
        <p>${what.message}</p>
        ${
          'wayOn' in what && what.wayOn
            ? html`<button class="primary" @click=${() => actions.wayOn()}>${what.wayOn}</button>`
            : nothing
        }
        ${
          'answered' in what && what.answered === true
            ? html`<button class="secondary" @click=${() => actions.openRaw()}>${l10n.t('Open Raw Response')}</button>`
            : nothing
        }
        <button class="secondary" @click=${() => actions.retry()}>${l10n.t('Try Again')}</button>
      </div>`;
  }
}

function heading(state: 'notConnected' | 'forbidden' | 'failing' | 'broken'): string {
  switch (state) {
    case 'notConnected':
      return l10n.t('Not connected');
    case 'forbidden':
      return l10n.t('No permission');
    case 'failing':
    case 'broken':
      return l10n.t('Could not load');
  }
}
