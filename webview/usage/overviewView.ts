import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import type { UsageOverview } from '../../src/protocol/usage';
import { formatBalance } from '../../src/wording/money';
import { formatNumber } from '../../src/wording/number';
import { visibleText } from '../../src/wording/plainText';
import { budgetView } from './budgetView';
import type { UsagePage } from './page';
import { bucketText, moneyText, type Units } from './texts';

/** The figures that one opens the page for: the balance, the money spent lately, the budgets. */
export function overviewView(page: UsagePage): TemplateResult {
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
    since === undefined ? l10n.t('30 days') : l10n.t('Since {0}', bucketText(since, units.locale));
  const end = until === undefined ? [] : [l10n.t('until {0}', bucketText(until, units.locale))];
  const todayName =
    today?.since === undefined
      ? l10n.t('Today (UTC)')
      : l10n.t('Since {0} (UTC)', bucketText(today.since, units.locale));
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
