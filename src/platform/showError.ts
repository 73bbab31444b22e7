import * as vscode from 'vscode';
import type { CommandId } from '../contributions';
import { assertNever } from '../domain/assertNever';
import type { NextStep } from '../domain/problems';
import type { RawResponse } from '../service/client';
import { ServiceError } from '../service/errors';
import { messageOf as messageIn, nextStepOf } from '../wording/errors';

/** The step that leads on from an error, as a button. */
export interface Action {
  readonly title: string;
  readonly command: CommandId;
  readonly arguments?: unknown[];
}

/**
 * The button that leads on from an error, or undefined when the message itself says all.
 * @param response what the service answered; without it the log has to do
 */
export function actionFor(step: NextStep, response?: RawResponse): Action | undefined {
  switch (step) {
    case 'connect':
      return { title: vscode.l10n.t('Connect…'), command: 'modelBench.connect' };
    case 'setApiKey':
      return { title: vscode.l10n.t('Set API Key…'), command: 'modelBench.setApiKey' };
    case 'showUsage':
      return { title: vscode.l10n.t('Show Usage'), command: 'modelBench.showUsage' };
    case 'changeBudget':
      return { title: vscode.l10n.t('Change Budget…'), command: 'modelBench.changeBudget' };
    case 'refresh':
      return { title: vscode.l10n.t('Refresh'), command: 'modelBench.refresh' };
    case 'showRaw':
      return response
        ? {
            title: vscode.l10n.t('Open the Response'),
            command: 'modelBench.openAnswer',
            arguments: [response],
          }
        : actionFor('showLog');
    case 'showLog':
      return { title: vscode.l10n.t('Show Log'), command: 'modelBench.showLog' };
    case 'retry':
    case 'fixInput':
    case 'none':
      return undefined;
    default:
      return assertNever(step);
  }
}

/** What happened, for whatever was thrown, in the language of this VS Code. */
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

/**
 * Logs an error, and shows it with the one step that leads on. Cancelling is no error.
 * @param again does once more what failed: offered where trying again is the step that leads on
 */
export async function showError(
  error: unknown,
  log: vscode.LogOutputChannel,
  again?: () => unknown,
): Promise<void> {
  if (isCancelled(error)) return;
  log.error(error instanceof Error ? error : String(error));
  const step = nextStepOf(error);
  if (step === 'retry' && again) {
    const tryAgain = vscode.l10n.t('Try Again');
    if ((await vscode.window.showErrorMessage(messageOf(error), tryAgain)) === tryAgain) await again();
    return;
  }
  const action = actionFor(step, error instanceof ServiceError ? error.details.raw : undefined);
  const chosen = await vscode.window.showErrorMessage(messageOf(error), ...(action ? [action] : []));
  await runAction(chosen);
}

/** Does what the button of an error offers. */
export async function runAction(action: Action | undefined): Promise<void> {
  if (action) await vscode.commands.executeCommand(action.command, ...(action.arguments ?? []));
}
