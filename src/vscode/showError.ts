import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandId } from '../contributions';
import { assertNever } from '../domain/assertNever';
import type { Environment } from '../domain/environment';
import { loggedError } from '../domain/loggedError';
import type { NextStep } from '../domain/problems';
import type { RawResponse } from '../domain/response';
import { environmentOfError, ServiceError } from '../service/errors';
import { messageOf as messageIn, nextStepOf } from '../wording/errors';
import { isStoreFailure } from '../wording/storeProblem';
import type { Log } from './log';
import { showErrorMessage } from './messages/notifications';

/** The step that leads on from an error, as a button. */
export interface Action {
  readonly title: string;
  readonly command: CommandId | 'workbench.action.reloadWindow';
  readonly arguments?: unknown[];
}

/**
 * The button with the next step after an error, or undefined when the message is enough.
 * @param response the service's response; without it the log is shown
 * @param environment where it happened; undefined: the step belongs to none
 */
export function actionFor(
  step: NextStep,
  response: RawResponse | undefined,
  environment: Environment | undefined,
): Action | undefined {
  switch (step) {
    case 'connect':
      return { title: l10n.t('Connect…'), command: 'modelBench.connect' };
    case 'startSandbox':
      return { title: l10n.t('Start the Sandbox'), command: 'modelBench.startSandbox' };
    case 'setApiKey':
      return {
        title: l10n.t('Set API Key…'),
        command: 'modelBench.setApiKey',
        ...(environment && { arguments: [environment] }),
      };
    case 'switchEnvironment':
      return { title: l10n.t('Switch Environment…'), command: 'modelBench.switchEnvironment' };
    case 'showUsage':
      return { title: l10n.t('Show Usage'), command: 'modelBench.showUsage' };
    case 'changeBudget':
      return { title: l10n.t('Change Budget…'), command: 'modelBench.changeBudget' };
    case 'runModel':
      return { title: l10n.t('Run Model…'), command: 'modelBench.runModel' };
    case 'refresh':
      return { title: l10n.t('Refresh'), command: 'modelBench.refresh' };
    case 'showRaw':
      return response
        ? {
            title: l10n.t('Open the Response'),
            command: 'modelBench.showMore',
            arguments: [response],
          }
        : actionFor('showLog', undefined, environment);
    case 'nextPage':
      return {
        title: l10n.t('Say How Pages Are Asked For…'),
        command: 'modelBench.useValueAs',
        arguments: ['nextPage'],
      };
    case 'showLog':
      return { title: l10n.t('Show Log'), command: 'modelBench.showLog' };
    case 'reloadWindow':
      return { title: l10n.t('Reload Window'), command: 'workbench.action.reloadWindow' };
    case 'askAgain':
      return { title: l10n.t('Ask Again'), command: 'modelBench.askAgain' };
    case 'retry':
    case 'showWhatCame':
    case 'fixInput':
    case 'none':
      return undefined;
    default:
      return assertNever(step);
  }
}

/** The button with the next step after an error, in the environment where it happened. */
export function errorAction(error: unknown): Action | undefined {
  const raw = error instanceof ServiceError ? error.details.raw : undefined;
  return actionFor(nextStepOf(error), raw, environmentOfError(error));
}

/** The message of any thrown value, in the language of this VS Code. */
export function messageOf(error: unknown): string {
  return messageIn(error, vscode.env.language);
}

/** Whether an error only says that the user asked to stop. */
export function isCancelled(error: unknown): boolean {
  return (
    error instanceof vscode.CancellationError ||
    (error instanceof ServiceError && error.kind === 'cancelled') ||
    (error instanceof Error && error.name === 'AbortError')
  );
}

/** Problems of the store that were shown at its opening: the command that needed it does not show them a second time. */
const shown = new WeakSet<Error>();

/**
 * Logs an error, and shows it with the one step that leads on. Cancelling is no error; nor is a command before the first
 * connection, which asks where to connect and goes on.
 * @param again repeats the failed action: offered where trying again is the step that leads on
 */
export async function showError(error: unknown, log: Log, again?: () => unknown): Promise<void> {
  if (isCancelled(error)) return;
  if (again && isNotConnectedYet(error)) {
    const { askToConnect } = await import('./askToConnect');
    if (await askToConnect()) await again();
    return;
  }
  if (isStoreFailure(error)) {
    if (shown.has(error)) return;
    shown.add(error);
  }
  log.error(loggedError(error));
  const step = nextStepOf(error);
  if (step === 'retry' && again) {
    const tryAgain = l10n.t('Try Again');
    if ((await showErrorMessage(messageOf(error), tryAgain)) === tryAgain) await again();
    return;
  }
  const action = errorAction(error);
  const chosen = await showErrorMessage(messageOf(error), ...(action ? [action] : []));
  await runAction(chosen);
}

function isNotConnectedYet(error: unknown): boolean {
  return error instanceof ServiceError && error.details.why?.reason === 'noEnvironment';
}

/** Performs the action of an error's button. */
export async function runAction(action: Action | undefined): Promise<void> {
  if (action) await vscode.commands.executeCommand(action.command, ...(action.arguments ?? []));
}
