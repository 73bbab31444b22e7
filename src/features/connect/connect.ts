import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Environment } from '../../domain/environment';
import { executeCommand } from '../../platform/commands';
import type { Connection } from '../../platform/connection';
import { isConfirmed } from '../../platform/dialogs';
import { openFirstModel } from '../../platform/firstModel';
import { createInputBox, showInputBox } from '../../platform/messages/inputs';
import {
  showInformationMessage,
  showWarningMessage,
  withProgress,
} from '../../platform/messages/notifications';
import { chooseEnvironment } from '../../platform/pickers/chooseEnvironment';
import { messageOf } from '../../platform/showError';
import { parseBaseUrl } from '../../service/baseUrl';
import { ServiceError } from '../../service/errors';
import { unreadable } from '../../service/failures';
import type { Services } from '../../services';
import { baseUrlText } from '../../wording/errors';

const STEPS = 3;

/**
 * Connect to a Service…: name, base URL, key. The key is checked against the catalog before it is kept; when it
 * cannot be checked (the service is down), the user decides, and nothing typed is lost.
 */
export async function connect(services: Services): Promise<void> {
  const { connection } = services;
  const name = await askName(connection.environments.map((environment) => environment.name));
  if (name === undefined) return;
  const known = connection.environments.find((environment) => environment.name === name);
  const baseUrl = await askBaseUrl(name, known?.baseUrl, connection);
  if (baseUrl === undefined) return;
  await askAndSaveKey(services, { name, baseUrl }, STEPS);
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
  else await askAndSaveKey(services, environment, 1);
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

async function askName(taken: readonly string[]): Promise<string | undefined> {
  const text = await showInputBox({
    title: l10n.t('Connect to a Service ({0}/{1}): Name', 1, STEPS),
    prompt: l10n.t('Choose a name for this environment. Each environment has its own key.'),
    placeHolder: l10n.t('Production'),
    ignoreFocusOut: true,
    validateInput: (typed) => {
      if (typed.trim() === '') return l10n.t('Enter a name.');
      if (!taken.includes(typed.trim())) return undefined;
      const message = l10n.t('This environment exists. Continuing changes it.');
      return { message, severity: vscode.InputBoxValidationSeverity.Info };
    },
  });
  return text?.trim();
}

async function askBaseUrl(
  name: string,
  known: string | undefined,
  connection: Connection,
): Promise<string | undefined> {
  const refusal = (baseUrl: string) => {
    try {
      connection.requireAllowed({ name, baseUrl });
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  };
  const text = await showInputBox({
    title: l10n.t('Connect to a Service ({0}/{1}): Base URL', 2, STEPS),
    prompt: l10n.t('The address of the service, without “/api”.'),
    placeHolder: 'https://models.example.com',
    value: known ?? '',
    ignoreFocusOut: true,
    validateInput: (value) => {
      const read = parseBaseUrl(value);
      return 'problem' in read ? baseUrlText(read.problem) : refusal(read.baseUrl);
    },
  });
  const read = text === undefined ? undefined : parseBaseUrl(text);
  return read && 'baseUrl' in read ? read.baseUrl : undefined;
}

async function askAndSaveKey(services: Services, environment: Environment, step: number): Promise<void> {
  services.connection.requireAllowed(environment);
  let problem: string | undefined;
  let typed: string | undefined;
  for (;;) {
    typed = await askKey(environment, step, typed, problem);
    if (typed === undefined) return;
    const failure = await check(services, environment, typed);
    if (failure === undefined) break;
    if (failure instanceof ServiceError && (failure.kind === 'badKey' || failure.kind === 'noPermission')) {
      problem = messageOf(failure);
      continue;
    }
    const keep = l10n.t('Save Anyway');
    const again = l10n.t('Try Again');
    const question = l10n.t('The key could not be checked. {0}', messageOf(failure));
    const response = await showWarningMessage(question, { modal: true }, again, keep);
    if (response === undefined) return;
    if (response === keep) break;
    problem = messageOf(failure);
  }
  // A key that is set for a panel or a job of another environment does not switch this window to it.
  const isActivated = step > 1 || environment.name === services.connection.active?.name;
  await (isActivated
    ? services.connection.save(environment, typed)
    : services.connection.setKey(environment, typed));
  void showInformationMessage(
    l10n.t('Connected to “{0}”. The key is stored in VS Code’s secret storage.', environment.name),
  );
  await executeCommand('modelBench.focusCatalog');
  if (isActivated) await openFirstModel({ ...services, catalog: services.catalog.active });
}

/** @param problem the service's message about `value`: shown until the text changes */
function askKey(
  environment: Environment,
  step: number,
  value: string | undefined,
  problem: string | undefined,
): Promise<string | undefined> {
  const box = createInputBox();
  box.title =
    step === 1
      ? l10n.t('API Key for “{0}”', environment.name)
      : l10n.t('Connect to a Service ({0}/{1}): API Key', step, STEPS);
  box.prompt = l10n.t(
    'The key of “{0}” is stored in VS Code’s secret storage and sent only to {1}.',
    environment.name,
    new URL(environment.baseUrl).origin,
  );
  box.password = true;
  box.ignoreFocusOut = true;
  box.value = value ?? '';
  box.validationMessage = problem;
  return new Promise((resolve) => {
    box.onDidChangeValue((text) => {
      box.validationMessage = text === value ? problem : text === '' ? undefined : keyProblem(text);
    });
    box.onDidAccept(() => {
      box.validationMessage = keyProblem(box.value);
      if (box.validationMessage !== undefined) return;
      resolve(box.value.trim());
      box.hide();
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}

function keyProblem(text: string): string | undefined {
  if (text.trim() === '') return l10n.t('Enter the API key.');
  // A header value cannot carry anything else (RFC 9110, section 5.5).
  if (!/^[\x21-\x7e]+$/.test(text.trim()))
    return l10n.t('This contains characters that are not allowed in an API key. Paste the key again.');
  return undefined;
}

/** Lists the first page of the catalog with the key; returns the error. */
async function check(services: Services, environment: Environment, apiKey: string): Promise<unknown> {
  return withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: l10n.t('Checking the key with “{0}”…', environment.name),
      cancellable: true,
    },
    async (_progress, token) => {
      const controller = new AbortController();
      token.onCancellationRequested(() => controller.abort());
      const client = await services.connection.trial(environment, apiKey);
      try {
        // A login page or another service responds with 200 to any request, for any key.
        for await (const { models, unrecognised } of client.listModels({ signal: controller.signal }))
          return models.length === 0 && unrecognised
            ? unreadable({ reason: 'noCatalog' }, unrecognised)
            : undefined;
        return undefined;
      } catch (error) {
        return error;
      } finally {
        client.close();
      }
    },
  );
}
