import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit';
import { Channel } from '../../src/protocol/channel';
import {
  type SearchHit,
  type SearchHostMethods,
  type SearchPageMethods,
  type SearchState,
  searchHostMethods,
  searchPageMethods,
} from '../../src/protocol/search';
import { formatDuration } from '../../src/wording/duration';
import { hostEndpoint, pageState } from '../shared/host';
import { icon } from '../shared/icon';
import { comparison, openComparison } from './compare';
import { gallery } from './gallery';
import { paramsView } from './params';
import { queryView } from './query';

/** Whatever the page's parts may ask for. */
export type SearchHost = Channel<SearchPageMethods, SearchHostMethods>;

/** The search page: the query, its parameters, and the hits. All state is the host's but for what has the focus. */
export class SearchPage {
  #state: SearchState | undefined;
  #compared: SearchHit | undefined;
  #current = 0;
  #trouble: string | undefined;
  readonly #host: SearchHost = new Channel(
    hostEndpoint,
    searchPageMethods,
    searchHostMethods,
    { show: (state) => this.#take(state) },
    { describe: String, onBadMessage: (why) => console.warn(why) },
  );

  constructor(private readonly root: HTMLElement) {}

  async start(): Promise<void> {
    try {
      this.#take(await this.#host.call('ready', null));
    } catch (error) {
      this.#trouble = error instanceof Error ? error.message : String(error);
      this.#render();
    }
  }

  #take(state: SearchState): void {
    if (state.running !== undefined) this.#current = 0;
    this.#state = state;
    this.#trouble = undefined;
    pageState.set(state.saved);
    this.#render();
  }

  #render(): void {
    render(this.#view(), this.root);
    openComparison(this.root);
  }

  #view(): TemplateResult {
    const state = this.#state;
    if (!state) return html`<p role="status">${this.#trouble ?? l10n.t('Loading…')}</p>`;
    return html`<header>
        <h1>${l10n.t('Search {0}', state.scope)}</h1>
        <span class="quiet">${state.modelName} · ${state.environment}</span>
      </header>
      <section class="controls" aria-label=${l10n.t('Query')}>
        ${queryView(state, this.#host, (words) => this.#say(words))} ${paramsView(state, this.#host)} ${this.#runButton(state)}
      </section>
      ${this.#pageTrouble()} ${this.#problem(state)} ${this.#result(state)}
      ${
        this.#compared
          ? comparison(state, this.#compared, () => {
              this.#compared = undefined;
              this.#render();
            })
          : nothing
      }`;
  }

  #runButton({ running, query, takes }: SearchState): TemplateResult {
    if (running !== undefined) {
      return html`<div class="run">
        <vscode-button appearance="secondary" @click=${() => this.#host.notify('stop', null)}
          >${l10n.t('Stop waiting')}</vscode-button
        >
        <span role="status">${running}</span>
      </div>`;
    }
    // Text has its own field with its own button; what is beside it searches with the file once more.
    if (!query || (takes === 'text' && query.kind === 'text')) return html``;
    const label = takes === 'text' ? l10n.t('Search with This File Again') : l10n.t('Search');
    return html`<div class="run">
      <vscode-button @click=${() => this.#host.notify('search', null)}>${label}</vscode-button>
    </div>`;
  }

  /** What the page itself refuses, until the host has something new to show. */
  #say(words: string): void {
    this.#trouble = words;
    this.#render();
  }

  #pageTrouble(): TemplateResult | typeof nothing {
    if (this.#trouble === undefined) return nothing;
    return html`<p class="problem" role="alert">${icon('error')} ${this.#trouble}</p>`;
  }

  #problem({ problem }: SearchState): TemplateResult | typeof nothing {
    if (!problem) return nothing;
    return html`<p class="problem" role="alert">
      ${icon('error')} ${problem.message}
      ${
        problem.action
          ? html`<button class="link-button" type="button" @click=${() => this.#host.notify('takeStep', null)}>
              ${problem.action}
            </button>`
          : nothing
      }
    </p>`;
  }

  #result(state: SearchState): TemplateResult | typeof nothing {
    const { result } = state;
    if (!result) return nothing;
    const { hits, total, cost, tookMs, recognised, from } = result;
    const facts = [
      recognised ? l10n.t('{0} hits', total) : l10n.t('The response is no list of hits that is known here.'),
      formatDuration(tookMs),
      ...(cost === undefined ? [] : [cost]),
      ...(from === undefined ? [] : [l10n.t('searched {0}', from)]),
    ];
    const button = (label: string, onClick: () => void) =>
      html`<button class="link-button" type="button" @click=${onClick}>${label}</button>`;
    return html`<section aria-label=${l10n.t('Result')} aria-busy=${state.running === undefined ? 'false' : 'true'}>
      <div class="facts">
        <span role="status">${facts.join(' · ')}</span>
        <span class="spring"></span>
        ${
          hits.length > 0
            ? html`${button(l10n.t('Export as JSON'), () => this.#host.notify('exportHits', { format: 'json' }))}
              ${button(l10n.t('Export as CSV'), () => this.#host.notify('exportHits', { format: 'csv' }))}`
            : nothing
        }
        ${button(l10n.t('Show Response'), () => this.#host.notify('showResponse', null))}
      </div>
      ${recognised && hits.length === 0 ? html`<p>${l10n.t('Nothing was found in this scope.')}</p>` : nothing}
      ${gallery(result, this.#current, {
        host: this.#host,
        focus: (index) => {
          this.#current = index;
          this.#render();
        },
        compare: (hit) => {
          this.#compared = hit;
          this.#render();
        },
        canCompare:
          state.running === undefined && state.query?.kind === 'file' && state.query.src !== undefined,
      })}
    </section>`;
  }
}
