import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { SearchHit, SearchState } from '../../src/protocol/search';
import { visibleText } from '../../src/wording/plainText';
import { scoreText } from '../shared/scoreText';

/** Query and hit side by side in full size, in a dialog. `openComparison` shows it. */
export function comparison(
  state: SearchState,
  hit: SearchHit,
  close: () => void,
): TemplateResult | typeof nothing {
  const { query } = state;
  if (query?.kind !== 'file') return nothing;
  return html`<dialog aria-label=${l10n.t('Query and hit')} @close=${close}>
    <div class="pair">
      <figure>
        <img src=${query.src ?? ''} alt=${l10n.t('Query: {0}', query.name)} />
        <figcaption>${l10n.t('Query: {0}', query.name)}</figcaption>
      </figure>
      <figure>
        <img src=${hit.thumbnail ?? ''} alt=${l10n.t('Hit: {0}', visibleText(hit.id))} />
        <figcaption>${visibleText(hit.path ?? hit.id)}${hit.score === undefined ? '' : ` · ${scoreText(hit.score)}`}</figcaption>
      </figure>
    </div>
    <form method="dialog"><button class="primary" type="submit" autofocus>${l10n.t('Close')}</button></form>
  </dialog>`;
}

/** To be called after rendering: a dialog can be shown only once it is in the document. */
export function openComparison(root: ParentNode): void {
  root.querySelector<HTMLDialogElement>('dialog:not([open])')?.showModal();
}
