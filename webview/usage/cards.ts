import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { addAmounts, compareAmounts, readAmount } from '../../src/domain/amounts';
import type { Hello, UsageOverview } from '../../src/protocol/usage';
import { formatBalance } from '../../src/wording/money';
import { formatNumber } from '../../src/wording/number';
import { visibleText } from '../../src/wording/plainText';
import { iconButton } from '../shared/buttons';
import type { UsagePage } from './page';
import { dayText, moneyText, type Units } from './texts';

export type BudgetName = 'session' | 'workspace';
type Spending = NonNullable<Hello['spending']>;

/** The figures that one opens the page for: the balance, the money spent lately, the budgets. */
export function cards(page: UsagePage): TemplateResult {
  const { units } = page;
  const { overview, hello } = page.state;
  const { environment } = hello;
  if (overview === 'loading' && environment === undefined) return html``;
  const facts = overview === 'loading' ? {} : overview;
  const missing = missingText(page);
  const { balance, today, recent, until } = facts;
  const balanceName = environment ? l10n.t('Balance · {0}', visibleText(environment)) : l10n.t('Balance');
  const since = recent?.since;
  const recentName =
    since === undefined ? l10n.t('30 days') : l10n.t('Since {0}', dayText(since, units.locale));
  const end = until === undefined ? [] : [l10n.t('until {0}', dayText(until, units.locale))];
  const todayName =
    today?.since === undefined
      ? l10n.t('Today (UTC)')
      : l10n.t('Since {0} (UTC)', dayText(today.since, units.locale));
  return html`<div class="cards">
    ${card(balanceName, balance && formatBalance(balance.money, units.locale), balanceFacts(balance, units), missing)}
    ${card(todayName, today && moneyText(today.money, units), runFacts(today, units).join(' · '), until === undefined ? missing : l10n.t('no data yet'))}
    ${card(recentName, recent && moneyText(recent.money, units), [...runFacts(recent, units), ...end].join(' · '), missing)}
    ${budgetView(page)}
  </div>`;
}

/** Why a figure is not there. A service that did not respond has left nothing out. */
function missingText({ state: { overview, summary, timeseries, activity } }: UsagePage): string {
  if (overview === 'loading') return l10n.t('Loading…');
  const isReached = [summary, timeseries, activity].some((part) => !('message' in part));
  return isReached ? l10n.t('Not in the response of the service') : l10n.t('Could not load');
}

function card(name: string, value: string | undefined, facts: string, missing: string): TemplateResult {
  return html`<dl class="card">
    <dt>${name}</dt>
    <dd class="big">${value ?? html`<span aria-hidden="true">–</span>`}</dd>
    <dd class="quiet">${value === undefined ? missing : facts}</dd>
  </dl>`;
}

function balanceFacts(balance: UsageOverview['balance'], { locale }: Units): string {
  if (!balance) return '';
  const { readAt, status } = balance;
  const at = new Date(readAt).toLocaleTimeString(locale, { timeStyle: 'short' });
  return [l10n.t('as of {0}', at), ...(status ? [visibleText(status)] : [])].join(' · ');
}

function runFacts(spent: UsageOverview['today'], { locale }: Units): string[] {
  if (spent?.runs === undefined) return [];
  const facts = [spent.runs === '1' ? l10n.t('1 run') : l10n.t('{0} runs', formatNumber(spent.runs, locale))];
  if (spent.failed !== undefined && spent.failed !== '0')
    facts.push(l10n.t('{0} failed', formatNumber(spent.failed, locale)));
  return facts;
}

/** The money spent from this machine beside each budget, which is edited where it is read. */
function budgetView(page: UsagePage): TemplateResult | typeof nothing {
  const { spending } = page.state.hello;
  if (!spending) return nothing;
  return html`<section aria-label=${l10n.t('Budgets')} class="card budgets">
    ${budget(page, spending, 'session', l10n.t('Spent from this window'))}
    ${budget(page, spending, 'workspace', l10n.t('Spent from this workspace'))}
  </section>`;
}

/** The budget that is reached, else the first that is set. */
export function budgetToEdit(spending: Spending): BudgetName {
  const names = ['session', 'workspace'] as const;
  const isReached = (name: BudgetName) => {
    const { spent, reserved, budget: limit } = spending[name];
    return limit !== undefined && compareAmounts(addAmounts(spent, reserved), readAmount(limit) ?? '0') >= 0;
  };
  return names.find(isReached) ?? names.find((name) => spending[name].budget !== undefined) ?? 'session';
}

function budget(page: UsagePage, spending: Spending, name: BudgetName, title: string): TemplateResult {
  const { units } = page;
  const { spent, reserved, budget: limit, currency, others } = spending[name];
  const money = (amount: string) => moneyText({ amount, currency }, units);
  const known =
    limit === undefined
      ? l10n.t('{0}: {1} · no budget', title, money(spent))
      : l10n.t('{0}: {1} of {2}', title, money(spent), money(limit));
  const text = [
    known,
    ...(reserved === '0' ? [] : [l10n.t('{0} reserved', money(reserved))]),
    ...others.map((sum) => l10n.t('{0} in another currency', moneyText(sum, units))),
  ].join(' · ');
  const taken = addAmounts(spent, reserved);
  return html`<div class="budget">
    ${page.state.editing === name ? editor(page, spending, name, title) : budgetText(page, name, title, text)}
    ${limit === undefined ? nothing : meter(text, taken, limit)}
  </div>`;
}

function budgetText(page: UsagePage, name: BudgetName, title: string, text: string): TemplateResult {
  const label = l10n.t('Edit Budget');
  return html`<div class="budget-line line">
    <span class="budget-text grow" title=${text}>${text}</span>
    ${iconButton('edit', label, () => page.editBudget(name), { id: `edit-${name}`, name: `${label}: ${title}` })}
  </div>`;
}

function editor(page: UsagePage, spending: Spending, name: BudgetName, title: string): TemplateResult {
  const currency = spending[name].currency ?? page.units.currency;
  const submit = (event: Event) => {
    event.preventDefault();
    const input = (event.currentTarget as HTMLFormElement).querySelector('input')!;
    void page.setBudget(name, input.value === '' ? null : input.valueAsNumber);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') page.endEditing(name);
  };
  return html`<form class="budget-line line" @submit=${submit} @keydown=${onKey}>
    <label class="budget-text grow" for="budget-amount">${title}</label>
    <input
      id="budget-amount"
      type="number"
      min="0"
      step="any"
      aria-label=${l10n.t('Budget; empty: none. {0}', title)}
      placeholder=${l10n.t('no budget')}
      .value=${spending[name].budget ?? ''}
    />
    ${currency === undefined ? nothing : html`<span class="quiet">${visibleText(currency)}</span>`}
    <button type="submit" class="primary">${l10n.t('Save')}</button>
    <button type="button" class="secondary" @click=${() => page.endEditing(name)}>${l10n.t('Cancel')}</button>
  </form>`;
}

function meter(text: string, taken: string, limit: string): TemplateResult {
  // A float only here, for pixels.
  const share = Number(limit) > 0 ? Math.min(100, (Number(taken) / Number(limit)) * 100) : 100;
  const isReached = compareAmounts(taken, readAmount(limit) ?? '0') >= 0;
  return html`<svg class="meter ${isReached ? 'reached' : ''}" viewBox="0 0 100 4" preserveAspectRatio="none"
    role="meter" aria-label=${text} aria-valuemin="0" aria-valuemax="100" aria-valuenow=${Math.round(share)}>
    <rect width=${share} height="4"></rect>
  </svg>`;
}

/** The facts about spending that need attention. */
export function spendingNotes(spending: Hello['spending'], units: Units): TemplateResult | typeof nothing {
  if (!spending) return nothing;
  const { unknownRuns, cannotPay } = spending;
  return html`${
    cannotPay
      ? html`<p class="banner error-banner"><strong role="alert">${l10n.t('Insufficient balance for a run.')}</strong></p>`
      : nothing
  }
  ${
    unknownRuns > 0
      ? html`<p class="quiet">${l10n.t('Runs of unknown cost, not included: {0}', unknownRuns.toLocaleString(units.locale))}</p>`
      : nothing
  }`;
}
