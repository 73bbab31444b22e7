import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { SearchState } from '../../src/protocol/search';
import { icon } from '../shared/icon';
import type { SearchHost } from './page';

/** What is searched with: a file that is chosen or dropped, or a text. */
export function queryView(state: SearchState, host: SearchHost): TemplateResult {
  return state.takes === 'text' ? textQuery(state, host) : fileQuery(state, host);
}

function textQuery({ query, running }: SearchState, host: SearchHost): TemplateResult {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const text = new FormData(event.target as HTMLFormElement).get('text');
    if (typeof text === 'string' && text.trim() !== '') host.tell('searchText', { text });
  };
  return html`<form class="text-query" @submit=${submit}>
    <label for="text">${l10n.t('Text to search with')}</label>
    <input id="text" name="text" type="text" .value=${query?.kind === 'text' ? query.text : ''} />
    <button class="primary" type="submit" ?disabled=${running !== undefined}>${l10n.t('Search')}</button>
  </form>`;
}

function fileQuery({ query }: SearchState, host: SearchHost): TemplateResult {
  const over = (event: DragEvent) => event.preventDefault();
  const drop = (event: DragEvent) => {
    event.preventDefault();
    const list =
      event.dataTransfer?.getData('application/vnd.code.uri-list') ||
      event.dataTransfer?.getData('text/uri-list');
    const uri = list?.split(/\r?\n/).find((line) => line !== '' && !line.startsWith('#'));
    if (uri) host.tell('useFile', { uri });
  };
  const pick = () => host.tell('pickFile', null);
  const file = query?.kind === 'file' ? query : undefined;
  return html`<div class="query">
    <button
      type="button"
      class="drop"
      aria-label=${file ? l10n.t('Query: {0}. Choose another file…', file.name) : l10n.t('Choose a file to search with…')}
      title=${l10n.t('Click to choose a file, or drop one from the Explorer with Shift held')}
      @click=${pick}
      @dragover=${over}
      @drop=${drop}
    >
      ${
        file?.src
          ? html`<img src=${file.src} alt="" decoding="async" />`
          : html`${icon(file ? 'file-media' : 'cloud-upload')}`
      }
    </button>
    <div>
      ${
        file
          ? html`<button class="link-button name" type="button" @click=${() => host.tell('openQuery', null)}>
              ${file.name}
            </button>`
          : html`<span>${l10n.t('Choose a file, or drop one from the Explorer with Shift held.')}</span>`
      }
      ${
        file
          ? html`<button class="link-button" type="button" @click=${pick}>${l10n.t('Choose another…')}</button>`
          : nothing
      }
    </div>
  </div>`;
}
