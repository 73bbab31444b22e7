import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { RunStep } from '../../src/domain/run';
import { formatBytes } from '../../src/wording/bytes';
import { formatDuration } from '../../src/wording/duration';
import { runHeadline } from '../../src/wording/runStates';
import { icon } from '../shared/icon';
import { focusProblem } from './focusProblem';
import type { RunPage } from './page';

/** Run, or shows what keeps it from running and goes to the first of it. */
export async function tryRun(page: RunPage): Promise<void> {
  if (page.isRunning || !page.contract) return;
  if (page.isArriving) await page.whenArrived();
  const [first] = page.problems;
  if (!first) {
    page.showAll = false;
    void page.startRun();
    return;
  }
  page.showAll = true;
  page.changed();
  focusProblem(page, first.pointer);
}

/** The button, what the run is expected to cost, and while it runs the clock and the step. */
export function runBar(page: RunPage): TemplateResult {
  const running = page.isRunning;
  const stopping = page.run.state === 'running' && page.run.stopping;
  const elapsed = performance.now() - page.runBegan;
  return html`<div class="run-bar">
    ${
      running
        ? html`<vscode-button
            class="run"
            appearance="secondary"
            ?disabled=${stopping || page.starting}
            @click=${() => page.stopWaiting()}
            >${startIcon('debug-stop')}${l10n.t('Stop waiting')}</vscode-button
          >`
        : html`<vscode-button
            class="run"
            appearance="primary"
            title=${l10n.t('Run (Ctrl+Enter)')}
            aria-keyshortcuts="Control+Enter Meta+Enter"
            ?disabled=${!page.contract}
            @click=${() => void tryRun(page)}
            >${startIcon('play')}${l10n.t('Run')}</vscode-button
          >`
    }
    <div class="run-facts">
      ${
        running
          ? html`<span class="timer" role="timer" aria-label=${l10n.t('Time')}>${formatDuration(elapsed)}</span>
              <span class="step">${stepText(page.run.state === 'running' ? page.run.step : { step: 'checking' })}</span>
              <span class="quiet">${honest(page)}</span>`
          : html`${problems(page)}${outcome(page)}<span class="quiet">${page.panel?.estimate ?? ''}</span>`
      }
    </div>
    ${
      !running && page.panel?.environment
        ? html`<span class="quiet environment" title=${page.panel.baseUrl}>${icon('server')} ${page.panel.environment}</span>`
        : nothing
    }
  </div>`;
}

/** After a Run that was refused: how many problems there are, and the way to their list. */
function problems(page: RunPage): unknown {
  const count = page.problems.length;
  if (!page.showAll || count === 0 || page.work?.tab === 'code') return nothing;
  const show = () => {
    const list = document.querySelector<HTMLElement>('.error-summary');
    list?.scrollIntoView({ block: 'center' });
    list?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
  };
  return html`<button type="button" class="link-button problem-count" @click=${show}>
    ${count === 1 ? l10n.t('1 problem') : l10n.t('{0} problems', count)}
  </button>`;
}

/** Where the result stands below the form, out of sight: what became of the run, and the way to it. */
function outcome({ run }: RunPage): unknown {
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

/** What stopping does and does not do. Nothing has been executed before the request is on its way. */
function honest(page: RunPage): string {
  const step = page.run.state === 'running' ? page.run.step.step : 'checking';
  const left = step === 'sending' || step === 'running' || step === 'reading';
  return left ? l10n.t('Stopping only stops waiting: the run may still be executed and billed.') : '';
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
