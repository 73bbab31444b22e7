import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { SearchState } from '../../src/protocol/search';
import { iconButton } from '../shared/buttons';
import { allowDrop, droppedUris } from '../shared/fileIntake';
import { icon } from '../shared/icon';
import type { SearchPage } from './page';

/** One message carries the file to the host, at about 75 ms a megabyte; larger files must be chosen. */
const MAX_BYTES = 32 * 1024 * 1024;

/** What to search with: a file that is chosen, pasted or dropped, or a text. */
export function queryView(search: SearchState, page: SearchPage): TemplateResult {
  return search.takes === 'text' ? textQuery(search, page) : fileQuery(search, page);
}

function textQuery({ query, running }: SearchState, page: SearchPage): TemplateResult {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const text = new FormData(event.target as HTMLFormElement).get('text');
    if (typeof text === 'string' && text.trim() !== '') page.host.notify('searchText', { text });
  };
  const file = query?.kind === 'file' ? query : undefined;
  return html`<form class="text-query line" @submit=${submit}>
      <input name="text" class="grow" type="text" aria-label=${l10n.t('Text to search with')} placeholder=${l10n.t('Text to search with')} .value=${query?.kind === 'text' ? query.text : ''} />
      <button class="primary" type="submit" ?disabled=${running !== undefined}>${l10n.t('Search')}</button>
    </form>
    ${
      file
        ? html`<div class="query line">
            ${icon('file')} ${fileLink(file.name, page)}
          </div>`
        : nothing
    }`;
}

function fileLink(name: string, { host }: SearchPage): TemplateResult {
  return html`<button class="text-button name clip" type="button" title=${l10n.t('Open {0}', name)} @click=${() => host.notify('openQuery', null)}>
    ${name}
  </button>`;
}

function fileQuery({ query }: SearchState, page: SearchPage): TemplateResult {
  const { host } = page;
  const take = (event: Event, data: DataTransfer | null) => {
    event.preventDefault();
    void page.ask(searchWith(data, page));
  };
  const pick = () => host.notify('pickFile', null);
  const file = query?.kind === 'file' ? query : undefined;
  return html`<div class="query line">
    <button
      type="button"
      class="drop"
      aria-label=${file ? l10n.t('Query: {0}. Choose another file…', file.name) : l10n.t('Choose a file to search with…')}
      title=${l10n.t('Click to choose a file, paste one, or drop one with Shift held')}
      @click=${pick}
      @dragover=${allowDrop}
      @drop=${(event: DragEvent) => take(event, event.dataTransfer)}
      @paste=${(event: ClipboardEvent) => take(event, event.clipboardData)}
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
          ? fileLink(file.name, page)
          : html`<span>${l10n.t('Choose a file, paste one, or drop one with Shift held.')}</span>`
      }
    </div>
    ${file ? iconButton('replace', l10n.t('Replace…'), pick) : nothing}
    ${iconButton('window', l10n.t('Use the Open Image'), () => page.ask(host.call('useOpenFile', null)))}
  </div>`;
}

/** Searches with a dropped or pasted file: a resource of VS Code by its URI, a file of the system by its bytes. */
async function searchWith(data: DataTransfer | null, { host }: SearchPage): Promise<void> {
  const [uri] = data ? droppedUris(data) : [];
  if (uri !== undefined) return host.notify('useFile', { uri });
  const file = data?.files[0];
  if (!file) throw new Error(l10n.t('No file was found in it. Choose a file instead.'));
  if (file.size > MAX_BYTES)
    throw new Error(l10n.t('{0} is too large to drop or paste. Choose it instead.', file.name));
  const bytes = new Uint8Array(await file.arrayBuffer());
  host.notify('useBytes', { filename: file.name || l10n.t('pasted'), bytes });
}
