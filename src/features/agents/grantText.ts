import * as l10n from '@vscode/l10n';
import type { LivingGrant, PaidTool } from '../../domain/agentGrant';
import { addAmounts } from '../../domain/amounts';
import type { Money } from '../../domain/money';
import { formatMoney } from '../../wording/money';

/** "24/12/2026, 00:00", as a clock and calendar of that language show it. */
export function formatUntil(until: number, language: string): string {
  return new Date(until).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
}

/** "$0.42 of $2.00". Reserved amounts are included: they are no longer free. */
export function usedText({ spent, reserved, amount, currency }: LivingGrant, language: string): string {
  return l10n.t(
    '{0} of {1}',
    formatMoney(moneyOf(addAmounts(spent, reserved), currency), language),
    formatMoney(moneyOf(amount, currency), language),
  );
}

const TOOLS: Readonly<Record<PaidTool, () => string>> = {
  run_model: () => l10n.t('Run a model'),
  search_scope: () => l10n.t('Search a scope'),
  index_files: () => l10n.t('Index files into a scope'),
  run_experiment: () => l10n.t('Run an experiment'),
};

/** The act of an agents' tool, for people. */
export function toolText(tool: PaidTool): string {
  return TOOLS[tool]();
}

/** Its environment, spending, tools and end, a line each. */
export function grantLines(grant: LivingGrant, language: string): readonly string[] {
  const { environment, client, spent, reserved, currency, tools, until } = grant;
  const money = (amount: string) => formatMoney(moneyOf(amount, currency), language);
  return [
    `${environment.name}, ${environment.baseUrl}`,
    client === undefined ? l10n.t('All agents') : l10n.t('Agent: {0}', client),
    l10n.t('{0}: {1} spent, {2} reserved', usedText(grant, language), money(spent), money(reserved)),
    l10n.t('Tools: {0}', tools.map(toolText).join(', ')),
    l10n.t('Until {0}', formatUntil(until, language)),
  ];
}

function moneyOf(amount: string, currency: string | undefined): Money {
  return currency === undefined ? { amount } : { amount, currency };
}
