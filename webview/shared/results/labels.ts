import * as l10n from '@vscode/l10n';
import { html, nothing, svg } from 'lit';
import type { PartOf } from '../../../src/results/resultView';
import { formatScore } from '../../../src/wording/score';
import { define, ResultElement } from './element';
import { shownCount } from './numbers';

const AT_FIRST = 10;

/** Labels with their scores as bars, the surest first. */
class Labels extends ResultElement {
  static override properties = {
    shows: { attribute: false },
    name: { attribute: false },
    all: { state: true },
  };
  declare shows: PartOf<'labels'>;
  declare name: string;
  declare all: boolean;

  protected override render() {
    const { labels, total } = this.shows;
    const shown = this.all ? labels : labels.slice(0, AT_FIRST);
    const full = Math.max(1, ...labels.map(({ score }) => Math.abs(score)));
    return html`<ul class="mb-labels" aria-label=${this.name}>
        ${shown.map(
          ({ label, score }) => html`<li>
            <span class="mb-label" title=${label}>${label}</span>
            <svg aria-hidden="true" class=${score < 0 ? 'mb-bar mb-negative' : 'mb-bar'} preserveAspectRatio="none" viewBox="0 0 100 10">
              ${svg`<rect width=${(Math.abs(score) / full) * 100} height="10" />`}
            </svg>
            <span class="mb-score">${formatScore(score)}</span>
          </li>`,
        )}
      </ul>
      ${
        shown.length < labels.length
          ? html`<button type="button" class="mb-link" @click=${this.#showAll}>${l10n.t('Show {0} more', shownCount(labels.length - shown.length))}</button>`
          : nothing
      }
      ${total > labels.length ? html`<p class="mb-note">${l10n.t('{0} labels in all; the JSON has the others.', shownCount(total))}</p>` : nothing}`;
  }

  #showAll() {
    this.all = true;
  }
}

define('mb-labels', Labels);
