import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { PartName } from '../../src/protocol/usage';
import { textButton } from '../shared/buttons';

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
  readonly openRaw: () => void;
  readonly wayOn: () => void;
  readonly retry: () => void;
}

export function notShown(what: NotShown, actions: PartActions): TemplateResult {
  switch (what.state) {
    case 'loading':
      return html`<p class="quiet">${l10n.t('Loading…')}</p>`;
    case 'notUnderstood':
      return html`<p class="banner">
        ${l10n.t('No figures or lists were recognized in the response.')}
        ${textButton(l10n.t('Open Raw Response'), actions.openRaw, { kind: 'primary' })}
      </p>`;
    case 'notConnected':
    case 'forbidden':
    case 'failing':
    case 'broken':
      return html`<div class="banner error-banner" role="alert"><div>
        <strong>${heading(what.state)}</strong>
        <p>${what.message}</p>
        ${
          'wayOn' in what && what.wayOn ? textButton(what.wayOn, actions.wayOn, { kind: 'primary' }) : nothing
        }
        ${
          'answered' in what && what.answered === true
            ? textButton(l10n.t('Open Raw Response'), actions.openRaw)
            : nothing
        }
        ${textButton(l10n.t('Try Again'), actions.retry)}
      </div></div>`;
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

interface Section {
  readonly part: PartName;
  readonly title: string;
  /** Beside the title. */
  readonly findings?: TemplateResult | typeof nothing;
  readonly body: unknown;
}

/** A part of the page under its heading. */
export function section({ part, title, findings, body }: Section): TemplateResult {
  return html`<section aria-labelledby=${`${part}-title`}>
    <div class="title line wraps">
      <h2 id=${`${part}-title`}>${title}</h2>
      <span class="grow"></span>
      ${findings ?? nothing}
    </div>
    ${body}
  </section>`;
}
