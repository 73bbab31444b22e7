import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { until } from 'lit/directives/until.js';
import type { Json } from '../../src/domain/json';
import type { ShownResponse, ShownRun } from '../../src/protocol/run';
import type { ResultView } from '../../src/results/resultView';
import { formatBytes } from '../../src/wording/bytes';
import { inputText } from '../../src/wording/inputText';
import { formatNumber } from '../../src/wording/number';
import { visibleText } from '../../src/wording/plainText';
import { runCostText, runHeadline, runStateIcons } from '../../src/wording/runStates';
import { textButton } from '../shared/buttons';
import { progressRing } from '../shared/choices';
import { codeBlock } from '../shared/codeBlock';
import { errorMessage } from '../shared/errorMessage';
import { icon } from '../shared/icon';
import { isDrawing } from '../shared/picture';
import { channelActions, type ResultActions } from '../shared/results/channelActions';
import { renderResult } from '../shared/results/renderResult';
import { tabList, tabPanel } from '../shared/tabs';
import { filePreview } from './files';
import { focusProblem } from './focusProblem';
import type { RunPage } from './page';
import { requestText, statusLine } from './resultStatus';
import { stepText, stopHint, tryRun } from './runBar';
import type { ResultTab } from './state';

/** The Result region: the outcome of the last run, and its response in four tabs. */
export function result(page: RunPage): TemplateResult {
  const { run } = page.state;
  const ended = run.state === 'done' ? run.run : undefined;
  const isFolded = ended?.isLast === true && page.state.unfolded !== ended.id;
  // A run that was not sent leaves the last result.
  const unsent = ended?.state === 'notSent' ? ended : undefined;
  const done = unsent || isFolded ? undefined : ended;
  if (done && isReady(page, done)) page.shown = done;
  const shown = run.state === 'idle' || isFolded ? undefined : page.shown;
  const isBusy = page.isRunning || (done !== undefined && shown !== done);
  return html`<section role="region" aria-label=${l10n.t('Result')} aria-busy=${String(isBusy)} data-run=${(unsent ?? shown)?.id ?? nothing}>
    <h2 class="live" tabindex="-1">${l10n.t('Result')}</h2>
    <div class="live" role="status">${status(page)}</div>
    ${isBusy ? busy(page) : nothing} ${unsent ? notSent(page, unsent) : nothing}
    ${isFolded ? foldedLine(page, ended) : nothing}
    ${
      shown
        ? html`<div class=${isBusy ? 'stale' : ''} ?inert=${isBusy}>${finished(page, shown)}</div>`
        : isBusy || unsent || isFolded
          ? nothing
          : html`<p class="quiet">${l10n.t('Run the model to see its result here.')}</p>`
    }
    ${shown || unsent || isBusy ? nothing : exampleCards(page)}
  </section>`;
}

function notSent(page: RunPage, run: ShownRun): TemplateResult {
  return html`<div class="outcome line">
      ${icon(runStateIcons.notSent)} <span class="headline clip">${runHeadline(run)}</span>
    </div>
    ${message(page, run)}`;
}

/** The last result of the model, in one line until it is wanted. */
function foldedLine(page: RunPage, run: ShownRun): TemplateResult {
  const unfold = () => {
    page.update({ unfolded: run.id });
    page.afterRender(() => document.querySelector<HTMLElement>('section[role=region] > h2')?.focus());
  };
  const cost = runCostText(run, document.documentElement.lang);
  const facts = [l10n.t('Last result'), runHeadline(run), cost].filter(Boolean).join(' · ');
  return html`<button type="button" class="text-button quiet" aria-expanded="false" @click=${unfold}>
    ${icon('chevron-right')} ${facts}
  </button>`;
}

/** Characters of an example's input on its card. */
const CARD_LENGTH = 80;

/** The examples of the model, before its first result. */
function exampleCards(page: RunPage): unknown {
  const examples = page.mode?.examples ?? [];
  if (examples.length === 0) return nothing;
  return html`<h3 class="examples-title">${l10n.t('Examples')}</h3>
    <div class="examples tiles">
      ${examples.map(
        (example, index) => html`<button type="button" class="card" @click=${() => page.loadExample(index)}>
          ${picture(example.input)}
          <span>${visibleText(example.title ?? l10n.t('Example {0}', index + 1))}</span>
          <span class="quiet clip">${visibleText(inputText(example.input, CARD_LENGTH))}</span>
        </button>`,
      )}
    </div>`;
}

/**
 * The picture that an example brings as data, an SVG apart: it can take any time. One behind an address is not fetched
 * unasked: that would reveal the user to its host. A media_ref leads to no bytes.
 */
function picture(value: Json): TemplateResult | typeof nothing {
  if (typeof value === 'string')
    return /^data:image\//i.test(value) && !isDrawing(value)
      ? html`<img src=${value} alt="" decoding="async" />`
      : nothing;
  if (typeof value !== 'object' || value === null) return nothing;
  for (const member of Object.values(value)) {
    const inside = picture(member as Json);
    if (inside !== nothing) return inside;
  }
  return nothing;
}

/** The step. The earlier result stays below, dimmed. */
function busy(page: RunPage): TemplateResult {
  const { run } = page.state;
  const step = page.isRunning
    ? stepText(run.state === 'running' ? run.step : { step: 'checking' })
    : l10n.t('Reading the response…');
  return html`<div class="busy line">${progressRing()} ${step} <span class="quiet">${page.isRunning ? stopHint(page) : nothing}</span></div>`;
}

/** For screen readers, when it changes. */
function status(page: RunPage): string {
  if (page.isRunning) return l10n.t('Running');
  if (page.state.run.state !== 'done' || page.state.run.run.isLast) return '';
  return runHeadline(page.state.run.run);
}

function finished(page: RunPage, run: ShownRun): TemplateResult {
  return html`${statusLine(page, run)} ${run.state === 'finished' && !run.message ? nothing : message(page, run)}
    ${checks(run)} ${tabsOf(page, run)}`;
}

function message(page: RunPage, run: ShownRun): TemplateResult {
  const step = run.nextStep;
  const act = () => {
    const isElsewhere = run.id !== '' && run.environment !== page.state.panel?.environment.name;
    if (step?.step === 'retry' && isElsewhere)
      void page.ask(page.host.call('actOnEarlier', { id: run.id, act: 'runAgain' }));
    else if (step?.step === 'retry') void tryRun(page);
    else if (step?.step === 'showWhatCame') page.update({ resultTab: 'json', rawJson: false });
    else if (step?.step === 'fixInput') {
      page.state.showAll = true;
      focusProblem(page, page.state.problems[0]?.pointer ?? '/input');
    } else if (step) void page.ask(page.host.call('takeStep', { step: step.step }));
  };
  return html`<div class="banner ${run.state === 'failed' ? 'error-banner' : 'warning'}">
    <div>
      <p class="pre">${visibleText(run.message ?? '')}</p>
      ${step ? textButton(step.title, act) : nothing}
    </div>
  </div>`;
}

function tabsOf(page: RunPage, run: ShownRun): TemplateResult {
  const select = (resultTab: ResultTab) => page.update({ resultTab });
  const tabs = [
    { id: 'preview' as const, label: l10n.t('Preview') },
    { id: 'json' as const, label: l10n.t('JSON') },
    { id: 'request' as const, label: l10n.t('Request') },
    { id: 'headers' as const, label: l10n.t('Headers') },
  ];
  return html`${tabList(l10n.t('Result'), tabs, page.state.resultTab, select, 'result')}
  ${tabPanel('result', page.state.resultTab, tabContent(page, run))}`;
}

function tabContent(page: RunPage, run: ShownRun): unknown {
  const none = html`<p class="quiet">${l10n.t('This run has no response.')}</p>`;
  switch (page.state.resultTab) {
    case 'preview':
      return run.response ? preview(page, run) : none;
    case 'json':
      return run.response ? json(page, run) : none;
    case 'headers':
      return run.response ? headers(run.response) : none;
    case 'request':
      return run.request
        ? codeBlock(requestText(run), 'json')
        : html`<p class="quiet">${l10n.t('Nothing was sent.')}</p>`;
  }
}

/** The result as a tree, which can be searched, or the response as the service sent it. */
function json(page: RunPage, run: ShownRun): TemplateResult {
  const { rawJson } = page.state;
  return html`${textButton(l10n.t('Raw'), () => page.update({ rawJson: !rawJson }), { pressed: rawJson })}
    ${
      run.state === 'unclear' && !rawJson
        ? html`<p class="quiet">${l10n.t('Right-click a value below, or choose it and “Use As…”, to say what it is: once, for all responses of this service.')}</p>`
        : nothing
    }${rawJson ? raw(page, run) : tree(page, run)}`;
}

/** The result as a tree, which can be searched. */
function tree(page: RunPage, run: ShownRun): TemplateResult {
  const { view, problem, actions } = heldView(page, run);
  if (!view)
    return html`<p class="quiet">${problem ?? l10n.t('The response of this run is no longer kept.')}</p>`;
  return html`<mb-json-tree .shows=${view.tree} .actions=${actions}></mb-json-tree>`;
}

function headers({ headers = [] }: ShownResponse): TemplateResult {
  if (headers.length === 0)
    return html`<p class="quiet">${l10n.t('The headers of earlier runs are not kept.')}</p>`;
  return html`<table class="headers">
    <thead>
      <tr><th scope="col">${l10n.t('Name')}</th><th scope="col">${l10n.t('Value')}</th></tr>
    </thead>
    <tbody>
      ${headers.map(([name, value]) => html`<tr><th scope="row"><code>${name}</code></th><td><code>${value}</code></td></tr>`)}
    </tbody>
  </table>`;
}

/** The page's part of a run's response: fetched when it is first shown. */
interface HeldView {
  view?: ResultView | null;
  problem?: string;
  readonly actions: ResultActions;
  /** Asked for when it is first looked at. */
  body?: Promise<TemplateResult>;
}

const held = new Map<string, HeldView>();

/** The response of a run may be read otherwise later. */
function keyOf({ id, response }: ShownRun): string {
  return `${id} ${JSON.stringify(response)}`;
}

function heldView(page: RunPage, run: ShownRun): HeldView {
  const known = held.get(keyOf(run));
  if (known) return known;
  const load = () =>
    page.host
      .call('resultView', { result: run.id })
      .then((view) => {
        made.view = view;
      })
      .catch((error: unknown) => {
        made.problem = errorMessage(error);
      })
      .finally(() => page.update());
  const made: HeldView = {
    actions: channelActions(page.host, run.id, load),
  };
  // One run is shown at a time; the one before it stays until the next is read.
  for (const key of held.keys()) if (!page.shown || key !== keyOf(page.shown)) held.delete(key);
  held.set(keyOf(run), made);
  void load();
  return made;
}

/** Whether the response's view is loaded or has failed: the tabs are not shown before. */
function isReady(page: RunPage, run: ShownRun): boolean {
  if (!run.response) return true;
  const { view, problem } = heldView(page, run);
  return view !== undefined || problem !== undefined;
}

function preview(page: RunPage, run: ShownRun): TemplateResult {
  const { view, problem, actions } = heldView(page, run);
  if (problem !== undefined) return html`<p class="quiet">${problem}</p>`;
  if (!view) return html`<p class="quiet">${l10n.t('The response of this run is no longer kept.')}</p>`;
  const { response } = run;
  return html`${
    response?.truncated
      ? html`<p class="quiet">${l10n.t('Only the beginning of this response was kept.')}</p>`
      : response?.recognised === false
        ? html`<p class="quiet">${l10n.t('The format of this response is not recognized; showing the raw response.')}</p>`
        : nothing
  }${response?.readBy === undefined ? nothing : html`<p class="quiet">${response.readBy}</p>`}${
    response?.hasOddValues
      ? html`<p class="quiet">${l10n.t('The response is not valid JSON: NaN, Infinity and the like are shown as null, bytes that are not UTF-8 as Windows-1252. “Raw” in the JSON tab has it.')}</p>`
      : nothing
  }${renderResult(withPictures(page, run, view), actions)}`;
}

const withInputs = new WeakMap<ResultView, ResultView>();

/** With input images from outside the folders a page may read: they come as bytes, as their thumbnails in the form do. */
function withPictures(page: RunPage, run: ShownRun, view: ResultView): ResultView {
  const known = withInputs.get(view);
  if (known) return known;
  const sections = view.sections.map((section) => {
    const { part } = section;
    if ((part.kind !== 'boxes' && part.kind !== 'masks') || !part.over || part.over.src) return section;
    const file = page.files.get(run.attachments[part.over.attachment]?.uri ?? '');
    const src = file && filePreview(page, file);
    return src === undefined ? section : { ...section, part: { ...part, over: { ...part.over, src } } };
  });
  if (sections.every((section, at) => section === view.sections[at])) return view;
  const made = { ...view, sections };
  withInputs.set(view, made);
  return made;
}

function raw(page: RunPage, run: ShownRun): TemplateResult {
  const response = run.response!;
  if (response.kind === 'binary')
    return html`<p class="quiet">
      ${l10n.t('{0} of {1}, not text. Open or save the file.', formatBytes(response.sizeBytes), response.contentType)}
    </p>`;
  const view = heldView(page, run);
  view.body ??= bodyText(page, response);
  return html`<p class="quiet">${response.contentType}</p>
    ${until(view.body, html`<p class="quiet">${l10n.t('Loading…')}</p>`)}`;
}

/** The expectations of the panel's run file, one by one, with the wanted and the actual value of failed ones. */
function checks({ checks = [] }: ShownRun): TemplateResult | typeof nothing {
  if (checks.length === 0) return nothing;
  const passed = checks.filter((check) => check.passed).length;
  return html`<section class="checks" aria-label=${l10n.t('Expectations')}>
    <h3>${l10n.t('{0} of {1} expectations passed', passed, checks.length)}</h3>
    <ul>
      ${checks.map(
        (check) => html`<li class=${check.passed ? 'passed' : 'failed'}>
          ${icon(check.passed ? 'pass' : 'error')}
          <span class="live">${check.passed ? l10n.t('Passed:') : l10n.t('Failed:')}</span>
          <span>${check.title}</span>
          ${
            check.passed
              ? nothing
              : html`<dl class="facts">
                  <dt>${l10n.t('Wanted')}</dt>
                  <dd><pre class="code-block">${check.wanted}</pre></dd>
                  <dt>${l10n.t('Got')}</dt>
                  <dd><pre class="code-block">${check.got}</pre></dd>
                </dl>`
          }
        </li>`,
      )}
    </ul>
  </section>`;
}

/** The beginning of the response's text. */
async function bodyText(page: RunPage, { kind, bodyChars }: ShownResponse): Promise<TemplateResult> {
  try {
    const { text } = await page.host.call('readBody', {});
    return html`${kind === 'json' ? codeBlock(text, 'json') : html`<pre class="code-block" tabindex="0">${text}</pre>`}
      ${bodyChars > text.length ? html`<p class="quiet">${l10n.t('The first {0} of {1} characters. Use Open in Editor for the full text.', formatNumber(text.length), formatNumber(bodyChars))}</p>` : nothing}`;
  } catch (error) {
    return html`<p class="quiet">${errorMessage(error)}</p>`;
  }
}
