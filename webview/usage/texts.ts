import * as l10n from '@vscode/l10n';
import type { Money } from '../../src/domain/money';
import { formatMoney } from '../../src/wording/money';
import { visibleText } from '../../src/wording/plainText';

/** The language of texts and numbers, and the wallet's currency for amounts that name none. */
export interface Units {
  readonly locale: string;
  readonly currency?: string | undefined;
}

export function moneyText(money: Money, { locale, currency }: Units): string {
  return formatMoney({ ...money, currency: money.currency ?? currency }, locale);
}

/** A name in a response as words: `by_model.cost` → "By model: cost". */
export function words(name: string): string {
  const parts = visibleText(name)
    .split('.')
    .map((part) =>
      part
        .replace(/([a-z\d])([A-Z])/g, '$1 $2')
        .replace(/[_-]+/g, ' ')
        .trim(),
    );
  const text = parts.filter(Boolean).join(': ');
  return text === '' ? l10n.t('Value') : text.charAt(0).toUpperCase() + text.slice(1);
}

export function timeText(at: number, locale: string): string {
  return new Date(at).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
}

/** A day of the service, which counts in UTC; with a time where its days begin at another one. */
export function dayText(at: number, locale: string): string {
  const midnight = at % 86_400_000 === 0;
  return new Date(at).toLocaleString(locale, {
    dateStyle: 'medium',
    ...(midnight ? {} : { timeStyle: 'short' }),
    timeZone: 'UTC',
  });
}
