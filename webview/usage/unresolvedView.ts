import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { UnresolvedRun } from '../../src/protocol/usage';
import { agentText } from '../../src/wording/agentGrant';
import { visibleText } from '../../src/wording/plainText';
import { textButton } from '../shared/buttons';
import { icon } from '../shared/icon';
import { moneyText, timeText, type Units } from './texts';

interface Acts {
  match(historyId: string, isThisRun: boolean): void;
  setOutcome(historyIds: readonly string[]): void;
  openRun(historyId: string): void;
}

/** Runs that may have been billed without a known outcome or cost, each with the charge that may be its own. */
export function unresolvedView(
  runs: readonly UnresolvedRun[],
  units: Units,
  acts: Acts,
): TemplateResult | typeof nothing {
  if (runs.length === 0) return nothing;
  const title = l10n.t('Unknown outcomes and costs');
  // A job's request is settled in its experiment or scope.
  const ids = runs.flatMap(({ job, historyId }) => (job === undefined ? [historyId] : []));
  return html`<section aria-labelledby="unresolved-title" class="unresolved-part card">
    <div class="title line wraps">
      <h2 id="unresolved-title">${icon('warning')} ${title}</h2>
      <span class="grow"></span>
      ${ids.length > 1 ? textButton(l10n.t('Set All Outcomes…'), () => acts.setOutcome(ids)) : nothing}
    </div>
    <ul class="unresolved">${runs.map((run) => row(run, units, acts))}</ul>
  </section>`;
}

function row(run: UnresolvedRun, units: Units, acts: Acts): TemplateResult {
  const { historyId, proposal, reserved } = run;
  const facts = [
    timeText(run.at, units.locale),
    run.model,
    ...(run.input === '' ? [] : [run.input]),
    ...(run.job === undefined ? [] : [run.job]),
    run.state,
    ...(run.agent ? [agentText(run.agent)] : []),
  ];
  if (reserved) facts.push(l10n.t('{0} reserved', moneyText(reserved, units)));
  const name = visibleText(facts.join(' · '));
  const yes = l10n.t('Yes');
  const button = (label: string, act: () => void) =>
    html`<button class=${label === yes ? 'primary' : 'secondary'} aria-label=${`${label}: ${name}`} @click=${act}>${label}</button>`;
  return html`<li class="line wraps">
    <div class="told">
      <div>${name}</div>
      ${
        proposal
          ? html`<strong>${l10n.t(
              'The activity lists {0} at {1}. Is it this run?',
              moneyText(proposal.money, units),
              timeText(proposal.at, units.locale),
            )}</strong>`
          : nothing
      }
    </div>
    <div class="line wraps">
    ${
      proposal
        ? html`${button(yes, () => acts.match(historyId, true))}
          ${button(l10n.t('No'), () => acts.match(historyId, false))}`
        : nothing
    }
    ${run.job === undefined ? button(l10n.t('Open Run'), () => acts.openRun(historyId)) : nothing}
    ${button(l10n.t('Set Outcome…'), () => acts.setOutcome([historyId]))}
    </div>
  </li>`;
}
