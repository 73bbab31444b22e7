import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { SearchHit, SearchState } from '../../src/protocol/search';
import { icon } from '../shared/icon';
import type { SearchHost } from './page';
import './thumbnail';

export interface GalleryActions {
  readonly host: SearchHost;
  /** The hit with the tab stop. */
  readonly focus: (index: number) => void;
  readonly compare: (hit: SearchHit) => void;
  readonly canCompare: boolean;
}

type Result = NonNullable<SearchState['result']>;

/**
 * Hits as tiles, in the service's order. One tab stop for all: arrow keys move between tiles, Tab goes on to the
 * buttons of the tile that has it.
 */
export function gallery(
  result: Result,
  current: number,
  actions: GalleryActions,
): TemplateResult | typeof nothing {
  const { hits, measure } = result;
  if (hits.length === 0) return nothing;
  return html`<ol class="gallery" aria-label=${l10n.t('Hits')} @keydown=${(event: KeyboardEvent) => move(event, current)}>
    ${repeat(
      hits,
      (hit, index) => `${index} ${hit.id}`,
      (hit, index) => tile(hit, index, measure, index === current, actions),
    )}
  </ol>`;
}

function tile(
  hit: SearchHit,
  index: number,
  measure: string,
  isCurrent: boolean,
  { host, focus, compare, canCompare }: GalleryActions,
): TemplateResult {
  const score = hit.score === undefined ? '' : formatScore(hit.score);
  const name = [
    l10n.t('Hit {0}: {1}', index + 1, hit.id),
    ...(score === '' ? [] : [`${measure} ${score}`]),
    ...(hit.path === undefined ? [l10n.t('no local file')] : []),
  ].join(', ');
  const open = () =>
    hit.path === undefined ? host.notify('copyId', { id: hit.id }) : host.notify('openHit', { id: hit.id });
  const tab = isCurrent ? 0 : -1;
  const act = (glyph: string, label: string, run: () => void) =>
    html`<button type="button" class="icon-button" tabindex=${tab} title=${label} aria-label=${`${label}: ${hit.id}`} @click=${run}>
      ${icon(glyph)}
    </button>`;
  return html`<li class="tile" @focusin=${() => isCurrent || focus(index)}>
    <button
      type="button"
      class="open"
      data-index=${index}
      tabindex=${tab}
      aria-label=${name}
      title=${[hit.path ?? hit.id, hit.about, hit.path === undefined && l10n.t('Click to copy its id.')].filter(Boolean).join('\n')}
      @click=${open}
    >
      ${looks(hit)}
    </button>
    <div class="score">
      ${
        hit.share === undefined
          ? nothing
          : html`<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect width=${hit.share * 100} height="4"></rect></svg>`
      }
      <span>${score}</span>
    </div>
    <div class="path" title=${hit.path ?? hit.id}><bdi>${hit.path ?? hit.id}</bdi></div>
    ${hit.path === undefined ? html`<div class="quiet">${l10n.t('No local file')}</div>` : nothing}
    <div class="tile-actions">
      ${
        hit.path === undefined
          ? nothing
          : html`${act('go-to-file', l10n.t('Open'), () => host.notify('openHit', { id: hit.id }))}
            ${act('folder-opened', l10n.t('Reveal in Explorer'), () => host.notify('revealHit', { id: hit.id }))}
            ${act('search', l10n.t('Search with this one'), () => host.notify('searchWith', { id: hit.id }))}`
      }
      ${act('copy', l10n.t('Copy id'), () => host.notify('copyId', { id: hit.id }))}
      ${
        canCompare && hit.src !== undefined
          ? act('compare-changes', l10n.t('Compare with the query'), () => compare(hit))
          : nothing
      }
    </div>
  </li>`;
}

function looks({ src, path, excerpt }: SearchHit): TemplateResult {
  if (src !== undefined) return html`<mb-thumbnail .src=${src}></mb-thumbnail>`;
  if (excerpt) return html`<span class="excerpt">${excerpt}</span>`;
  return html`<span class="no-picture">${icon(path === undefined ? 'question' : 'file')}</span>`;
}

/** Enough digits to tell neighbours apart. */
function formatScore(score: number): string {
  return score.toLocaleString(undefined, { maximumFractionDigits: 4 });
}

/** Moves the focus as one expects of tiles: along the row, and up and down by what stands above and below. */
function move(event: KeyboardEvent, current: number): void {
  const list = event.currentTarget as HTMLElement;
  const tiles = [...list.querySelectorAll<HTMLElement>('button.open')];
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

function columnsOf(tiles: readonly HTMLElement[]): number {
  const top = tiles[0]?.getBoundingClientRect().top;
  const second = tiles.findIndex((tile) => tile.getBoundingClientRect().top !== top);
  return second < 0 ? tiles.length : second;
}
