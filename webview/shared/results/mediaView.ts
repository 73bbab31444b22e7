import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { ResultMedia } from '../../../src/results/resultView';
import { plainLine } from '../../../src/wording/plainText';
import { define, ResultElement, resultButton } from '../element';
import { errorMessage } from '../errorMessage';
import { copyImage, isDrawing } from '../picture';

/**
 * One piece of media. Media in the output is shown at once, and a drawing when the user asks; linked media is then fetched
 * by the host, because fetching reveals the user to that address.
 */
class MediaView extends ResultElement<ResultMedia> {
  static override properties = {
    src: { state: true },
    busy: { state: true },
  };
  declare src: string | undefined;
  declare busy: boolean;

  protected reset(): void {
    this.src = undefined;
    this.problem = undefined;
    if (this.shows.from === 'inline' && !isDrawing(this.shows.contentType ?? '')) void this.#load();
  }

  protected override render() {
    const { shows: media } = this;
    return html`<figure class="mb-media">
      ${this.src === undefined ? this.#waiting() : this.#player(this.src)}
      <figcaption class="line wraps">
        ${plainLine([media.name, media.contentType, media.from === 'remote' ? media.address : undefined].filter(Boolean).join(' · '))}
        ${
          media.from === 'reference'
            ? nothing
            : html`${resultButton(l10n.t('Save As…'), () => this.actions.saveMedia(media.pointer))}`
        }
        ${
          this.src === undefined || media.medium !== 'image'
            ? nothing
            : html`${resultButton(l10n.t('Copy Image'), this.#copy)}`
        }
        ${
          media.address === undefined
            ? nothing
            : html`${resultButton(media.from === 'reference' ? l10n.t('Copy media_ref') : l10n.t('Copy Address'), () => this.actions.copyText(media.address!))}`
        }
      </figcaption>
    </figure>`;
  }

  #waiting() {
    const { shows: media } = this;
    if (this.problem !== undefined) {
      return html`<p class="mb-note" role="alert">${this.problem}
        ${resultButton(l10n.t('Try Again'), () => this.#load())}</p>`;
    }
    if (media.from === 'reference') return html`<p><code>${plainLine(media.address ?? '')}</code></p>`;
    const isAsked = media.from === 'remote' || isDrawing(media.contentType ?? '');
    if (this.busy || !isAsked) return html`<p class="mb-note">${l10n.t('Loading…')}</p>`;
    const text =
      media.from === 'remote' ? l10n.t('Load from {0}', hostOf(media.address ?? '')) : l10n.t('Show');
    return html`<p><button type="button" class="secondary" @click=${this.#load}>${text}</button></p>`;
  }

  #player(src: string) {
    const label = plainLine(this.shows.name ?? this.name);
    switch (this.shows.medium) {
      case 'image':
        return html`<button type="button" class="mb-picture" title=${l10n.t('Enlarge')} aria-label=${l10n.t('Enlarge {0}', label)} @click=${this.#open}>
          <img src=${src} alt=${label} @error=${this.#broken} />
        </button>`;
      case 'audio':
        return html`<audio controls src=${src} aria-label=${label} @error=${this.#broken}></audio>`;
      case 'video':
        return html`<video controls src=${src} aria-label=${label} @error=${this.#broken}></video>`;
      case 'file':
        return html`<p class="mb-note">${l10n.t('No preview for this file. Save it to open it elsewhere.')}</p>`;
    }
  }

  #open() {
    this.dispatchEvent(new CustomEvent('mb-open', { bubbles: true }));
  }

  readonly #copy = () =>
    copyImage(this.src!).catch((error: unknown) => {
      this.problem = errorMessage(error);
    });

  #broken() {
    this.src = undefined;
    this.problem = l10n.t('This cannot be shown here. Use Save As… to save it as a file.');
  }

  async #load() {
    const { shows: media } = this;
    this.busy = true;
    this.problem = undefined;
    try {
      const loaded = await this.actions.media(media.pointer);
      if (this.shows === media) this.src = loaded.src;
    } catch (error) {
      if (this.shows === media) this.problem = errorMessage(error);
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
