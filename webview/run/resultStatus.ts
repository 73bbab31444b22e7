import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { ShownRun } from '../../src/protocol/run';
import { agentText } from '../../src/wording/agentGrant';
import { formatBytes } from '../../src/wording/bytes';
import { formatDuration } from '../../src/wording/duration';
import { visibleText } from '../../src/wording/plainText';
import { runCostText, runHeadline, runStateIcons } from '../../src/wording/runStates';
import { iconButton } from '../shared/buttons';
import { icon } from '../shared/icon';
import { menuButton } from '../shared/menu';
import { environmentOfRun } from './environment';
import type { RunPage } from './page';

/** One line about a run: its outcome, time, cost and ID; then the actions of the shown tab. */
export function statusLine(page: RunPage, run: ShownRun): TemplateResult {
  const { runId, response } = run;
  const cost = runCostText(run, document.documentElement.lang);
  const copyId = () => page.ask(page.host.call('copyText', { text: runId! }));
  return html`<div class="status-line line">
    <div class="outcome line state-${run.state}">
      ${icon(runStateIcons[run.state])} <span class="headline clip" title=${runHeadline(run)}>${headline(run)}</span>
      ${run.uploadMs === undefined ? nothing : fact(l10n.t('{0} upload', formatDuration(run.uploadMs)))}
      ${modeOf(page, run)} ${cost === undefined ? nothing : fact(cost)}
      ${run.status !== undefined && run.state !== 'finished' ? fact(`HTTP ${run.status}`) : nothing}
      ${response ? fact(formatBytes(response.sizeBytes), 'size') : nothing}
      ${
        runId
          ? html`<button type="button" class="text-button quiet run-id clip" title=${l10n.t('Copy Run ID: {0}', visibleText(runId))} @click=${copyId}>
              ${visibleText(runId)}
            </button>`
          : nothing
      }
      ${run.agent ? fact(visibleText(agentText(run.agent)), 'by') : nothing}
      ${environmentOfRun(run.environment)}
    </div>
    ${actions(page, run)}
  </div>`;
}

/** The mode of the run, where the model has several: the form may show another one by now. */
function modeOf({ state: { contract } }: RunPage, { request }: ShownRun): unknown {
  const modes = contract?.modes ?? [];
  const mode = modes.find(({ name }) => name === (request?.mode ?? 'execute'));
  return mode && modes.length > 1 ? fact(mode.title ?? mode.name, 'mode') : nothing;
}

/** The time alone, where the icon says that the run has finished. */
function headline(run: ShownRun): string {
  const { state, durationMs } = run;
  return state === 'finished' && durationMs !== undefined ? formatDuration(durationMs) : runHeadline(run);
}

function fact(text: string, name = ''): TemplateResult {
  return html`<span class="quiet clip fact ${name}" title=${text}>${text}</span>`;
}

export function requestText({ request }: ShownRun): string {
  return JSON.stringify(request, null, 2);
}

/** Each acts on the tab that is shown: on its text, where that is the page's own, else on the response. */
function actions(page: RunPage, run: ShownRun): TemplateResult | typeof nothing {
  const { host, state } = page;
  const { response } = run;
  const own = ownText(page, run);
  const isBody = state.resultTab === 'json' && state.rawJson;
  const part = isBody ? ('body' as const) : ('output' as const);
  const none = own === undefined && !response;
  const isOwn = own !== undefined;
  const action = (glyph: string, label: string, act: () => Promise<unknown>, disabled: boolean) => ({
    icon: glyph,
    label,
    disabled,
    act: () => page.ask(act()),
  });
  const copy = action(
    'copy',
    l10n.t('Copy'),
    () => (isOwn ? host.call('copyText', { text: own.text }) : host.call('copyResponse', { part })),
    none || (!isOwn && response?.kind === 'binary'),
  );
  const others = [
    action(
      'go-to-file',
      l10n.t('Open in Editor'),
      () => (isOwn ? host.call('openText', own) : host.call('openResponse', { part })),
      none,
    ),
    action('save-as', l10n.t('Save As…'), () => host.call('saveResponse', {}), isOwn || !response),
    action('arrow-right', l10n.t('Use as Input…'), () => host.call('useAsInput', {}), !response),
  ];
  const button = ({ icon: glyph, label, disabled, act }: typeof copy) =>
    iconButton(glyph, label, act, { disabled });
  // The style shows either the buttons or their menu.
  return html`<div class="status-actions" role="group" aria-label=${l10n.t('Actions for This Tab')}>
    ${button(copy)}
    <span class="others">${others.map(button)}</span>
    ${menuButton(l10n.t('More Actions'), () => others)}
  </div>`;
}

/** The text of the tabs that show no part of the response's body. */
function ownText(page: RunPage, run: ShownRun): { text: string; language: string } | undefined {
  switch (page.state.resultTab) {
    case 'preview':
    case 'json':
      return undefined;
    case 'request':
      return run.request && { text: requestText(run), language: 'json' };
    case 'headers':
      return run.response?.headers?.length
        ? {
            text: run.response.headers.map(([name, value]) => `${name}: ${value}`).join('\n'),
            language: 'plaintext',
          }
        : undefined;
  }
}
