import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import { KEY_VARIABLE } from '../../src/snippets/requestParts';
import { SNIPPET_LANGUAGES, type SnippetLanguage, snippetOf } from '../../src/snippets/snippet';
import { snippetFiles } from '../../src/snippets/snippetFiles';
import { toolButton } from '../shared/buttons';
import { codeBlock } from '../shared/codeBlock';
import { typedIn } from '../shared/controls';
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
  const text = snippetOf(
    language,
    page.state.panel?.environment.baseUrl ?? '',
    page.request,
    snippetFiles(page.request, (ref) => page.files.get(ref)),
  );
  const { draft } = page.state.work!;
  const run = () => page.ask(page.host.call('runInTerminal', { language, draft }));
  return html`<div>
    <div class="code-head line wraps">
      <label for="language">${l10n.t('Language')}</label>
      <select
        id="language"
        @change=${(event: Event) => page.editWork({ language: typedIn(event) })}
      >
        ${SNIPPET_LANGUAGES.map(
          (each) => html`<option value=${each} ?selected=${each === language}>${NAMES[each].label}</option>`,
        )}
      </select>
      <span class="grow"></span>
      ${toolButton('terminal', l10n.t('Run in Terminal'), run)}
      ${textTools(page, text, NAMES[language].editor)}
    </div>
    <p class="quiet">
      ${l10n.t('The key is read from the environment variable {0}, which Run in Terminal sets. Runs of a terminal are not in the history or the budgets.', KEY_VARIABLE)}
    </p>
    ${codeBlock(text, language, l10n.t('Code'))}
  </div>`;
}
