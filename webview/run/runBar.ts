import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { RunStep } from '../../src/domain/run';
import { formatBytes } from '../../src/wording/bytes';
import { formatDuration } from '../../src/wording/duration';
import { runHeadline } from '../../src/wording/runStates';
import { whyWaitingText } from '../../src/wording/waiting';
import { environmentButton, environmentOfRun } from './environment';
import { experimentButton, runExperiment } from './experiment';
import { focusProblem } from './focusProblem';
import type { RunPage } from './page';

/** Runs, or shows the problems and goes to the first of them. */
export async function tryRun(page: RunPage): Promise<void> {
  if (page.isRunning || !page.state.contract) return;
  await page.whenArrived();
  const [first] = page.state.problems;
  if (!first) {
    page.state.showAll = false;
    void (page.state.work?.experiment ? runExperiment(page) : page.startRun());
    return;
  }
  page.update({ showAll: true });
  focusProblem(page, first.pointer);
}

/** The Run button with the expected cost; during a run the clock and the step. */
export function runBar(page: RunPage): TemplateResult {
  const running = page.isRunning;
  const elapsed = performance.now() - page.state.runBegan;
  return html`<div class="run-bar">
    ${runButton(page)}
    <div class="run-facts">
      ${
        running
          ? html`<span class="timer" role="timer" aria-label=${l10n.t('Time')}>${formatDuration(elapsed)}</span>
              <span class="step">${stepText(page.state.run.state === 'running' ? page.state.run.step : { step: 'checking' })}</span>
              <span class="quiet">${stopHint(page)}</span>`
          : html`${problems(page)}${outcome(page)}`
      }
      ${expected(page)}
    </div>
    ${experimentButton(page)}
    ${page.state.run.state === 'running' ? environmentOfRun(page.state.run.environment) : environmentButton(page)}
  </div>`;
}

/** The button's possible cost; for an experiment with the number of its runs. */
function expected({ state: { work, panel, experimentSize } }: RunPage): TemplateResult {
  if (!work?.experiment) return html`<span class="quiet">${panel?.estimate ?? ''}</span>`;
  const { text = '', problem } = experimentSize ?? {};
  return html`<span class="experiment-size" role="status">${text}
    ${problem === undefined ? nothing : html`<span class="size-problem">${problem}</span>`}</span>`;
}

/** One button, which keeps the focus when it becomes the other. It is never disabled while it has a name to act on. */
function runButton(page: RunPage): TemplateResult {
  const running = page.isRunning;
  const isStopping = page.state.run.state === 'running' && page.state.run.stopping;
  const isWaiting = running && (isStopping || page.state.starting);
  const name = page.state.work?.experiment ? l10n.t('Run Experiment…') : l10n.t('Run');
  const act = () => {
    if (!running) void tryRun(page);
    else if (!isWaiting) page.host.notify('stopWaiting', {});
  };
  return html`<vscode-button
    class="run"
    appearance=${running ? 'secondary' : 'primary'}
    title=${running ? nothing : l10n.t('{0} (Ctrl+Enter)', name)}
    aria-keyshortcuts=${running ? nothing : 'Control+Enter Meta+Enter'}
    aria-disabled=${isWaiting ? 'true' : 'false'}
    ?disabled=${!running && !page.state.contract}
    @click=${act}
    >${startIcon(running ? 'debug-stop' : 'play')}${running ? l10n.t('Stop waiting') : name}</vscode-button
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
  return html`<button type="button" class="link-button problem-count" @click=${show}>
    ${count === 1 ? l10n.t('1 problem') : l10n.t('{0} problems', count)}
  </button>`;
}

/** The outcome of the run, which leads to the result if that is below the form, out of sight. */
function outcome({ state: { run } }: RunPage): unknown {
  if (run.state !== 'done') return nothing;
  const show = () => {
    const place = document.querySelector<HTMLElement>('.result h2');
    place?.scrollIntoView();
    place?.focus({ preventScroll: true });
  };
  return html`<button type="button" class="link-button to-result" title=${l10n.t('Show the result')} @click=${show}>
    ${runHeadline(run.run)}
  </button>`;
}

function startIcon(name: string): TemplateResult {
  return html`<span slot="start" class="codicon codicon-${name}" aria-hidden="true"></span>`;
}

/** The limits of stopping. Before the request is sent, the run is not executed. */
function stopHint(page: RunPage): string {
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
  return `${whyWaitingText(wait)} ${l10n.t('Waiting until {0}…', new Date(untilMs).toLocaleTimeString())}`;
}
