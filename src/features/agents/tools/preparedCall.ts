import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isPlainData } from '../../../agents/callTool';
import type { ToolName } from '../../../agents/toolNames';
import { isPaid, toolTexts } from '../../../agents/toolTexts';
import { addAmounts, subtractAmounts } from '../../../domain/amounts';
import type { JsonObject } from '../../../domain/json';
import { modeOf } from '../../../domain/model';
import { isObject } from '../../../domain/value';
import { mediaPaths } from '../../../runFiles/mediaPaths';
import type { Services } from '../../../services';
import { plainMarkdown } from '../../../vscode/messages/editorTexts';
import { formatMoney } from '../../../wording/money';
import { plainLine } from '../../../wording/plainText';
import { agentEnvironments } from './windowHouse';

/** The name of VS Code's own agent. */
export const CHAT = 'VS Code chat';
/** VS Code waits 3 s for the words before a call. */
const MOST_MS = 2_000;
const MOST_FILES = 5;

/**
 * The words before a call: model, environment, price and files. The price is that of the cached contract and of earlier
 * runs: no request is made for it.
 */
export async function preparedCall(
  services: Services,
  tool: ToolName,
  input: unknown,
): Promise<vscode.PreparedToolInvocation> {
  const given = isPlainData(input) ? input : {};
  const { title } = toolTexts[tool];
  const model = textIn(given.model);
  const invocationMessage = plainLine(model === undefined ? title : `${title}: ${model}`);
  if (!isPaid(tool)) return { invocationMessage };
  const late = new Promise<readonly string[]>((resolve) => setTimeout(() => resolve([]), MOST_MS));
  const facts = await Promise.race([costFacts(services, given).catch(() => []), late]);
  const files = [given.file, ...(Array.isArray(given.paths) ? given.paths : []), ...sentFiles(given)].flatMap(
    (path) => textIn(path) ?? [],
  );
  const lines = [
    ...(model === undefined ? [] : [l10n.t('Model: {0}', model)]),
    ...facts,
    ...files.slice(0, MOST_FILES).map((path) => l10n.t('File: {0}', path)),
    ...(files.length > MOST_FILES ? [l10n.t('and {0} more files', files.length - MOST_FILES)] : []),
  ];
  return { invocationMessage, confirmationMessages: { title, message: plainMarkdown(lines.join('\n')) } };
}

function sentFiles({ input = {}, params = {} }: JsonObject): string[] {
  return isObject(input) && isObject(params) ? mediaPaths({ input, params }).map(({ path }) => path) : [];
}

/** The environment, the expected price and the rest of the permitted amount. */
async function costFacts(
  services: Services,
  { model, mode, file, environment: asked }: Readonly<Record<string, unknown>>,
): Promise<string[]> {
  const { catalog, estimates, store } = services;
  const locale = vscode.env.language;
  const allowed = await agentEnvironments(services);
  const environment = allowed.find(({ name }) => name === asked) ?? allowed[0];
  if (!environment) return [];
  const grant = (await store()).agentGrants.of(environment, CHAT);
  const slug = textIn(model);
  const contract = slug === undefined ? undefined : await catalog.of(environment).cachedContract(slug);
  const modeName = textIn(mode) ?? (file === undefined ? 'execute' : undefined);
  const price =
    contract && ((modeName === undefined ? undefined : modeOf(contract, modeName)?.price) ?? contract.price);
  const { baseUrl } = environment;
  const estimate =
    slug === undefined
      ? undefined
      : (await estimates()).of({
          baseUrl,
          model: slug,
          items: 1,
          ...(modeName !== undefined && { mode: modeName }),
          price,
        });
  const cost = estimate?.medianCost ?? estimate?.published;
  return [
    l10n.t('Environment: {0}', environment.name),
    cost
      ? l10n.t('Price of a run: about {0}', formatMoney(cost, locale, { about: true }))
      : l10n.t('Price: estimated before anything is sent'),
    grant
      ? l10n.t('Left of the amount that agents may spend: {0}', formatMoney(leftOf(grant), locale))
      : l10n.t('Agents may not spend anything yet: the call will be rejected.'),
  ];
}

function leftOf({
  amount,
  spent,
  reserved,
  currency,
}: {
  readonly amount: string;
  readonly spent: string;
  readonly reserved: string;
  readonly currency?: string;
}) {
  const left = subtractAmounts(amount, addAmounts(spent, reserved));
  return { amount: left, currency };
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
