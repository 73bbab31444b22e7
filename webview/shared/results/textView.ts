import * as l10n from '@vscode/l10n';
import { html, nothing, type PropertyValues } from 'lit';
import type { PartOf } from '../../../src/contract/result/view';
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
    fragment: { state: true },
  };
  declare shows: PartOf<'text'>;
  declare pointer: string;
  declare actions: ResultActions;
  declare plain: boolean;
  declare fragment: DocumentFragment | undefined;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('shows') && changed.get('shows')?.text !== this.shows.text) {
      this.plain = false;
      this.fragment = undefined;
      if (this.#mayBeMarkdown) void this.#read(this.shows.text);
    }
  }

  protected override render() {
    const { shows: part } = this;
    const markdown = this.#mayBeMarkdown && !this.plain && this.fragment;
    return html`${
      markdown
        ? html`<div class="mb-markdown" @click=${this.#follow}>${this.fragment}</div>`
        : html`<pre class="mb-text" tabindex="0">${part.text}</pre>`
    }
      <p class="mb-tools">
        ${part.characters > part.text.length ? html`<span class="mb-note">${l10n.t('The first {0} of {1} characters.', shownCount(part.text.length), shownCount(part.characters))}</span>` : nothing}
        <button type="button" class="mb-link" @click=${() => this.actions.copyValue(this.pointer)}>${l10n.t('Copy')}</button>
        <button type="button" class="mb-link" @click=${() => this.actions.openValue(this.pointer)}>${l10n.t('Open in Editor')}</button>
        ${
          this.#mayBeMarkdown
            ? html`<button type="button" class="mb-link" @click=${this.#toggle}>${markdown ? l10n.t('Show as Text') : l10n.t('Show as Markdown')}</button>`
            : nothing
        }
      </p>`;
  }

  get #mayBeMarkdown(): boolean {
    return this.shows.markdown && this.shows.text.length <= MOST_MARKDOWN;
  }

  async #read(text: string) {
    const { markdownFragment } = await import('./markdown');
    if (this.shows.text === text) this.fragment = markdownFragment(text);
  }

  #toggle() {
    this.plain = !this.plain;
    // Rendering moves the fragment's nodes into the page: going back needs them anew.
    if (!this.plain) void this.#read(this.shows.text);
    else this.fragment = undefined;
  }

  #follow(event: Event) {
    const link = (event.target as Element).closest('a');
    if (!link) return;
    event.preventDefault();
    const address = link.getAttribute('href') ?? '';
    if (/^https?:/i.test(address)) void this.actions.openLink(address);
  }
}

define('mb-text', TextView);
