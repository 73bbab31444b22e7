import * as l10n from '@vscode/l10n';
import { html, nothing, type PropertyValues } from 'lit';
import type { ResultMedia } from '../../../src/results/resultView';
import type { ResultActions } from './actions';
import { define, ResultElement } from './element';

/**
 * One piece of media. What lies in the output shows by itself; what lies behind an address is fetched by the
 * host when the user asks, because fetching tells that address that somebody looked.
 */
class MediaView extends ResultElement {
  static override properties = {
    media: { attribute: false },
    actions: { attribute: false },
    name: { attribute: false },
    src: { state: true },
    problem: { state: true },
    busy: { state: true },
  };
  declare media: ResultMedia;
  declare actions: ResultActions;
  declare name: string;
  declare src: string | undefined;
  declare problem: string | undefined;
  declare busy: boolean;

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get('media');
    if (!changed.has('media') || before === this.media) return;
    this.src = undefined;
    this.problem = undefined;
    if (this.media.from === 'inline') void this.#load();
  }

  protected override render() {
    const { media } = this;
    return html`<figure class="mb-media">
      ${this.src === undefined ? this.#waiting() : this.#player(this.src)}
      <figcaption>
        ${[media.name, media.contentType].filter(Boolean).join(' · ')}
        ${
          media.from === 'reference'
            ? nothing
            : html`<button type="button" class="mb-link" @click=${() => this.actions.saveMedia(media.pointer)}>${l10n.t('Save As…')}</button>`
        }
        ${
          media.address === undefined
            ? nothing
            : html`<button type="button" class="mb-link" @click=${() => this.actions.copyText(media.address!)}>
                ${media.from === 'reference' ? l10n.t('Copy media_ref') : l10n.t('Copy Address')}
              </button>`
        }
      </figcaption>
    </figure>`;
  }

  #waiting() {
    const { media } = this;
    if (this.problem !== undefined) {
      return html`<p class="mb-note" role="alert">${this.problem}
        <button type="button" class="mb-link" @click=${this.#load}>${l10n.t('Try Again')}</button></p>`;
    }
    if (media.from === 'reference') return html`<p class="mb-address"><code>${media.address}</code></p>`;
    if (this.busy || media.from === 'inline') return html`<p class="mb-note">${l10n.t('Loading…')}</p>`;
    return html`<p class="mb-address">
      <button type="button" class="mb-button" @click=${this.#load}>${l10n.t('Load from {0}', hostOf(media.address ?? ''))}</button>
    </p>`;
  }

  #player(src: string) {
    const label = this.media.name ?? this.name;
    switch (this.media.medium) {
      case 'image':
        return html`<img src=${src} alt=${label} @error=${this.#broken} />`;
      case 'audio':
        return html`<audio controls src=${src} aria-label=${label} @error=${this.#broken}></audio>`;
      case 'video':
        return html`<video controls src=${src} aria-label=${label} @error=${this.#broken}></video>`;
      case 'file':
        return html`<p class="mb-note">${l10n.t('A file that is not shown here. Save it to open it elsewhere.')}</p>`;
    }
  }

  #broken() {
    this.src = undefined;
    this.problem = l10n.t('This cannot be shown here. “Save As…” keeps it as a file.');
  }

  async #load() {
    const { media } = this;
    this.busy = true;
    this.problem = undefined;
    try {
      const loaded = await this.actions.media(media.pointer);
      if (this.media === media) this.src = loaded.src;
    } catch (error) {
      if (this.media === media) this.problem = error instanceof Error ? error.message : String(error);
    } finally {
      this.busy = false;
    }
  }
}

function hostOf(address: string): string {
  try {
    return new URL(address).host;
  } catch {
    return address;
  }
}

define('mb-media', MediaView);
