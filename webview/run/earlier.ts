import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { EarlierAct, EarlierRun } from '../../src/protocol/run';
import { localeFor } from '../../src/wording/displayLanguage';
import { formatMoney } from '../../src/wording/money';
import { visibleText } from '../../src/wording/plainText';
import { runHeadline, runStateIcons } from '../../src/wording/runStates';
import { iconButton } from '../shared/buttons';
import { icon } from '../shared/icon';
import type { RunPage } from './page';

/** Runs of this model in the history; selecting one shows it here and does not change the form. */
export function earlier(page: RunPage): unknown {
  const runs = page.state.earlier;
  if (runs.length === 0) return nothing;
  const shown = page.state.run.state === 'done' ? page.state.run.run.id : undefined;
  return html`<details class="earlier">
    <summary>${l10n.t('Earlier runs ({0})', runs.length)}</summary>
    <ul>
      ${repeat(
        runs,
        ({ id }) => id,
        (run) => row(page, run, shown),
      )}
    </ul>
  </details>`;
}

function row(page: RunPage, run: EarlierRun, shown: string | undefined): TemplateResult {
  const isShown = run.id === shown;
  const time = new Date(run.startedAt).toLocaleString(localeFor(), {
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const act = (name: EarlierAct) => () => page.ask(page.host.call('actOnEarlier', { id: run.id, act: name }));
  const elsewhere = run.environment !== page.state.panel?.environment.name;
  return html`<li class="state-${run.state}" aria-current=${isShown ? 'true' : nothing}>
    ${icon(runStateIcons[run.state])}
    <div>
      <button type="button" class="text-button" ?disabled=${page.isRunning} @click=${() => page.showEarlier(run.id)}>${time}</button>
      <span class="quiet">
        ${[
          runHeadline(run),
          run.cost && formatMoney(run.cost, document.documentElement.lang),
          elsewhere && run.environment,
          isShown && l10n.t('shown above'),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </div>
    <div class="earlier-tools">
      ${iconButton('debug-rerun', l10n.t('Run Again'), act('runAgain'))}
      ${iconButton('edit', l10n.t('Edit and Run Again…'), act('editAndRunAgain'))}
      ${iconButton('arrow-swap', l10n.t('Run with Another Model…'), act('runWithAnotherModel'))}
      ${iconButton('diff', shown === undefined || isShown ? l10n.t('Compare with…') : l10n.t('Compare with the Run Shown'), act('compareRuns'))}
      ${iconButton('trash', l10n.t('Delete'), act('deleteRuns'))}
    </div>
    <div class="earlier-input">${visibleText(run.input)}</div>
  </li>`;
}
