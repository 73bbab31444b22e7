import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { RunStep } from '../../src/domain/run';
import { formatBytes } from '../../src/wording/bytes';
import { formatDuration } from '../../src/wording/duration';
import { runHeadline } from '../../src/wording/runStates';
import { icon } from '../shared/icon';
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

/** The Run button with the expected cost; during a run the clock and the step. */
export function runBar(page: RunPage): TemplateResult {
  const running = page.isRunning;
  const stopping = page.state.run.state === 'running' && page.state.run.stopping;
  const elapsed = performance.now() - page.state.runBegan;
  return html`<div class="run-bar">
    ${
      running
        ? html`<vscode-button
            class="run"
            appearance="secondary"
            ?disabled=${stopping || page.state.starting}
            @click=${() => page.host.notify('stopWaiting', {})}
            >${startIcon('debug-stop')}${l10n.t('Stop waiting')}</vscode-button
          >`
        : html`<vscode-button
            class="run"
            appearance="primary"
            title=${l10n.t('Run (Ctrl+Enter)')}
            aria-keyshortcuts="Control+Enter Meta+Enter"
            ?disabled=${!page.state.contract}
            @click=${() => void tryRun(page)}
            >${startIcon('play')}${l10n.t('Run')}</vscode-button
          >`
    }
    <div class="run-facts">
      ${
        running
          ? html`<span class="timer" role="timer" aria-label=${l10n.t('Time')}>${formatDuration(elapsed)}</span>
              <span class="step">${stepText(page.state.run.state === 'running' ? page.state.run.step : { step: 'checking' })}</span>
              <span class="quiet">${stopHint(page)}</span>`
          : html`${problems(page)}${outcome(page)}<span class="quiet">${page.state.panel?.estimate ?? ''}</span>`
      }
    </div>
    ${
      !running && page.state.panel?.environment
        ? html`<span class="quiet environment" title=${page.state.panel.baseUrl}>${icon('server')} ${page.state.panel.environment}</span>`
        : nothing
    }
  </div>`;
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

/** What stopping does not do. Nothing is executed before the request is sent. */
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
      return step.untilMs === undefined
        ? l10n.t('Waiting for the rate limit…')
        : l10n.t(
            'The service limits the rate of requests. Waiting until {0}…',
            new Date(step.untilMs).toLocaleTimeString(),
          );
    case 'sending':
      return l10n.t('Sending…');
    case 'running':
      return l10n.t('Running…');
    case 'reading':
      return l10n.t('Reading the response…');
  }
}
