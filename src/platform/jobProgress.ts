import { setTimeout } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Environment } from '../domain/environment';
import type { NextStep } from '../domain/problems';
import { showWarningMessage, withProgress } from '../vscode/messages/notifications';
import { actionFor, runAction } from '../vscode/showError';
import { ofEnvironment } from '../wording/ofEnvironment';

/** After a cancel: waiting requests are dropped, and most responses have arrived. */
const RESPONSES_COME_MS = 300;
/** How often the notification is updated. */
const SHOW_EVERY_MS = 250;

/** The display of a job of any kind. */
interface ShownJob {
  readonly state: string;
  readonly progress: { readonly total: number; readonly remaining: number };
  readonly items: readonly { readonly state: string }[];
  readonly done: Promise<void>;
  /** The window closes: it neither ends nor pauses here. */
  readonly isDetached: boolean;
  onDidChange(listener: () => void): () => void;
  cancel(): void;
}

/** Shows a job's progress in a notification until it ends or pauses. */
export async function showJobProgress(
  title: string,
  job: ShownJob,
  textOf: () => string,
  cancel: () => void,
): Promise<void> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  await withProgress(options, (progress, token) => {
    token.onCancellationRequested(cancel);
    return untilQuiet(job, progress, textOf);
  });
}

function untilQuiet(
  job: ShownJob,
  progress: vscode.Progress<{ message?: string; increment?: number }>,
  textOf: () => string,
): Promise<void> {
  let shown = 0;
  return new Promise((resolve) => {
    const stopIfQuiet = () => {
      if (job.state === 'paused' || job.state === 'ended') stop();
    };
    const show = () => {
      if (job.isDetached) return end();
      const { total, remaining } = job.progress;
      const done = ((total - remaining) / Math.max(1, total)) * 100;
      progress.report({ message: textOf(), increment: Math.max(0, done - shown) });
      shown = done;
      stopIfQuiet();
    };
    const timer = setInterval(show, SHOW_EVERY_MS);
    const stopListening = job.onDidChange(stopIfQuiet);
    const end = () => {
      clearInterval(timer);
      stopListening();
    };
    const stop = () => {
      end();
      resolve();
    };
    job.done.then(stop, stop);
    show();
  });
}

interface PauseQuestion {
  readonly textOf: (reason: string) => string;
  readonly cancelTitle: string;
  readonly environment: Environment;
}

/**
 * Reports why a job has paused by itself, and offers the next steps. Resolves to the user's choice; undefined after
 * no choice, or when the job has continued.
 */
export async function askAboutPause(
  job: {
    readonly progress: { readonly state: string; readonly reason?: string; readonly nextStep?: NextStep };
  },
  { textOf, cancelTitle, environment }: PauseQuestion,
): Promise<'resume' | 'cancel' | undefined> {
  const resume = l10n.t('Resume');
  // After the way on, the budget may have been raised or the wallet topped up: it is asked again.
  while (job.progress.state === 'paused') {
    const { reason, nextStep } = job.progress;
    // A pause by the user needs no message: a row or the table shows it.
    if (reason === undefined) return undefined;
    const wayOn = actionFor(nextStep ?? 'none', undefined, environment);
    const text = ofEnvironment(environment.name, textOf(reason));
    const chosen = await showWarningMessage(text, ...(wayOn ? [wayOn.title] : []), resume, cancelTitle);
    if (!wayOn || chosen !== wayOn.title)
      return chosen === resume ? 'resume' : chosen === cancelTitle ? 'cancel' : undefined;
    await runAction(wayOn);
  }
  return undefined;
}

/** Offers to stop waiting for responses to sent requests; `text` explains the consequence. */
export async function offerToStopWaiting(
  job: { stopWaiting(): void },
  environment: string,
  text: string,
): Promise<void> {
  const stop = l10n.t('Stop Waiting');
  if ((await showWarningMessage(ofEnvironment(environment, text), stop)) === stop) job.stopWaiting();
}

/** Sends nothing more. Resolves to how many items still wait for a response, once most responses are there. */
export async function cancelAndWait(job: ShownJob): Promise<number> {
  job.cancel();
  await setTimeout(RESPONSES_COME_MS);
  if (job.state !== 'stopping') return 0;
  return job.items.filter(({ state }) => state === 'inFlight').length;
}
