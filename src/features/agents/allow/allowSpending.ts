import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type PaidTool, paidTools } from '../../../domain/agentGrant';
import { compareAmounts, readAmount } from '../../../domain/amounts';
import { type Environment, environmentId } from '../../../domain/environment';
import {
  askSteps,
  type ChoiceStep,
  type Step,
  type StepChoice,
  type StepProblem,
} from '../../../platform/pickers/askSteps';
import { ServiceError } from '../../../service/errors';
import type { Services } from '../../../services';
import { giveAgentGrant } from '../../../store/giveAgentGrant';
import type { Store } from '../../../store/store';
import { showInformationMessage } from '../../../vscode/messages/notifications';
import { messageOf } from '../../../vscode/showError';
import { formatMoney } from '../../../wording/money';
import { formatUntil, toolText, usedText } from '../grantText';

/** The wallet is asked for its unit while the user looks at the amount. */
const WALLET_PATIENCE_MS = 10_000;

/**
 * Allow Agent Spending…: environment, amount, tools and end, in boxes of VS Code's own. The only way to a grant. The
 * amount has no default, so that a command that accepts a box gives nothing.
 */
export async function allowSpending(services: Services): Promise<void> {
  const environments = await connected(services);
  if (environments.length === 0) throw new ServiceError('notConnected', { why: { reason: 'noEnvironment' } });
  const store = await services.store();
  const units = new Map<string, string>();
  const [only] = environments.length === 1 ? environments : [];
  const clients = store.agentGrants.clients();
  const named = ([place]: readonly string[]) => only ?? environments[Number(place ?? 0)]!;
  const clientIn = (entered: readonly string[]) =>
    clients.length === 0 ? EVERY_CLIENT : (entered[only ? 0 : 1] ?? EVERY_CLIENT);
  const entered = await askSteps([
    ...(only ? [] : [() => environmentStep(services, environments)]),
    ...(clients.length === 0 ? [] : [() => clientStep(clients)]),
    (before) => amountStep(services, store, { environment: named(before), client: clientIn(before) }, units),
    (before) => toolsStep(named(before)),
    (before) => untilStep(named(before)),
  ]);
  if (!entered) return;
  const client = clientIn(entered);
  const environment = named(entered);
  const [amount = '', tools = '', until = ''] = entered.slice(-3);
  const end = endOf(until, new Date());
  // Midnight has passed meanwhile.
  if (end === undefined) throw new Error(l10n.t('This day is over. Nothing was allowed.'));
  const currency = units.get(environmentId(environment));
  await giveAgentGrant(store, {
    environment,
    amount: readAmount(amount) ?? '',
    until: end,
    ...(client !== EVERY_CLIENT && { client }),
    tools: tools.split('\n') as PaidTool[],
    currency,
  });
  const language = vscode.env.language;
  const facts = [formatMoney({ amount, currency }, language), environment.name, formatUntil(end, language)];
  await showInformationMessage(
    client === EVERY_CLIENT
      ? l10n.t('Agents may spend {0} in “{1}” until {2}.', ...facts)
      : l10n.t('{3} may spend {0} in “{1}” until {2}.', ...facts, client),
  );
}

/** The name under which a grant is for all clients. */
const EVERY_CLIENT = '*';

/** Every agent, one that has made paid calls, or one by a typed name. */
function clientStep(clients: readonly string[]): ChoiceStep {
  return {
    title: l10n.t('Allow Agent Spending: Agent'),
    placeholder: l10n.t('Which agent may spend? Choose, or type its name as in the list of last calls'),
    choices: [
      { text: EVERY_CLIENT, label: l10n.t('All agents'), description: l10n.t('one amount for all') },
      ...clients.map((name) => ({ text: name, label: name })),
    ],
    typed: (text) => (text.trim() === '' ? undefined : { text: text.trim(), label: text.trim() }),
  };
}

/** The environments with a key, the active one first. */
async function connected({ connection }: Services): Promise<readonly Environment[]> {
  const { active, environments } = connection;
  const isActive = (one: Environment) => active !== undefined && environmentId(one) === environmentId(active);
  const have = await Promise.all(environments.map((one) => connection.hasKey(one)));
  const withKey = environments.filter((_, n) => have[n]);
  return [...withKey.filter(isActive), ...withKey.filter((one) => !isActive(one))];
}

function environmentStep({ connection }: Services, environments: readonly Environment[]): ChoiceStep {
  return {
    title: l10n.t('Allow Agent Spending: Environment'),
    placeholder: l10n.t('Where may agents spend?'),
    choices: environments.map((one, place) => ({
      text: String(place),
      label: one.name,
      description: connection.isProduction(one) ? l10n.t('{0}, production', one.baseUrl) : one.baseUrl,
    })),
  };
}

function amountStep(
  services: Services,
  store: Store,
  { environment, client }: { readonly environment: Environment; readonly client: string },
  units: Map<string, string>,
): Step {
  const id = environmentId(environment);
  const owner = client === EVERY_CLIENT ? undefined : client;
  const living = store.agentGrants
    .living()
    .find((one) => !one.ofProcess && one.client === owner && environmentId(one.environment) === id);
  return {
    title: l10n.t('Allow Agent Spending in “{0}”: Amount', environment.name),
    prompt: [
      l10n.t(
        'The most that may be spent, by the expected cost of each run. Where a service charges more, runs that were sent can exceed it; no further run is then sent.',
      ),
      ...(living
        ? [
            l10n.t(
              'It replaces the present limit. Used so far: {0}; that counts.',
              usedText(living, vscode.env.language),
            ),
          ]
        : []),
    ].join(' '),
    placeholder: l10n.t('An amount, such as 2 or 0.50'),
    validate: (text) => {
      const amount = readAmount(text);
      return amount === undefined || compareAmounts(amount, '0') <= 0
        ? l10n.t('Enter an amount above zero, such as 2 or 0.50.')
        : undefined;
    },
    check: (text, signal) => checkUnit(services, environment, text, signal, (unit) => units.set(id, unit)),
  };
}

/** Asks the wallet for its unit. Where that is not the usual money, or is unknown, the user confirms it. */
async function checkUnit(
  { connection }: Services,
  environment: Environment,
  amount: string,
  signal: AbortSignal,
  noteUnit: (unit: string) => void,
): Promise<StepProblem | undefined> {
  try {
    const client = await connection.client(environment);
    const patience = AbortSignal.any([signal, AbortSignal.timeout(WALLET_PATIENCE_MS)]);
    const { currency } = (await client.wallet({ signal: patience })).wallet?.balance ?? {};
    if (currency !== undefined) noteUnit(currency);
    if (currency !== undefined && /^[a-z]{3}$/i.test(currency)) return undefined;
    const shown = formatMoney({ amount, currency }, vscode.env.language);
    return {
      message:
        currency === undefined
          ? l10n.t('The wallet of this service names no currency: the amount is {0} of its units.', shown)
          : l10n.t('The wallet of this service has another unit: the amount is {0}.', shown),
      mayInsist: true,
    };
  } catch (error) {
    const message = l10n.t('The wallet, and so the currency, could not be read: {0}', messageOf(error));
    return { message, mayInsist: true };
  }
}

function toolsStep({ name }: Environment): ChoiceStep {
  return {
    title: l10n.t('Allow Agent Spending in “{0}”: Tools', name),
    placeholder: l10n.t('What may agents spend it on?'),
    many: true,
    choices: paidTools.map((tool) => ({ text: tool, label: toolText(tool) })),
  };
}

function untilStep({ name }: Environment): ChoiceStep {
  const now = new Date();
  return {
    title: l10n.t('Allow Agent Spending in “{0}”: Until', name),
    placeholder: l10n.t('Until when? Choose, or type a date such as {0}', untilChoices(now)[0]!.text),
    choices: untilChoices(now),
    typed: (text) => typedUntil(text, new Date()),
  };
}

const HOUR_MS = 3_600_000;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Rows for the end of a grant; the text of a row is a day or `hour`. The first is the default. */
function untilChoices(now: Date): readonly StepChoice[] {
  return [
    { text: dayText(now), label: l10n.t('Today'), description: l10n.t('until midnight') },
    { text: 'hour', label: l10n.t('One hour') },
  ];
}

/** The row for a typed date; undefined: it is not a date, or is past. */
function typedUntil(text: string, now: Date): StepChoice | undefined {
  const until = endOf(text, now);
  if (until === undefined || !DAY.test(text)) return undefined;
  return { text, label: text, description: l10n.t('until the end of this day') };
}

/** The end in milliseconds since the epoch, by the local calendar; undefined: the text is not a date. */
function endOf(text: string, now: Date): number | undefined {
  if (text === 'hour') return now.getTime() + HOUR_MS;
  const [, year, month, day] = DAY.exec(text) ?? [];
  const end = new Date(Number(year), Number(month) - 1, Number(day) + 1);
  // Only a date of the calendar: of 31 February another one would be made.
  const isReal = dayText(new Date(end.getFullYear(), end.getMonth(), end.getDate() - 1)) === text;
  return isReal && end > now ? end.getTime() : undefined;
}

function dayText(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
