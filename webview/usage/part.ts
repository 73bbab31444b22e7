import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { PartName } from '../../src/protocol/usage';

/** What stands where a part is not shown: each state has its own words. */
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
  openRaw(part: PartName): void;
  wayOn(part: PartName): void;
  retry(): void;
}

export function notShown(part: PartName, what: NotShown, actions: PartActions): TemplateResult {
  switch (what.state) {
    case 'loading':
      return html`<p class="quiet" role="status">${l10n.t('Loading…')}</p>`;
    case 'notUnderstood':
      return html`<p class="notice">
        ${l10n.t('The service answered, and neither figures nor lists were found in its response.')}
        <button @click=${() => actions.openRaw(part)}>${l10n.t('Open the Response as It Came')}</button>
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
            ? html`<button @click=${() => actions.wayOn(part)}>${what.wayOn}</button>`
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
      return l10n.t('This key may not see it');
    case 'failing':
    case 'broken':
      return l10n.t('It could not be read');
  }
}
