import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { RunStep } from '../../src/domain/run';
import { formatBytes } from '../../src/wording/bytes';
import { formatTimeOfDay } from '../../src/wording/displayLanguage';
import { formatDuration } from '../../src/wording/duration';
import { runHeadline, runStateIcons } from '../../src/wording/runStates';
import { whyWaitingText } from '../../src/wording/waiting';
import { icon } from '../shared/icon';
import { splitButton } from '../shared/menu';
import { environmentButton } from './environment';
import { setUpExperiment } from './experiment';
import { focusProblem } from './focusProblem';
import type { RunPage } from './page';

/** Runs, or shows the problems and goes to the first of them. */
export async function tryRun(page: RunPage): Promise<void> {
  if (page.isRunning || !page.state.contract) return;
  await page.whenArrived();
  const [first] = page.state.problems;
  if (!first) {
    page.state.showAll = false;
    void page.startRun();
    return;
  }
  page.update({ showAll: true });
  focusProblem(page, first.pointer);
}

/**
 * One line of one height: the Run button, the expected cost, then the clock and the step, or the outcome. No part of it
 * moves during a run.
 */
export function runBar(page: RunPage): TemplateResult {
  return html`<div class="run-bar line">
    ${runSplit(page)}
    ${expected(page)}
    <div class="run-facts line">${page.isRunning ? progress(page) : html`${problems(page)}${outcome(page)}`}</div>
    ${environmentButton(page)}
  </div>`;
}

function progress(page: RunPage): TemplateResult {
  const { run, panel } = page.state;
  const step = stepText(run.state === 'running' ? run.step : { step: 'checking' });
  const elsewhere = run.state === 'running' && run.environment !== panel?.environment.name;
  return html`<span class="timer" role="timer" aria-label=${l10n.t('Time')}
      >${formatDuration(performance.now() - page.state.runBegan)}</span
    >
    <span class="step clip" title=${step}>${step}</span>
    ${elsewhere ? html`<span class="quiet clip" title=${run.environment}>${run.environment}</span>` : nothing}`;
}

/** The button's possible cost. */
function expected({ state: { panel } }: RunPage): TemplateResult {
  const { text = '', short = '' } = panel?.estimate ?? {};
  return html`<span class="estimate quiet clip" title=${text}>${short}</span>`;
}

/** Beside the button: an experiment that begins with this request. */
function runSplit(page: RunPage): TemplateResult {
  const item = { label: l10n.t('Experiment…'), icon: 'beaker', act: () => setUpExperiment(page) };
  return splitButton(runButton(page), l10n.t('Other Ways to Run'), [item], {
    kind: page.isRunning ? 'secondary' : 'primary',
    disabled: page.isRunning || !page.state.contract,
  });
}

/**
 * One button, which keeps the focus and its size when it becomes the other. It is never disabled while it has a name to
 * act on.
 */
function runButton(page: RunPage): TemplateResult {
  const running = page.isRunning;
  const isStopping = page.state.run.state === 'running' && page.state.run.stopping;
  const isWaiting = running && (isStopping || page.state.starting);
  const name = l10n.t('Run');
  const act = ({ detail }: MouseEvent) => {
    if (!running) void tryRun(page);
    // The second click of a double click meant the button before.
    else if (!isWaiting && detail !== 2) page.host.notify('stopWaiting', {});
  };
  const face = (isShown: boolean, glyph: string, label: string) =>
    html`<span class=${isShown ? '' : 'unseen'}>${icon(glyph)} <span>${label}</span></span>`;
  return html`<button
    type="button"
    aria-label=${running ? l10n.t('Stop waiting') : name}
    class="run ${running ? 'secondary' : 'primary'}"
    title=${running ? stopHint(page) : l10n.t('{0} (Ctrl+Enter)', name)}
    aria-keyshortcuts=${running ? nothing : 'Control+Enter Meta+Enter'}
    aria-disabled=${isWaiting ? 'true' : 'false'}
    ?disabled=${!running && !page.state.contract}
    @click=${act}
    >${face(!running, 'play', name)}${face(running, 'debug-stop', l10n.t('Stop waiting'))}</button
  >`;
}

/** After Run was pressed with problems: their number, which leads to their list. */
function problems(page: RunPage): unknown {
  const count = page.state.problems.length;
  if (!page.state.showAll || count === 0 || page.state.work?.tab === 'code') return nothing;
  const show = () => {
    const list = document.querySelector<HTMLElement>('.error-summary');
    list?.scrollIntoView({ block: 'center' });
    list?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
  };
  return html`<button type="button" class="text-button clip problem-count" @click=${show}>
    ${count === 1 ? l10n.t('1 problem') : l10n.t('{0} problems', count)}
  </button>`;
}

/** The outcome of the run, which leads to the result if that is below the form, out of sight. */
function outcome({ state: { run } }: RunPage): unknown {
  if (run.state !== 'done' || run.run.isLast) return nothing;
  const show = () => {
    const place = document.querySelector<HTMLElement>('.result h2');
    place?.scrollIntoView();
    place?.focus({ preventScroll: true });
  };
  const headline = runHeadline(run.run);
  return html`<button type="button" class="text-button clip to-result" aria-label=${headline} title=${`${headline}\n${l10n.t('Show the result')}`} @click=${show}>
    ${icon(runStateIcons[run.run.state])} <span>${headline}</span>
  </button>`;
}

/** The limits of stopping. Before the request is sent, the run is not executed. */
export function stopHint(page: RunPage): string {
  const step = page.state.run.state === 'running' ? page.state.run.step.step : 'checking';
  const isSent = step === 'sending' || step === 'running' || step === 'reading';
  return isSent ? l10n.t('If you stop waiting, the run may still be executed and billed.') : '';
}

export function stepText(step: RunStep): string {
  switch (step.step) {
    case 'checking':
      return l10n.t('Checking…');
    case 'uploading':
      return l10n.t(
        'Uploading {0} of {1} ({2} of {3})…',
        step.file,
        step.files,
        formatBytes(step.sentBytes),
        formatBytes(step.totalBytes),
      );
    case 'waiting':
      return waitingText(step);
    case 'sending':
      return l10n.t('Sending…');
    case 'running':
      return l10n.t('Running…');
    case 'reading':
      return l10n.t('Reading the response…');
  }
}

function waitingText({ untilMs, ...wait }: RunStep & { readonly step: 'waiting' }): string {
  if (untilMs === undefined) return l10n.t('Waiting until the request can be sent…');
  return `${whyWaitingText(wait)} ${l10n.t('Waiting until {0}…', formatTimeOfDay(untilMs))}`;
}
