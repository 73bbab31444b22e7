import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Environment } from '../../domain/environment';
import { isSandbox } from '../../domain/environment';
import { keyFault } from '../../domain/keyFault';
import { openFirstModel } from '../../platform/firstModel';
import { askSteps, type Step, type StepProblem } from '../../platform/pickers/askSteps';
import { chooseEnvironment } from '../../platform/pickers/chooseEnvironment';
import { type BaseUrl, parseBaseUrl } from '../../service/baseUrl';
import type { ServiceClient } from '../../service/client';
import { ServiceError } from '../../service/errors';
import { unreadable } from '../../service/failures';
import type { Services } from '../../services';
import { executeBuiltIn, executeCommand } from '../../vscode/commands';
import { isConfirmed } from '../../vscode/dialogs';
import { showInformationMessage } from '../../vscode/messages/notifications';
import { messageOf } from '../../vscode/showError';
import { baseUrlText, keyFaultText } from '../../wording/errors';

/**
 * Connect to a Service…: name, base URL, key, in one box with Back. The address is asked without a key first; the key is
 * checked against the catalog before it is kept. When either cannot be checked (the service is down), the user decides.
 * @returns false when cancelled
 */
export async function connect(services: Services): Promise<boolean> {
  const { connection } = services;
  const known = connection.environments;
  const entered = await askSteps([
    () => nameStep(known.map(({ name }) => name)),
    ([name = '']) => addressStep(services, name, known.find((one) => one.name === name)?.baseUrl),
    ([name = '', address = '']) =>
      keyStep(services, { name, baseUrl: baseUrlOf(address) }, l10n.t('Connect to a Service: API Key')),
  ]);
  if (!entered) return false;
  const [name = '', address = '', key = ''] = entered;
  await keep(services, { name, baseUrl: baseUrlOf(address) }, key, true);
  return true;
}

/**
 * Set API Key…: for this environment, and no other, or the active one; without any, the user connects first.
 * @throws ServiceError `notConnected` when the settings no longer have the environment at the address it was given for
 */
export async function setApiKey(services: Services, given: Environment | undefined): Promise<void> {
  const { connection } = services;
  // A button in a view's title passes the selected row, which is no environment.
  const isEnvironment = typeof given?.name === 'string' && typeof given.baseUrl === 'string';
  const environment = isEnvironment ? connection.find(given) : connection.active;
  if (isEnvironment && !environment)
    throw new ServiceError('notConnected', { why: { reason: 'environmentGone', environment: given } });
  if (!environment) await executeCommand('modelBench.connect');
  // The sandbox makes its own key.
  else if (isSandbox(environment)) await executeCommand('modelBench.startSandbox');
  else await askKey(services, environment);
}

/** Forget API Key…: asks, since typing a long key again is work. */
export async function clearApiKey({ connection }: Services): Promise<void> {
  const { active } = connection;
  if (!active || !(await connection.hasKey())) {
    void showInformationMessage(l10n.t('No API key is stored for the active environment.'));
    return;
  }
  const question = l10n.t('Forget the API key of “{0}”?', active.name);
  const detail = l10n.t('The key is removed from this machine. It remains valid on the service.');
  if (await isConfirmed(question, detail, l10n.t('Forget Key'))) await connection.forgetKey();
}

/** Switch Environment…: the environments, and a way to add another. */
export async function switchEnvironment({ connection }: Services): Promise<void> {
  const picked = await chooseEnvironment(connection, {
    title: l10n.t('Switch Environment'),
    current: connection.active,
    other: l10n.t('Connect to another service…'),
  });
  if (!picked) return;
  if (picked === 'other') return void (await executeCommand('modelBench.connect'));
  connection.requireAllowed(picked);
  await connection.setActive(picked.name);
  if (!(await connection.hasKey())) await executeCommand('modelBench.setApiKey', picked);
}

function nameStep(taken: readonly string[]): Step {
  return {
    title: l10n.t('Connect to a Service: Name'),
    prompt: l10n.t('Choose a name for this environment. Each environment has its own key.'),
    placeholder: l10n.t('Production'),
    validate: (typed) => {
      if (typed === '') return l10n.t('Enter a name.');
      if (!taken.includes(typed)) return undefined;
      const message = l10n.t('This environment exists. Continuing changes it.');
      return { message, severity: vscode.InputBoxValidationSeverity.Info };
    },
  };
}

function addressStep(services: Services, name: string, known: string | undefined): Step {
  const { connection } = services;
  const refusal = (baseUrl: string) => {
    try {
      connection.requireAllowed({ name, baseUrl });
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  };
  return {
    title: l10n.t('Connect to a Service: Base URL'),
    prompt: l10n.t('The address of the service, without “/api”.'),
    placeholder: 'https://models.example.com',
    ...(known !== undefined && { value: known }),
    validate: (text) => {
      const read = parseAddress(text);
      if ('problem' in read) return baseUrlText(read.problem);
      const refused = refusal(read.baseUrl);
      if (refused !== undefined || text.startsWith(read.origin)) return refused;
      const message = l10n.t('Connects to {0}', read.baseUrl);
      return { message, severity: vscode.InputBoxValidationSeverity.Info };
    },
    check: (text, signal) => {
      const environment = { name, baseUrl: baseUrlOf(text) };
      return connectionProblem(services, environment, '', (client) => client.reach({ signal }));
    },
  };
}

/** Adds the scheme that a typed address lacks. */
function parseAddress(text: string): BaseUrl {
  const read = parseBaseUrl(text);
  const isBare = 'problem' in read && typeof read.problem === 'object';
  return isBare ? parseBaseUrl(read.problem.missesScheme) : read;
}

/** Of a text that the step has checked. */
function baseUrlOf(text: string): string {
  const read = parseAddress(text);
  return 'baseUrl' in read ? read.baseUrl : text;
}

function keyStep(services: Services, environment: Environment, title: string): Step {
  return {
    title,
    prompt: l10n.t(
      'The key of “{0}” is stored in VS Code’s secret storage and sent only to {1}.',
      environment.name,
      new URL(environment.baseUrl).origin,
    ),
    isPassword: true,
    ...(process.env.MODEL_BENCH_API_KEY && {
      offered: {
        tooltip: l10n.t('Use the Key of the Terminal (MODEL_BENCH_API_KEY)'),
        text: () => process.env.MODEL_BENCH_API_KEY!,
      },
    }),
    validate: keyProblem,
    check: (key, signal) =>
      connectionProblem(services, environment, key, (client) => checkKey(client, signal)),
  };
}

/** The key alone, of an environment that is known. */
async function askKey(services: Services, environment: Environment): Promise<void> {
  const { connection } = services;
  connection.requireAllowed(environment);
  const entered = await askSteps([
    () => keyStep(services, environment, l10n.t('API Key for “{0}”', environment.name)),
  ]);
  // A key that is set for a panel or a job of another environment does not switch this window to it.
  if (entered) await keep(services, environment, entered[0]!, environment.name === connection.active?.name);
}

async function keep(
  services: Services,
  environment: Environment,
  key: string,
  isActivated: boolean,
): Promise<void> {
  const { connection } = services;
  await (isActivated ? connection.save(environment, key) : connection.setKey(environment, key));
  await executeBuiltIn('modelBench.catalog.focus');
  if (isActivated) await openFirstModel({ ...services, catalog: services.catalog.active });
}

/** Tries something with a client that is not kept. A refused key cannot be insisted on; all else may pass. */
async function connectionProblem(
  { connection }: Services,
  environment: Environment,
  key: string,
  attempt: (client: ServiceClient) => Promise<void>,
): Promise<StepProblem | undefined> {
  const client = await connection.trial(environment, key);
  try {
    await attempt(client);
    return undefined;
  } catch (error) {
    const { kind } = error instanceof ServiceError ? error : { kind: undefined };
    return { message: messageOf(error), mayInsist: kind !== 'badKey' };
  } finally {
    client.close();
  }
}

function keyProblem(text: string): string | undefined {
  if (text === '') return l10n.t('Enter the API key.');
  const fault = keyFault(text);
  return fault && keyFaultText(fault);
}

/** Lists the first page of the catalog. A login page or another service responds with 200 to any request, for any key. */
async function checkKey(client: ServiceClient, signal: AbortSignal): Promise<void> {
  for await (const { models, unrecognised } of client.listModels({ signal })) {
    if (models.length === 0 && unrecognised) throw unreadable({ reason: 'noCatalog' }, unrecognised);
    return;
  }
}
