import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { EarlierAct, EarlierRun } from '../../src/protocol/run';
import { localeFor } from '../../src/wording/displayLanguage';
import { formatMoney } from '../../src/wording/money';
import { visibleText } from '../../src/wording/plainText';
import { runStateIcons, runStateText } from '../../src/wording/runStates';
import { iconButton } from '../shared/buttons';
import { icon } from '../shared/icon';
import type { RunPage } from './page';

/** Runs of this model in the history; selecting one shows it here and does not change the form. */
export function earlier(page: RunPage): unknown {
  const runs = page.state.panel?.earlier ?? [];
  if (runs.length === 0) return nothing;
  const shown = page.state.run.state === 'done' ? page.state.run.run.id : undefined;
  const here = page.state.panel?.environment.name ?? '';
  const of = (name: string) => runs.filter(({ environment }) => environment === name);
  const others = new Set(runs.map(({ environment }) => environment).filter((name) => name !== here));
  const list = (rows: readonly EarlierRun[]) => html`<ul>
    ${repeat(
      rows,
      ({ id }) => id,
      (run) => row(page, run, shown),
    )}
  </ul>`;
  return html`<details class="earlier">
    <summary>${l10n.t('Earlier runs ({0})', runs.length)}</summary>
    ${list(of(here))}
    ${[...others].map(
      (name) => html`<details>
        <summary class="quiet">${l10n.t('{0} in {1}', of(name).length, visibleText(name))}</summary>
        ${list(of(name))}
      </details>`,
    )}
  </details>`;
}

/** The time of today, else the date. */
function timeOf(at: number): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return new Date(at).toLocaleString(localeFor(), isToday ? { timeStyle: 'short' } : { dateStyle: 'short' });
}

function row(page: RunPage, run: EarlierRun, shown: string | undefined): TemplateResult {
  const isShown = run.id === shown;
  const act = (name: EarlierAct) => () => page.ask(page.host.call('actOnEarlier', { id: run.id, act: name }));
  const facts = [
    visibleText(run.input),
    run.state !== 'finished' && runStateText(run.state),
    run.cost && formatMoney(run.cost, document.documentElement.lang),
  ];
  const text = facts.filter(Boolean).join(' · ');
  return html`<li class="line state-${run.state}" aria-current=${isShown ? 'true' : nothing}>
    ${icon(runStateIcons[run.state])}
    <button type="button" class="text-button clip grow" title=${text} ?disabled=${page.isRunning} @click=${() => page.showEarlier(run.id)}>
      ${timeOf(run.startedAt)} <span class="quiet">${text}</span>
    </button>
    <div class="earlier-tools">
      ${iconButton('debug-rerun', l10n.t('Run Again'), act('runAgain'))}
      ${iconButton('edit', l10n.t('Edit and Run Again…'), act('editAndRunAgain'))}
      ${iconButton('versions', l10n.t('Run with Another Model…'), act('runWithAnotherModel'))}
      ${iconButton('diff', shown === undefined || isShown ? l10n.t('Compare with…') : l10n.t('Compare with the Run Shown'), act('compareRuns'))}
      ${iconButton('trash', l10n.t('Delete'), act('deleteRuns'))}
    </div>
  </li>`;
}
