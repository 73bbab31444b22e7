import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { Hello } from '../../src/protocol/usage';
import { formatMoney } from '../../src/wording/money';

/** The money spent from this machine, and the budgets. */
export function budgetView(
  { spending, locale }: Hello,
  changeBudget: () => void,
): TemplateResult | typeof nothing {
  if (!spending) return nothing;
  const money = (amount: string) => formatMoney({ amount, currency: spending.currency }, locale);
  const line = (name: string, { spent, budget }: typeof spending.session) =>
    budget === undefined
      ? l10n.t('{0}: {1} · no budget', name, money(spent))
      : l10n.t('{0}: {1} of {2}', name, money(spent), money(budget));
  return html`<section aria-label=${l10n.t('Budgets')} class="budgets">
    <span>${line(l10n.t('Spent from this window'), spending.session)}</span>
    <span>${line(l10n.t('Spent from this workspace'), spending.workspace)}</span>
    ${
      spending.unknownRuns > 0
        ? html`<span>${l10n.t('Runs of unknown cost, not included: {0}', spending.unknownRuns)}</span>`
        : nothing
    }
    ${spending.cannotPay ? html`<strong role="alert">${l10n.t('Insufficient balance for a run.')}</strong>` : nothing}
    <button class="secondary" @click=${changeBudget}>${l10n.t('Change Budget…')}</button>
  </section>`;
}
