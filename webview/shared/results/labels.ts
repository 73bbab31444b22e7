import * as l10n from '@vscode/l10n';
import { html, nothing, svg } from 'lit';
import type { PartOf } from '../../../src/results/resultView';
import { formatNumber } from '../../../src/wording/number';
import { plainLine } from '../../../src/wording/plainText';
import { define, ResultElement, resultButton } from '../element';
import { scoreText } from '../scoreText';

const AT_FIRST = 10;

/** Labels with their scores as bars, highest first. */
class Labels extends ResultElement<PartOf<'labels'>> {
  static override properties = {
    all: { state: true },
  };
  declare all: boolean;

  protected reset() {
    this.all = false;
  }

  protected override render() {
    const { labels, total } = this.shows;
    const shown = this.all ? labels : labels.slice(0, AT_FIRST);
    const full = Math.max(1, ...labels.map(({ score }) => Math.abs(score)));
    return html`<ul class="mb-labels" aria-label=${this.name}>
        ${shown.map(
          ({ label, score, about }) => html`<li>
            <span class="mb-label clip" title=${plainLine([label, about].filter(Boolean).join(' · '))}
              >${plainLine(label)}${about === undefined ? nothing : html` <span class="mb-dim">${plainLine(about)}</span>`}</span
            >
            <svg aria-hidden="true" class=${score < 0 ? 'mb-bar mb-negative' : 'mb-bar'} preserveAspectRatio="none" viewBox="0 0 100 10">
              ${svg`<rect width=${(Math.abs(score) / full) * 100} height="10" />`}
            </svg>
            <span class="mb-score">${scoreText(score)}</span>
          </li>`,
        )}
      </ul>
      ${
        shown.length < labels.length
          ? html`${resultButton(l10n.t('Show {0} more', formatNumber(labels.length - shown.length)), () => {
              this.all = true;
            })}`
          : nothing
      }
      ${total > labels.length ? html`<p class="mb-note">${l10n.t('{0} labels in total. The JSON contains the others.', formatNumber(total))}</p>` : nothing}`;
  }
}

define('mb-labels', Labels);
