import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { SearchState } from '../../src/protocol/search';
import { formatDuration } from '../../src/wording/duration';
import type { HitActions } from '../shared/gallery';
import { icon } from '../shared/icon';
import '../shared/gallery';
import { comparison } from './compare';
import type { SearchPage } from './page';
import { paramsView } from './params';
import { queryView } from './query';

/** The whole page: the query, its parameters, and the hits. */
export function searchView(page: SearchPage): TemplateResult {
  const { search, notice, compared } = page.state;
  if (!search) return html`<p role="status">${notice ?? l10n.t('Loading…')}</p>`;
  return html`<header>
      <h1>${l10n.t('Search {0}', search.scope)}</h1>
      <span class="quiet">${search.modelName} · ${search.environment}</span>
    </header>
    <section class="controls" aria-label=${l10n.t('Query')}>
      ${queryView(search, page)} ${paramsView(search, page)} ${runButton(search, page)}
    </section>
    ${notice === undefined ? nothing : problemView(notice)}
    ${search.problem ? problemView(search.problem.message, search.problem.action, page) : nothing}
    ${resultView(search, page)}
    ${compared ? comparison(search, compared, () => page.update({ compared: undefined })) : nothing}`;
}

function runButton({ running, query, takes }: SearchState, { host }: SearchPage): TemplateResult {
  if (running !== undefined) {
    return html`<div class="run">
      <vscode-button appearance="secondary" @click=${() => host.notify('stop', null)}
        >${l10n.t('Stop waiting')}</vscode-button
      >
      <span role="status">${running}</span>
    </div>`;
  }
  // A text has a button of its own beside its field; this one repeats the search with the file.
  if (!query || (takes === 'text' && query.kind === 'text')) return html``;
  const label = takes === 'text' ? l10n.t('Search with This File Again') : l10n.t('Search');
  return html`<div class="run">
    <vscode-button @click=${() => host.notify('search', null)}>${label}</vscode-button>
  </div>`;
}

function problemView(message: string, action?: string, page?: SearchPage): TemplateResult {
  return html`<p class="problem" role="alert">
    ${icon('error')} ${message}
    ${action ? linkButton(action, () => page?.host.notify('takeStep', null)) : nothing}
  </p>`;
}

function linkButton(label: string, onClick: () => void): TemplateResult {
  return html`<button class="link-button" type="button" @click=${onClick}>${label}</button>`;
}

function resultView(search: SearchState, page: SearchPage): TemplateResult | typeof nothing {
  const { result } = search;
  if (!result) return nothing;
  const { host } = page;
  const { hits, measure, total, cost, tookMs, recognised, from } = result;
  const facts = [
    recognised ? l10n.t('{0} hits', total) : l10n.t('No list of hits was recognized in the response.'),
    formatDuration(tookMs),
    ...(cost === undefined ? [] : [cost]),
    ...(from === undefined ? [] : [l10n.t('searched {0}', from)]),
  ];
  return html`<section aria-label=${l10n.t('Result')} aria-busy=${search.running === undefined ? 'false' : 'true'}>
    <div class="facts">
      <span role="status">${facts.join(' · ')}</span>
      <span class="spring"></span>
      ${
        hits.length > 0
          ? html`${linkButton(l10n.t('Export as JSON'), () => host.notify('exportHits', { format: 'json' }))}
            ${linkButton(l10n.t('Export as CSV'), () => host.notify('exportHits', { format: 'csv' }))}`
          : nothing
      }
      ${linkButton(l10n.t('Show Response'), () => host.notify('showResponse', null))}
    </div>
    ${recognised && hits.length === 0 ? html`<p>${l10n.t('No hits in this scope.')}</p>` : nothing}
    <mb-hits
      .hits=${hits}
      .measure=${measure}
      .actions=${hitActions(search, page)}
      .busy=${search.running !== undefined}
    ></mb-hits>
  </section>`;
}

function hitActions({ query, running }: SearchState, page: SearchPage): HitActions {
  const { host } = page;
  const canCompare = running === undefined && query?.kind === 'file' && query.src !== undefined;
  return {
    open: ({ id }) => host.notify('openHit', { id }),
    copyId: ({ id }) => host.notify('copyId', { id }),
    reveal: ({ id }) => host.notify('revealHit', { id }),
    findSimilar: ({ id }) => host.notify('searchWith', { id }),
    ...(canCompare && { compare: (compared) => page.update({ compared }) }),
  };
}
