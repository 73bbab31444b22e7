import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import type { Json } from '../../src/domain/json';
import { isLocalRef, isMediaObject } from '../../src/domain/media';
import { childPointer } from '../../src/domain/pointer';
import { setAt } from '../../src/domain/value';
import { KEY_VARIABLE } from '../../src/snippets/requestParts';
import { SNIPPET_LANGUAGES, type SnippetLanguage, snippetOf } from '../../src/snippets/snippet';
import { snippetFiles } from '../../src/snippets/snippetFiles';
import { toolButton } from '../shared/buttons';
import { progressRing } from '../shared/choices';
import { codeBlock } from '../shared/codeBlock';
import { typedIn } from '../shared/controls';
import { icon } from '../shared/icon';
import { tabPanel } from '../shared/tabs';
import { earlier } from './earlier';
import { fileConflict } from './fileLine';
import { attachUris, chooseFiles, mediaValue } from './files';
import { formTab, summary } from './formTab';
import { contractProblem, header } from './header';
import { RequestJson } from './json/element';
import { readText, requestText } from './json/requestText';
import type { RunPage } from './page';
import { replacement } from './replacing';
import { result } from './result';
import { runBar } from './runBar';
import { LEAST_SPLIT } from './state';
import { textTools } from './textTools';

/** The whole page. */
export function app(page: RunPage): TemplateResult {
  const { work, notice, dragging } = page.state;
  return html`<main class="page ${dragging ? 'dragging' : ''} ${page.state.panel?.environment.production ? 'of-production' : ''}"
    .style=${`--form-width:${page.state.split}%`}>
    <div class=${dragging ? 'banner drag-hint' : 'live'} role="status">
      ${dragging ? html`${icon('info')} ${l10n.t('Hold Shift while dropping so that the file goes into this panel.')}` : nothing}
    </div>
    <div class="request">
      ${header(page)}
      <div class="request-body">
      ${contractProblem(page)} ${fileConflict(page)}
      ${
        notice === undefined
          ? nothing
          : html`<div class="banner warning" role="alert">
              ${icon('warning')}
              <div>${notice}</div>
              <button
                type="button"
                class="icon-button"
                title=${l10n.t('Dismiss')}
                aria-label=${l10n.t('Dismiss')}
                @click=${() => page.update({ notice: undefined })}
              >
                ${icon('close')}
              </button>
            </div>`
      }
      ${replacement(page)}
      ${
        work && page.state.contract
          ? tabPanel('request', work.tab, tabContent(page))
          : page.state.contractProblem
            ? nothing
            : html`<div class="busy line" role="status">${progressRing()}${l10n.t('Loading the model…')}</div>`
      }
      ${work && work.tab !== 'code' ? unattachedFiles(page) : nothing}
      ${page.incoming.size > 0 ? html`<div class="quiet" role="status">${l10n.t('Attaching {0}…', [...page.incoming].join(', '))}</div>` : nothing}
      </div>
      ${runBar(page)}
    </div>
    ${divider(page)}
    <div class="result">${result(page)} ${earlier(page)}</div>
  </main>`;
}

function tabContent(page: RunPage): TemplateResult {
  switch (page.state.work!.tab) {
    case 'form':
      return formTab(page);
    case 'json':
      return jsonTab(page);
    case 'code':
      return codeTab(page);
  }
}

/** Percent that an arrow key moves it. */
const STEP = 5;

/** Between form and result: dragged, or moved by the arrow keys; a double click puts it back into the middle. */
function divider(page: RunPage): TemplateResult {
  const { split } = page.state;
  const onKey = (event: KeyboardEvent) => {
    const places: Record<string, number> = {
      ArrowLeft: split - STEP,
      ArrowRight: split + STEP,
      Home: LEAST_SPLIT,
      End: 100 - LEAST_SPLIT,
    };
    const next = places[event.key];
    if (next === undefined) return;
    event.preventDefault();
    page.resize(next);
  };
  const onPointer = (event: PointerEvent) => {
    const bar = event.currentTarget as HTMLElement;
    if (event.type === 'pointerdown') bar.setPointerCapture(event.pointerId);
    else if (bar.hasPointerCapture(event.pointerId)) page.resize((event.clientX / window.innerWidth) * 100);
  };
  return html`<div
    class="divider"
    role="separator"
    tabindex="0"
    aria-orientation="vertical"
    aria-label=${l10n.t('Width of the Form')}
    aria-valuenow=${Math.round(split)}
    aria-valuemin=${LEAST_SPLIT}
    aria-valuemax=${100 - LEAST_SPLIT}
    @keydown=${onKey}
    @pointerdown=${onPointer}
    @pointermove=${onPointer}
    @dblclick=${() => page.resize(50)}
  ></div>`;
}

const NAMES: Record<SnippetLanguage, { readonly label: string; readonly editor: string }> = {
  curl: { label: 'curl', editor: 'shellscript' },
  python: { label: 'Python', editor: 'python' },
  javascript: { label: 'JavaScript', editor: 'javascript' },
  typescript: { label: 'TypeScript', editor: 'typescript' },
};

/** The Code tab: the same request, with its uploads, as runnable code. */
function codeTab(page: RunPage): TemplateResult {
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

async function attachAtCaret(page: RunPage): Promise<void> {
  const files = await chooseFiles(page, [], true);
  document.querySelector<RequestJson>('mb-request-json')?.place(files);
}

/** The JSON tab: `input` and `params` of the request, completed and checked by the model's schema. */
function jsonTab(page: RunPage): TemplateResult {
  const broken = page.state.work?.brokenJson;
  const read = broken === undefined ? undefined : readText(broken);
  const text = broken ?? requestText(page.state.work!.draft);
  return html`<div>
    <mb-request-json
      class="editor-frame"
      ${ref((element) => {
        if (element instanceof RequestJson) element.renew(page);
      })}
    ></mb-request-json>
    ${
      read && 'problem' in read
        ? html`<div class="error" role="status">
            ${icon('error')} ${read.problem} ${l10n.t('The form updates once the JSON is valid.')}
            ${toolButton('discard', l10n.t('Restore Last Valid'), () =>
              page.replaceWork({ brokenJson: undefined }, l10n.t('The last valid JSON was restored.')),
            )}
          </div>`
        : nothing
    }
    ${textTools(
      page,
      text,
      'json',
      toolButton('file-add', l10n.t('Attach File…'), () => page.arrive(attachAtCaret(page))),
    )}
    ${summary(page)}
  </div>`;
}

/** A local file that a draft names and that the user did not attach: typed, pasted, or of an example. */
interface Unattached {
  readonly uri: string;
  /** Of the media object, or of the string in place of one. */
  readonly pointer: string;
}

const MOST_LISTED = 20;

/** The files that the request names without being attached, each with a button that attaches it in its place. */
function unattachedFiles(page: RunPage): unknown {
  const { work } = page.state;
  if (!work || page.isBroken) return nothing;
  const { input, params } = work.draft;
  const files = [...filesIn(input, '/input'), ...filesIn(params, '/params')];
  const list = files.filter(({ uri }) => !page.files.has(uri)).slice(0, MOST_LISTED);
  if (list.length === 0) return nothing;
  return html`<div class="banner" role="group" aria-label=${l10n.t('Files that are not attached')}>
    ${icon('warning')}
    <div>
      ${l10n.t('The request names local files. A file is read and sent only once you attach it:')}
      <ul>
        ${list.map(
          (file) => html`<li>
            <code>${file.uri}</code>
            ${toolButton('file-add', l10n.t('Attach'), () => page.arrive(attach(page, file)))}
          </li>`,
        )}
      </ul>
    </div>
  </div>`;
}

async function attach(page: RunPage, { uri, pointer }: Unattached): Promise<void> {
  const [file] = await attachUris(page, [uri]);
  if (file) page.editDraft((draft) => setAt(draft, pointer, mediaValue(file)));
}

function filesIn(value: Json, pointer: string): Unattached[] {
  if (typeof value === 'string') return isFileText(value) ? [{ uri: value, pointer }] : [];
  if (typeof value !== 'object' || value === null) return [];
  if (isMediaObject(value)) return isLocalRef(value.media_ref) ? [{ uri: value.media_ref, pointer }] : [];
  return Object.entries(value).flatMap(([key, item]) => filesIn(item, childPointer(pointer, key)));
}

/** Whether a string is only the address of a local file. */
function isFileText(text: string): boolean {
  return isLocalRef(text) && /^[\w-]+:\/\/\S*\/[^\s/]+$/.test(text);
}
