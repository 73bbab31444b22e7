import * as l10n from '@vscode/l10n';
import { html, nothing, type PropertyValues } from 'lit';
import type { PartOf } from '../../../src/results/resultView';
import { linkClicked, markdown } from '../markdown';
import type { ResultActions } from './actions';
import { define, ResultElement } from './element';
import { shownCount } from './numbers';

/** Reading Markdown takes about a millisecond a kilobyte: more than this would make the page stall. */
const MOST_MARKDOWN = 40_000;

/** Text that a model wrote, shown as text; as Markdown when it looks like it, and back at a click. */
class TextView extends ResultElement {
  static override properties = {
    shows: { attribute: false },
    pointer: { attribute: false },
    actions: { attribute: false },
    plain: { state: true },
  };
  declare shows: PartOf<'text'>;
  declare pointer: string;
  declare actions: ResultActions;
  declare plain: boolean;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('shows') && changed.get('shows')?.text !== this.shows.text) this.plain = false;
  }

  protected override render() {
    const { shows: part } = this;
    const asMarkdown = this.#mayBeMarkdown && !this.plain;
    return html`${
      asMarkdown
        ? html`<div class="mb-markdown" @click=${this.#follow}>${markdown(part.text)}</div>`
        : html`<pre class="mb-text" tabindex="0">${part.text}</pre>`
    }
      <p class="mb-tools">
        ${part.characters > part.text.length ? html`<span class="mb-note">${l10n.t('The first {0} of {1} characters.', shownCount(part.text.length), shownCount(part.characters))}</span>` : nothing}
        <button type="button" class="mb-link" @click=${() => this.actions.copyValue(this.pointer)}>${l10n.t('Copy')}</button>
        <button type="button" class="mb-link" @click=${() => this.actions.openValue(this.pointer)}>${l10n.t('Open in Editor')}</button>
        ${
          this.#mayBeMarkdown
            ? html`<button type="button" class="mb-link" @click=${this.#toggle}>${asMarkdown ? l10n.t('Show as Text') : l10n.t('Show as Markdown')}</button>`
            : nothing
        }
      </p>`;
  }

  get #mayBeMarkdown(): boolean {
    return this.shows.markdown && this.shows.text.length <= MOST_MARKDOWN;
  }

  #toggle() {
    this.plain = !this.plain;
  }

  #follow(event: Event) {
    const address = linkClicked(event);
    if (address === undefined) return;
    // The page opens links of its own as well.
    event.stopPropagation();
    if (/^https?:/i.test(address)) void this.actions.openLink(address);
  }
}

define('mb-text', TextView);
