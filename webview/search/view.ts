import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { SearchState } from '../../src/protocol/search';
import { formatDuration } from '../../src/wording/duration';
import { formatNumber } from '../../src/wording/number';
import { textButton } from '../shared/buttons';
import { checkbox } from '../shared/choices';
import { slider } from '../shared/controls';
import type { HitActions } from '../shared/gallery';
import { icon } from '../shared/icon';
import { menuButton } from '../shared/menu';
import '../shared/gallery';
import type { SearchPage } from './page';
import { paramsView } from './params';
import { queryView } from './query';

/** The whole page: the query, its parameters, and the hits. */
export function searchView(page: SearchPage): TemplateResult {
  const { search, notice } = page.state;
  if (!search) return html`<p role="status">${notice ?? l10n.t('Loading…')}</p>`;
  return html`<div class="live" role="status">${statusText(search, page)}</div>
    <header class="line wraps">
      <h1>${l10n.t('Search {0}', search.scope)}</h1>
      <span class="quiet">${search.modelName} · ${search.environment}</span>
      ${search.production ? html`<span class="production">${icon('shield')} ${l10n.t('production')}</span>` : nothing}
      <span class="grow"></span>
      ${moreMenu(search, page)}
    </header>
    <section class="controls line wraps" aria-label=${l10n.t('Query')}>
      ${queryView(search, page)} ${paramsView(search, page)} ${runButton(search, page)}
    </section>
    ${pinnedView(search, page)}
    ${notice === undefined ? nothing : problemView(notice)}
    ${search.problem ? problemView(search.problem.message, search.problem.action, page) : nothing}
    ${resultView(search, page)} ${itemsView(search, page)}`;
}

/** For screen readers, from an element that stays: one that comes with its text may not be read out. */
function statusText({ running, result }: SearchState, page: SearchPage): string {
  return running ?? (result ? hitsText(result, page) : '');
}

function hitsText({ hits, total, recognised }: NonNullable<SearchState['result']>, page: SearchPage): string {
  if (!recognised) return l10n.t('No list of hits was recognized in the response.');
  const shown = total - (hits.length - page.hits.length);
  return shown === 1 ? l10n.t('1 hit') : l10n.t('{0} hits', formatNumber(shown));
}

function runButton({ running, query, takes, price }: SearchState, { host }: SearchPage): TemplateResult {
  if (running !== undefined) {
    // The second click of a double click meant Search, in whose place this button is.
    const stop = ({ detail }: MouseEvent) => detail !== 2 && host.notify('stop', null);
    return html`<div class="run line">
      ${textButton(l10n.t('Stop waiting'), stop, {
        title: l10n.t('If you stop waiting, the search may still be executed and billed.'),
      })}
      <span class="clip" title=${running}>${running}</span>
    </div>`;
  }
  // A text has a button of its own beside its field; this one repeats the search with the file.
  if (!query || (takes === 'text' && query.kind === 'text')) return html``;
  const label = takes === 'text' ? l10n.t('Search with This File Again') : l10n.t('Search');
  return html`<div class="run line">
    ${textButton(label, () => host.notify('search', null), { kind: 'primary', title: price })}
    <span class="quiet">${price}</span>
  </div>`;
}

/** The kept searches; their hits are shown without searching. */
function pinnedView(
  { pinned, result, running }: SearchState,
  { host }: SearchPage,
): TemplateResult | typeof nothing {
  if (pinned.length === 0) return nothing;
  return html`<nav class="pinned line" aria-label=${l10n.t('Pinned searches')}>
    ${icon('pinned')}
    <ul class="line wraps">
      ${pinned.map(
        ({ run, label }) =>
          html`<li>
            <button
              class="text-button"
              type="button"
              aria-current=${result?.run === run ? 'true' : 'false'}
              ?disabled=${running !== undefined}
              @click=${() => host.notify('showPinned', { run })}
            >
              ${label}
            </button>
          </li>`,
      )}
    </ul>
  </nav>`;
}

function moreMenu({ result, pinned }: SearchState, { host }: SearchPage): TemplateResult {
  const isEmpty = !result || result.hits.length === 0;
  const isPinned = result !== undefined && pinned.some(({ run }) => run === result.run);
  const exported = (format: 'json' | 'csv', label: string) => ({
    label,
    icon: 'export',
    disabled: isEmpty,
    act: () => host.notify('exportHits', { format }),
  });
  return menuButton(l10n.t('More Actions'), () => [
    {
      label: l10n.t('Pin Search'),
      checked: isPinned,
      isToggle: true,
      disabled: !result,
      act: () => host.notify('pin', { pinned: !isPinned }),
    },
    'line',
    exported('json', l10n.t('Export as JSON')),
    exported('csv', l10n.t('Export as CSV')),
    'line',
    {
      label: l10n.t('Show Response'),
      icon: 'json',
      disabled: !result,
      act: () => host.notify('showResponse', null),
    },
    { label: l10n.t('Measure This Search…'), icon: 'beaker', act: () => host.notify('measure', null) },
  ]);
}

/** Before a search: the files of the scope, each of which can be searched with. */
function itemsView(search: SearchState, page: SearchPage): TemplateResult | typeof nothing {
  if (search.items.length === 0) return nothing;
  return html`<section aria-label=${l10n.t('Files in this scope')}>
    <h2>${l10n.t('Files in this scope')}</h2>
    <mb-hits
      .hits=${search.items}
      .measure=${''}
      .name=${l10n.t('Files in this scope')}
      .files=${true}
      .actions=${hitActions(search, page)}
    ></mb-hits>
  </section>`;
}

function problemView(message: string, action?: string, page?: SearchPage): TemplateResult {
  return html`<p class="problem" role="alert">
    ${icon('error')} ${message}
    ${action ? textButton(action, () => page?.host.notify('takeStep', null)) : nothing}
  </p>`;
}

function resultView(search: SearchState, page: SearchPage): TemplateResult | typeof nothing {
  const { result } = search;
  if (!result) return nothing;
  const { host } = page;
  const { measure, cost, tookMs, recognised, isPartial, from } = result;
  const { hits } = page;
  const leftOut = result.hits.length - hits.length;
  const facts = [
    hitsText(result, page),
    tookMs === undefined ? '' : formatDuration(tookMs),
    ...(cost === undefined ? [] : [cost]),
    ...(from === undefined ? [] : [l10n.t('searched {0}', from)]),
    ...(isPartial ? [l10n.t('Only a part of the scope was searched.')] : []),
  ];
  return html`<section aria-label=${l10n.t('Result')} aria-busy=${search.running === undefined ? 'false' : 'true'}>
    <div class="found line wraps">
      <span>${facts.join(' · ')}</span>
      ${
        result.hits.some(({ own }) => own === true)
          ? checkbox(l10n.t('Show the query itself'), search.view.withQuery, (withQuery) =>
              host.notify('setView', { withQuery }),
            )
          : nothing
      }
      <span class="grow"></span>
      ${hits.some(({ thumbnail }) => thumbnail !== undefined) ? sizeView(page) : nothing}
    </div>
    ${recognised && hits.length === 0 ? html`<p>${leftOut > 0 ? l10n.t('Only the query itself was found.') : l10n.t('No hits in this scope.')}</p>` : nothing}
    <mb-hits
      .hits=${hits}
      .measure=${measure}
      .actions=${hitActions(search, page)}
      .busy=${search.running !== undefined}
    ></mb-hits>
  </section>`;
}

/** The size of the tiles, as in a photo browser. */
function sizeView(page: SearchPage): TemplateResult {
  return html`<label class="size line"
    ><span class="quiet">${l10n.t('Size')}</span>${slider(
      page.tileSize,
      (tileSize) => page.update({ tileSize }),
      {
        min: 144,
        max: 384,
        step: 24,
        release: (tileSize) => page.host.notify('setView', { tileSize }),
      },
    )}</label>`;
}

function hitActions({ query, result }: SearchState, { host }: SearchPage): HitActions {
  const file = query?.kind === 'file' ? query : undefined;
  return {
    menu: 'search',
    open: ({ id }) => host.notify('openHit', { id }),
    copyId: ({ id }) => host.notify('copyId', { id }),
    reveal: ({ id }) => host.notify('revealHit', { id }),
    // Files of the scope are chosen: a search is paid.
    findSimilar: ({ id }) => host.notify(result ? 'searchWith' : 'chooseQuery', { id }),
    query: file?.src === undefined ? undefined : { src: file.src, name: l10n.t('Query: {0}', file.name) },
  };
}
