import * as l10n from '@vscode/l10n';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { greatestOf } from '../../src/domain/many';
import type { SearchHit } from '../../src/protocol/search';
import { isTextMember } from '../../src/results/text';
import { formatNumber } from '../../src/wording/number';
import { plainLine, visibleText } from '../../src/wording/plainText';
import { iconButton } from './buttons';
import { define, PageElement, resultButton } from './element';
import { icon } from './icon';
import { openLightbox } from './lightbox';
import { scoreText } from './scoreText';
import './gallery.css';
import './thumbnail';

/** A hit of a search or of a run's result. */
type GalleryHit = SearchHit & { readonly file?: string };

/** The actions of a hit; missing ones have no button. */
export interface HitActions {
  open(hit: GalleryHit): unknown;
  copyId(hit: GalleryHit): unknown;
  reveal?(hit: GalleryHit): unknown;
  findSimilar?(hit: GalleryHit): unknown;
  /** The picture that was searched with: beside each hit that is as large as the page. */
  readonly query?: { readonly src: string; readonly name: string } | undefined;
  /** VS Code has a context menu for these tiles: those of a search, or of a run's result, which acts on their files. */
  readonly menu?: 'search' | 'result';
}

/** Entries of a list that are shown at first. */
const AT_FIRST = 50;

/**
 * Hits as tiles, or without pictures as a list, in the service's order. One tab stop for all: arrow keys move between tiles, Tab goes on to the
 * buttons of the tile that has it. A click enlarges a picture, and chooses a file to search with; with Ctrl, it opens
 * the file.
 */
class Hits extends PageElement {
  static override properties = {
    hits: { attribute: false },
    measure: { attribute: false },
    name: { attribute: false },
    actions: { attribute: false },
    busy: { attribute: false },
    files: { attribute: false },
    current: { state: true },
    all: { state: true },
  };
  declare hits: readonly GalleryHit[];
  /** The kind of score: "score", "distance". */
  declare measure: string;
  declare name: string | undefined;
  declare actions: HitActions;
  /** While other hits are on their way. */
  declare busy: boolean | undefined;
  /** No hits, but files to search with. */
  declare files: boolean | undefined;
  /** The hit with the tab stop. */
  declare current: number;
  /** Each entry of a long list is shown. */
  declare all: boolean | undefined;
  #greatest = 0;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('hits')) {
      this.all = false;
      this.#greatest = greatestOf([0, ...this.hits.flatMap(({ score }) => score ?? [])]);
    }
    if (this.busy || (changed.has('hits') && !this.hits[this.current])) this.current = 0;
  }

  protected override render() {
    if (this.hits.length === 0) return nothing;
    // Tiles are for pictures: without one they would show less than a line of text does.
    const isList = this.hits.every(({ thumbnail }) => thumbnail === undefined);
    const shown = isList && !this.all ? this.hits.slice(0, AT_FIRST) : this.hits;
    const more = this.hits.length - shown.length;
    return html`<ol class="gallery ${isList ? 'ranked' : 'tiles'}" aria-label=${this.name ?? l10n.t('Hits')} @keydown=${this.#move}>
        ${repeat(
          shown,
          (hit, index) => `${index} ${hit.id}`,
          (hit, index) => this.#tile(hit, index, isList),
        )}
      </ol>
      ${
        more > 0
          ? resultButton(l10n.t('Show {0} more', formatNumber(more)), () => {
              this.all = true;
            })
          : nothing
      }`;
  }

  /** The length of a bar, from 0 to 1. A distance is the better the smaller it is, so its bar is turned round. */
  #share({ score }: GalleryHit): number | undefined {
    if (score === undefined) return undefined;
    const most = this.#greatest;
    const share = /dist/i.test(this.measure) ? 1 - score / (most || 1) : score / Math.max(most, 1);
    return Math.min(1, Math.max(0, share));
  }

  #tile(hit: GalleryHit, index: number, isList: boolean): TemplateResult {
    const { actions } = this;
    const score = hit.score === undefined ? '' : scoreText(hit.score);
    const id = plainLine(hit.id);
    const path = plainLine(hit.path ?? hit.id);
    const name = [
      this.files ? id : l10n.t('Hit {0}: {1}', index + 1, id),
      ...(score === '' ? [] : [`${plainLine(this.measure)} ${score}`]),
      ...(isLocal(hit) ? [] : [l10n.t('no local file')]),
      ...(hit.own ? [l10n.t('the query itself')] : []),
    ].join(', ');
    const title = [
      path,
      hit.about && visibleText(hit.about),
      hit.thumbnail !== undefined && isLocal(hit) && l10n.t('Ctrl+click opens the file.'),
      hit.thumbnail === undefined && !isLocal(hit) && l10n.t('Click to copy its ID.'),
    ]
      .filter(Boolean)
      .join('\n');
    const tab = index === this.current ? 0 : -1;
    const share = isList ? this.#share(hit) : undefined;
    const isOfResult = actions.menu === 'result';
    const button = (glyph: string, label: string, act: ((hit: GalleryHit) => unknown) | undefined) =>
      act ? iconButton(glyph, label, () => act(hit), { name: `${label}: ${id}`, tab }) : nothing;
    return html`<li class="tile" data-vscode-context=${this.#context(hit)} @focusin=${() => {
      this.current = index;
    }}>
      <button
        type="button"
        class="open"
        tabindex=${tab}
        aria-label=${name}
        title=${title}
        @click=${(event: MouseEvent) => this.#choose(hit, event)}
      >
        ${isList ? html`<span class="id">${id}</span>` : picture(hit)}
      </button>
      <div class="score" ?hidden=${score === ''}>
        ${
          share === undefined
            ? nothing
            : html`<svg class="meter" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect width=${share * 100} height="4"></rect></svg>`
        }
        <span title=${plainLine(this.measure)}>${score}</span>
      </div>
      ${isList ? hitTexts(hit) : html`<div class="path clip ends" title=${path}><bdi>${isOfResult ? path : fileName(path)}</bdi></div>`}
      ${isOfResult && !isList && hit.about ? html`<div class="about quiet" title=${visibleText(hit.about)}>${visibleText(hit.about)}</div>` : nothing}
      ${hit.own ? html`<div class="own">${icon('search')} ${l10n.t('The query itself')}</div>` : nothing}
      ${isLocal(hit) || (isList && isOfResult) ? nothing : html`<div class="quiet">${l10n.t('No local file')}</div>`}
      <div class="tile-actions">
        ${
          isLocal(hit)
            ? [
                button('go-to-file', l10n.t('Open'), actions.open),
                button('folder-opened', l10n.t('Reveal in Explorer'), actions.reveal),
                button('search', l10n.t('Find Similar'), actions.findSimilar),
              ]
            : nothing
        }
        ${button('copy', l10n.t('Copy ID'), actions.copyId)}
      </div>
    </li>`;
  }

  #choose(hit: GalleryHit, { ctrlKey, metaKey }: MouseEvent): void {
    const { actions } = this;
    const opens = ctrlKey || metaKey;
    if (!opens && this.files && isLocal(hit) && actions.findSimilar) actions.findSimilar(hit);
    else if (!opens && hit.thumbnail !== undefined && !this.busy) this.#enlarge(hit);
    else if (isLocal(hit)) actions.open(hit);
    else actions.copyId(hit);
  }

  /** As large as the page, one after another. */
  #enlarge(hit: GalleryHit): void {
    const hits = this.hits.filter(({ thumbnail }) => thumbnail !== undefined);
    const pictures = hits.map(({ path, id, score, thumbnail = '' }) => ({
      src: thumbnail,
      name: [plainLine(path ?? id), ...(score === undefined ? [] : [scoreText(score)])].join(' · '),
    }));
    openLightbox(pictures, hits.indexOf(hit), { beside: this.actions.query });
  }

  /** For VS Code's own context menu, where the page has one. */
  #context(hit: GalleryHit): string | typeof nothing {
    const { actions } = this;
    if (!actions.menu) return nothing;
    const can = isLocal(hit) ? 'local' : 'remote';
    const { id, file, thumbnail } = hit;
    // The search page copies the picture itself.
    const canCopy = actions.menu === 'search' && thumbnail !== undefined;
    const webviewSection = canCopy ? `modelHit ${can} image` : `modelHit ${can}`;
    return JSON.stringify({ webviewSection, hit: id, file, preventDefaultContextMenuItems: true });
  }

  /** Moves the focus along the row, and up and down to the tile above or below. */
  #move(event: KeyboardEvent): void {
    const { current } = this;
    const tiles = [...this.querySelectorAll<HTMLElement>('button.open')];
    const columns = columnsOf(tiles);
    const steps: Record<string, number> = {
      ArrowRight: current + 1,
      ArrowLeft: current - 1,
      ArrowDown: current + columns,
      ArrowUp: current - columns,
      Home: 0,
      End: tiles.length - 1,
    };
    const next = tiles[steps[event.key] ?? -1];
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.scrollIntoView({ block: 'nearest' });
  }
}

/** Whether the hit is a file on this machine. */
function isLocal({ path, file }: GalleryHit): boolean {
  return path !== undefined || file !== undefined;
}

/** The last part of a path; its tooltip has the others. */
function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1) || path;
}

/** The texts of a hit without a picture, and its other members. */
function hitTexts({ excerpt, members = [] }: GalleryHit): TemplateResult {
  const [texts, facts] = [members.filter(isTextMember), members.filter((member) => !isTextMember(member))];
  const beginning = excerpt?.slice(0, 40) ?? '';
  const isTold = texts.some(({ value }) => value.replaceAll(/\s+/g, ' ').includes(beginning));
  return html`<div class="texts">
    ${excerpt && !isTold ? html`<div class="excerpt">${visibleText(excerpt)}</div>` : nothing}
    ${texts.map(({ name, value }) => html`<div title=${plainLine(name)}>${visibleText(value)}</div>`)}
    ${
      facts.length > 0
        ? html`<div class="quiet">${facts.map(({ name, value }) => `${plainLine(name)}: ${visibleText(value)}`).join(' · ')}</div>`
        : nothing
    }
  </div>`;
}

function picture(hit: GalleryHit): TemplateResult {
  if (hit.thumbnail !== undefined) return html`<mb-thumbnail .src=${hit.thumbnail}></mb-thumbnail>`;
  if (hit.excerpt) return html`<span class="excerpt">${hit.excerpt}</span>`;
  return html`<span class="no-picture">${icon(isLocal(hit) ? 'file' : 'question')}</span>`;
}

function columnsOf(tiles: readonly HTMLElement[]): number {
  const top = tiles[0]?.getBoundingClientRect().top;
  const second = tiles.findIndex((tile) => tile.getBoundingClientRect().top !== top);
  return second < 0 ? tiles.length : second;
}

define('mb-hits', Hits);
