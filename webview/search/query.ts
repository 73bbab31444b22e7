import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { SearchState } from '../../src/protocol/search';
import { icon } from '../shared/icon';
import type { SearchHost } from './page';
import { takeFile } from './takeFile';

/** What is searched with: a file that is chosen or dropped, or a text. */
export function queryView(
  state: SearchState,
  host: SearchHost,
  refuse: (words: string) => void,
): TemplateResult {
  return state.takes === 'text' ? textQuery(state, host) : fileQuery(state, host, refuse);
}

function textQuery({ query, running }: SearchState, host: SearchHost): TemplateResult {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const text = new FormData(event.target as HTMLFormElement).get('text');
    if (typeof text === 'string' && text.trim() !== '') host.notify('searchText', { text });
  };
  const file = query?.kind === 'file' ? query : undefined;
  return html`<form class="text-query" @submit=${submit}>
      <label for="text">${l10n.t('Text to search with')}</label>
      <input id="text" name="text" type="text" .value=${query?.kind === 'text' ? query.text : ''} />
      <button class="primary" type="submit" ?disabled=${running !== undefined}>${l10n.t('Search')}</button>
    </form>
    ${
      file
        ? html`<div class="query">
            ${icon('file')} ${fileLink(file.name, host)}
          </div>`
        : nothing
    }`;
}

/** The file that was searched with. */
function fileLink(name: string, host: SearchHost): TemplateResult {
  return html`<button class="link-button name" type="button" @click=${() => host.notify('openQuery', null)}>
    ${name}
  </button>`;
}

function fileQuery(
  { query }: SearchState,
  host: SearchHost,
  refuse: (words: string) => void,
): TemplateResult {
  const over = (event: DragEvent) => event.preventDefault();
  const drop = (event: DragEvent) => {
    event.preventDefault();
    void takeFile(event.dataTransfer, host, refuse);
  };
  const paste = (event: ClipboardEvent) => {
    event.preventDefault();
    void takeFile(event.clipboardData, host, refuse);
  };
  const pick = () => host.notify('pickFile', null);
  const file = query?.kind === 'file' ? query : undefined;
  return html`<div class="query">
    <button
      type="button"
      class="drop"
      aria-label=${file ? l10n.t('Query: {0}. Choose another file…', file.name) : l10n.t('Choose a file to search with…')}
      title=${l10n.t('Click to choose a file, paste one, or drop one with Shift held')}
      @click=${pick}
      @dragover=${over}
      @drop=${drop}
      @paste=${paste}
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
          ? fileLink(file.name, host)
          : html`<span>${l10n.t('Choose a file, paste one, or drop one with Shift held.')}</span>`
      }
      ${
        file
          ? html`<button class="link-button" type="button" @click=${pick}>${l10n.t('Choose another…')}</button>`
          : nothing
      }
    </div>
  </div>`;
}
