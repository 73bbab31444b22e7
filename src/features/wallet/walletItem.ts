import * as l10n from '@vscode/l10n';
import type { WalletState } from '../../connection/walletReader';
import type { CommandId } from '../../contributions';
import { compareAmounts, readAmount, subtractAmounts } from '../../domain/amounts';
import type { Environment } from '../../domain/environment';
import type { Money } from '../../domain/money';
import type { Spending } from '../../runs/budget/budget';
import { messageOf } from '../../wording/errors';
import { formatBalance, formatMoney } from '../../wording/money';

export interface WalletFacts {
  readonly state: WalletState;
  readonly environment: Environment | undefined;
  readonly production: boolean;
  /** At or below this amount the wallet is low. */
  readonly lowBalance: string | undefined;
  readonly spending: Spending | undefined;
  readonly locale: string;
}

export interface WalletLook {
  /** A codicon's name. */
  readonly icon: string;
  readonly text: string;
  /** Lines of plain text; the first is the heading. */
  readonly tooltip: readonly string[];
  readonly label: string;
  readonly colour: 'plain' | 'warning' | 'error';
  readonly click: CommandId;
}

const payingStatus =
  /^(active|ok|okay|good|healthy|enabled|open|available|current|funded|normal|valid|low)$/i;
/** Statuses of a wallet that cannot pay. Other statuses are shown only. */
const blockedStatus =
  /suspend|block|frozen|freeze|inactive|disabled|closed|overdue|delinquent|past.?due|insufficient|exhausted|depleted|empty|unpaid|expired|locked|restricted/i;

export function walletLook(facts: WalletFacts): WalletLook {
  const look = plainLook(facts);
  if (!facts.production || !facts.environment) return look;
  return {
    ...look,
    // High contrast themes have no such colors: the icon differs too.
    icon: look.colour === 'plain' ? 'shield' : look.icon,
    colour: look.colour === 'error' ? 'error' : 'warning',
    tooltip: [...look.tooltip, l10n.t('This environment is marked as production.')],
    label: l10n.t('{0}, production environment', look.label),
  };
}

function plainLook(facts: WalletFacts): WalletLook {
  const { state, environment } = facts;
  const name = environment?.name ?? '';
  const heading = l10n.t('Model Bench wallet');
  const where = environment ? [l10n.t('Environment: {0}, {1}', name, environment.baseUrl)] : [];
  const usual = { icon: 'credit-card', colour: 'plain', click: 'modelBench.showUsage' } as const;
  switch (state.kind) {
    case 'notConnected':
      return {
        ...usual,
        icon: 'plug',
        text: l10n.t('Model Bench: Connect'),
        tooltip: [heading, ...where, notConnectedText(environment)],
        label: l10n.t('Model Bench: Connect to a service'),
        click: environment ? 'modelBench.setApiKey' : 'modelBench.connect',
      };
    case 'waiting':
      return {
        ...usual,
        text: name,
        tooltip: [heading, ...where, l10n.t('The balance has not been read yet.')],
        label: l10n.t('Model Bench wallet of {0}: not read yet', name),
      };
    case 'notUnderstood':
      return {
        ...usual,
        text: `${name}: ${state.words ?? l10n.t('balance not found')}`,
        tooltip: [
          heading,
          ...where,
          state.words === undefined
            ? l10n.t('The response of the service contains no known balance.')
            : l10n.t('The amount or the unit of this balance is not understood. It is not counted.'),
          l10n.t('Read at {0}. Click to open the raw response.', clock(state.readAt, facts.locale)),
        ],
        label: l10n.t('Model Bench wallet of {0}: balance not found, open the raw response', name),
        click: 'modelBench.showMore',
      };
    case 'failed': {
      const message = messageOf(state.error, facts.locale);
      return {
        ...usual,
        text: `${name}: ${l10n.t('balance unknown')}`,
        tooltip: [heading, ...where, message],
        label: l10n.t('Model Bench wallet of {0}: balance unknown. {1}', name, message),
        colour: cannotPay(facts) ? 'error' : 'plain',
      };
    }
    case 'read':
      return balanceLook(facts, state, heading, where);
  }
}

function notConnectedText(environment: Environment | undefined): string {
  return environment
    ? l10n.t('No API key is stored for this address. Click to set it.')
    : l10n.t('No API key is stored. Click to connect to a service.');
}

function balanceLook(
  facts: WalletFacts,
  state: WalletState & { kind: 'read' },
  heading: string,
  where: readonly string[],
): WalletLook {
  const { locale, spending } = facts;
  const name = facts.environment?.name ?? '';
  const { balance, status } = state.wallet;
  const shown = formatBalance(balance, locale);
  const at = clock(state.readAt, locale);
  const isBlocked = cannotPay(facts);
  const low = !isBlocked && isLow(balance, facts.lowBalance);
  const lines = [
    l10n.t('Balance: {0}', formatMoney(balance, locale)),
    ...(status ? [l10n.t('Status: {0}', status)] : []),
    ...(state.change ? [changeLine(state.change, balance, locale)] : []),
    state.stale ? l10n.t('Read at {0}; it may have changed since.', at) : l10n.t('Read at {0}.', at),
    ...(state.error === undefined ? [] : [messageOf(state.error, locale)]),
    ...(isBlocked ? [l10n.t('The balance is insufficient for runs, or the wallet is blocked.')] : []),
    ...(low ? [l10n.t('The balance is low.')] : []),
    ...(spending ? [spentLine(spending, balance.currency, locale)] : []),
  ];
  const insufficient = l10n.t('insufficient balance');
  const warning = isBlocked ? insufficient : low ? l10n.t('low') : '';
  return {
    // High contrast themes have no such colors: the icon differs too.
    icon: isBlocked ? 'error' : low ? 'warning' : 'credit-card',
    text: [
      `${name}: ${shown}`,
      ...(state.stale ? [l10n.t('at {0}', at)] : []),
      ...(isBlocked ? [insufficient] : []),
    ].join(' · '),
    tooltip: [heading, ...where, ...lines],
    label: [l10n.t('Model Bench wallet of {0}: {1}, read at {2}', name, shown, at), warning]
      .filter(Boolean)
      .join(', '),
    colour: isBlocked ? 'error' : low ? 'warning' : 'plain',
    click: 'modelBench.showUsage',
  };
}

function cannotPay({ state, spending }: WalletFacts): boolean {
  const status = state.kind === 'read' ? state.wallet.status : undefined;
  const refused = status !== undefined && !payingStatus.test(status) && blockedStatus.test(status);
  if (refused || !spending?.cannotPay) return refused;
  // A positive balance that was read since then counts for more.
  const { refusedAt } = spending;
  const isReadSince = state.kind === 'read' && refusedAt !== undefined && state.readAt > refusedAt;
  return !(isReadSince && compareAmounts(readAmount(state.wallet.balance.amount) ?? '0', '0') > 0);
}

function isLow(balance: Money, threshold: string | undefined): boolean {
  const amount = readAmount(balance.amount);
  return amount !== undefined && threshold !== undefined && compareAmounts(amount, threshold) <= 0;
}

function changeLine(
  change: NonNullable<(WalletState & { kind: 'read' })['change']>,
  balance: Money,
  locale: string,
): string {
  const difference = subtractAmounts(balance.amount, change.from.amount);
  const sign = difference.startsWith('-') ? '−' : '+';
  const money = formatMoney({ ...balance, amount: difference.replace('-', '') }, locale);
  const [since, at] = [clock(change.since, locale), clock(change.at, locale)];
  return l10n.t('Last change: {0}, between {1} and {2}', `${sign}${money}`, since, at);
}

function spentLine(spending: Spending, currency: string | undefined, locale: string): string {
  const { spent, reserved, budget, others } = spending.session;
  const unit = spending.session.currency ?? currency;
  const money = (amount: string) => formatMoney({ amount, currency: unit }, locale);
  const known =
    budget === undefined
      ? l10n.t('Spent from this window: {0} · no budget', money(spent))
      : l10n.t('Spent from this window: {0} of {1}', money(spent), money(budget));
  const all = [
    known,
    ...(reserved === '0' ? [] : [l10n.t('{0} reserved', money(reserved))]),
    ...others.map((sum) => l10n.t('{0} in another currency', formatMoney(sum, locale))),
  ].join(' · ');
  return spending.unknownRuns === 0
    ? all
    : l10n.t('{0} · without {1} runs of unknown cost', all, spending.unknownRuns);
}

function clock(at: number, locale: string): string {
  return new Date(at).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
}
