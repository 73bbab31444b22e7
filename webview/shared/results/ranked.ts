import * as l10n from '@vscode/l10n';
import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Hit, PartOf } from '../../../src/results/resultView';
import { isTextMember } from '../../../src/results/text';
import { formatNumber } from '../../../src/wording/number';
import { visibleText } from '../../../src/wording/plainText';
import { define, ResultElement, resultLink } from '../element';
import { scoreText } from '../scoreText';

const AT_FIRST = 50;
/** Hits without pictures: a list in the service's order, with score, ID, text and the other members of each. */
class Ranked extends ResultElement<PartOf<'hits'>> {
  static override properties = {
    all: { state: true },
  };
  declare all: boolean;

  protected reset() {
    this.all = false;
  }

  protected override render() {
    const { hits, measure } = this.shows;
    const shown = this.all ? hits : hits.slice(0, AT_FIRST);
    const full = Math.max(1e-12, ...hits.map(({ score = 0 }) => Math.abs(score)));
    return html`<ol class="mb-ranked" aria-label=${this.name}>
        ${shown.map((hit) => this.#row(hit, measure, full))}
      </ol>
      ${
        shown.length < hits.length
          ? resultLink(l10n.t('Show {0} more', formatNumber(hits.length - shown.length)), () => {
              this.all = true;
            })
          : nothing
      }`;
  }

  #row({ id, score, file, members = [] }: Hit, measure: string, full: number): TemplateResult {
    const texts = members.filter(isTextMember);
    const facts = members.filter((member) => !isTextMember(member));
    const open = () => (file === undefined ? this.actions.copyText(id) : this.actions.openHit(file));
    return html`<li>
      <span class="mb-score" title=${visibleText(measure)}>${score === undefined ? '' : scoreText(score)}</span>
      <svg aria-hidden="true" class="mb-bar" preserveAspectRatio="none" viewBox="0 0 100 10">
        ${svg`<rect width=${(Math.abs(score ?? 0) / full) * 100} height="10" />`}
      </svg>
      <div class="mb-hit">
        <button type="button" class="mb-id" title=${file === undefined ? l10n.t('Copy ID') : l10n.t('Open')} @click=${open}>${visibleText(id)}</button>
        ${texts.map(({ name, value }) => html`<div class="mb-hit-text" title=${visibleText(name)}>${visibleText(value)}</div>`)}
        ${
          facts.length === 0
            ? nothing
            : html`<div class="mb-dim">${facts.map(({ name, value }) => `${visibleText(name)}: ${visibleText(value)}`).join(' · ')}</div>`
        }
      </div>
    </li>`;
  }
}

define('mb-ranked', Ranked);
