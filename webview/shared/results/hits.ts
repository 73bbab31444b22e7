import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { Hit, PartOf } from '../../../src/results/resultView';
import { formatScore } from '../../../src/wording/score';
import type { ResultActions } from './actions';
import { define, ResultElement } from './element';
import { shownCount } from './numbers';

const AT_ONCE = 60;

/** Search hits as a gallery of the user's own files, nearest first as the service ordered them. */
class Hits extends ResultElement {
  static override properties = {
    shows: { attribute: false },
    actions: { attribute: false },
    name: { attribute: false },
    shown: { state: true },
  };
  declare shows: PartOf<'hits'>;
  declare actions: Pick<ResultActions, 'openHit' | 'copyText'>;
  declare name: string;
  declare shown: number | undefined;

  protected override render() {
    const { hits, total } = this.shows;
    if (hits.length === 0) return html`<p class="mb-note">${l10n.t('Nothing was found.')}</p>`;
    const shown = this.shown ?? AT_ONCE;
    return html`<ul class="mb-hits" aria-label=${this.name}>
        ${hits.slice(0, shown).map((hit) => html`<li>${this.#tile(hit)}</li>`)}
      </ul>
      ${
        hits.length > shown
          ? html`<button type="button" class="mb-link" @click=${this.#more}>${l10n.t('Show {0} more', shownCount(Math.min(AT_ONCE, hits.length - shown)))}</button>`
          : nothing
      }
      ${total > hits.length ? html`<p class="mb-note">${l10n.t('{0} hits in all; the JSON has the others.', shownCount(total))}</p>` : nothing}`;
  }

  #tile(hit: Hit) {
    const { measure } = this.shows;
    const score = hit.score === undefined ? '' : formatScore(hit.score);
    const open = () => (hit.file ? this.actions.openHit(hit) : this.actions.copyText(hit.id));
    const does = hit.file ? l10n.t('Open the file') : l10n.t('Copy the identifier');
    return html`<button type="button" class="mb-hit" title=${[hit.id, hit.about, does].filter(Boolean).join('\n')} @click=${open}>
      <span class="mb-picture">
        ${
          hit.thumbnail
            ? html`<img src=${hit.thumbnail} alt="" loading="lazy" decoding="async" />`
            : html`<span class="codicon codicon-${hit.file ? 'file-media' : 'question'}" aria-hidden="true"></span>`
        }
      </span>
      <span class="mb-id"><bdi>${hit.id}</bdi></span>
      <span class="mb-score"><span class="mb-unseen">${measure} </span>${score}</span>
      ${hit.file ? nothing : html`<span class="mb-unseen">${l10n.t('not among your files')}</span>`}
    </button>`;
  }

  #more() {
    this.shown = (this.shown ?? AT_ONCE) + AT_ONCE;
  }
}

define('mb-hits', Hits);
