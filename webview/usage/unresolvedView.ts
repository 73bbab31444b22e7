import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { UnresolvedRun } from '../../src/protocol/usage';
import { formatMoney } from '../../src/wording/money';
import { visibleText } from '../../src/wording/plainText';
import { timeText } from './texts';

interface Acts {
  match(historyId: string, isThisRun: boolean): void;
  setOutcome(historyId: string): void;
  openRun(historyId: string): void;
}

/** Runs that may have been billed without a known outcome or cost, each with the charge that may be its own. */
export function unresolvedView(
  runs: readonly UnresolvedRun[],
  locale: string,
  acts: Acts,
): TemplateResult | typeof nothing {
  if (runs.length === 0) return nothing;
  const title = l10n.t('Runs of unknown outcome or cost');
  return html`<section aria-labelledby="unresolved-title">
    <div class="title"><h2 id="unresolved-title">${title}</h2></div>
    <ul class="unresolved">${runs.map((run) => row(run, locale, acts))}</ul>
  </section>`;
}

function row(run: UnresolvedRun, locale: string, acts: Acts): TemplateResult {
  const { historyId, proposal, reserved } = run;
  const facts = [timeText(run.at, locale), run.model, ...(run.job === undefined ? [] : [run.job]), run.state];
  if (reserved) facts.push(l10n.t('{0} reserved', formatMoney(reserved, locale)));
  const name = visibleText(facts.join(' · '));
  const button = (label: string, act: () => void) =>
    html`<button class="secondary" aria-label=${`${label}: ${name}`} @click=${act}>${label}</button>`;
  return html`<li>
    <span>${name}</span>
    ${
      proposal
        ? html`<strong>${l10n.t(
            'The activity lists {0} at {1}. Is it this run?',
            formatMoney(proposal.money, locale),
            timeText(proposal.at, locale),
          )}</strong>
          ${button(l10n.t('Yes'), () => acts.match(historyId, true))}
          ${button(l10n.t('No'), () => acts.match(historyId, false))}`
        : nothing
    }
    ${
      run.job === undefined
        ? html`<span class="spring"></span>
          ${button(l10n.t('Open Run'), () => acts.openRun(historyId))}
          ${button(l10n.t('Set Outcome…'), () => acts.setOutcome(historyId))}`
        : nothing
    }
  </li>`;
}
