import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import { localMedia } from '../../src/domain/media';
import { percentDecoded } from '../../src/domain/percentDecoded';
import { KEY_VARIABLE, type SnippetFile } from '../../src/snippets/requestParts';
import { SNIPPET_LANGUAGES, type SnippetLanguage, snippetOf } from '../../src/snippets/snippet';
import { codeBlock } from '../shared/codeBlock';
import { experimentNote } from './experiment';
import type { RunPage } from './page';
import { textTools } from './textTools';

const NAMES: Record<SnippetLanguage, { readonly label: string; readonly editor: string }> = {
  curl: { label: 'curl', editor: 'shellscript' },
  python: { label: 'Python', editor: 'python' },
  javascript: { label: 'JavaScript', editor: 'javascript' },
  typescript: { label: 'TypeScript', editor: 'typescript' },
};

/** The Code tab: the same request, with its uploads, as runnable code. */
export function codeTab(page: RunPage): TemplateResult {
  if (page.isBroken)
    return html`<p class="quiet">${l10n.t('The JSON tab contains invalid JSON. The code updates once the JSON is valid.')}</p>`;
  const language = page.language;
  const text = snippetOf(language, page.state.panel?.environment.baseUrl ?? '', page.request, filesOf(page));
  return html`<div class="code-tab">
    ${experimentNote(page)}
    <div class="head-field">
      <label for="language">${l10n.t('Language')}</label>
      <select
        id="language"
        @change=${(event: Event) => page.editWork({ language: (event.target as HTMLSelectElement).value })}
      >
        ${SNIPPET_LANGUAGES.map(
          (each) => html`<option value=${each} ?selected=${each === language}>${NAMES[each].label}</option>`,
        )}
      </select>
    </div>
    <p class="quiet">${l10n.t('The key is read from the environment variable {0}.', KEY_VARIABLE)}</p>
    ${codeBlock(text, language, l10n.t('Code'))}
    ${textTools(page, text, NAMES[language].editor)}
  </div>`;
}

/** The attached files of the request: by path if they have one. */
function filesOf(page: RunPage): SnippetFile[] {
  const { input, params } = page.request;
  const refs = new Set([...localMedia(input), ...localMedia(params)].map((media) => media.media_ref));
  return [...refs].flatMap((ref): SnippetFile[] => {
    const file = page.files.get(ref);
    if (!file) return [];
    const { filename, contentType } = file;
    const family = contentType.split('/', 1)[0] ?? '';
    const mediaType = ['image', 'audio', 'video'].includes(family) ? family : 'file';
    return [{ ref, path: pathOf(ref) ?? filename, filename, contentType, mediaType }];
  });
}

/** The path of a file URI: "/home/me/cat.png", "C:/cats/cat.png". */
function pathOf(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined;
  return percentDecoded(new URL(uri).pathname).replace(/^\/([A-Za-z]:)/, '$1');
}
