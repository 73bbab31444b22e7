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

interface ShownJob {
  readonly head: { readonly environment: string; readonly baseUrl: string };
  readonly state: string;
  readonly progress: {
    readonly state: string;
    readonly total: number;
    readonly remaining: number;
    readonly reason?: string;
    readonly nextStep?: NextStep;
  };
  readonly items: readonly { readonly state: string }[];
  readonly done: Promise<void>;
  /** The window closes: it neither ends nor pauses here. */
  readonly isDetached: boolean;
  onDidChange(listener: () => void): () => void;
  cancel(): void;
  stopWaiting(): void;
}

interface Followed {
  readonly title: string;
  readonly progressLine: () => string;
  /** @param reason of the pause */
  readonly pausedText: (reason: string) => string;
  /** Of the button that ends a paused job. */
  readonly cancelTitle: string;
  resume(): unknown;
  cancel(): Promise<void>;
  ended(): unknown;
}

/** Shows a job's progress in a notification until it ends or pauses, then the outcome or the next steps. */
export async function followJob(
  job: ShownJob,
  { title, progressLine, pausedText, cancelTitle, resume, cancel, ended }: Followed,
): Promise<void> {
  const { environment: name, baseUrl } = job.head;
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: ofEnvironment(name, title),
    cancellable: true,
  };
  await withProgress(options, (progress, token) => {
    token.onCancellationRequested(() => void cancel());
    return untilQuiet(job, progress, progressLine);
  });
  if (job.state !== 'paused') return void (await ended());
  const chosen = await askAboutPause(job, pausedText, cancelTitle, { name, baseUrl });
  if (chosen === 'cancel') await cancel();
  if (chosen === 'resume') await resume();
}

function untilQuiet(
  job: ShownJob,
  progress: vscode.Progress<{ message?: string; increment?: number }>,
  progressLine: () => string,
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
      progress.report({ message: progressLine(), increment: Math.max(0, done - shown) });
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

/**
 * Reports why a job has paused by itself, and offers the next steps. Resolves to the user's choice; undefined after
 * no choice, or when the job has continued.
 */
async function askAboutPause(
  job: ShownJob,
  pausedText: (reason: string) => string,
  cancelTitle: string,
  environment: Environment,
): Promise<'resume' | 'cancel' | undefined> {
  const resume = l10n.t('Resume');
  // After the way on, the budget may have been raised or the wallet topped up: it is asked again.
  while (job.progress.state === 'paused') {
    const { reason, nextStep } = job.progress;
    // A pause by the user needs no message: a row or the table shows it.
    if (reason === undefined) return undefined;
    const wayOn = actionFor(nextStep ?? 'none', undefined, environment);
    const text = ofEnvironment(environment.name, pausedText(reason));
    const chosen = await showWarningMessage(text, ...(wayOn ? [wayOn.title] : []), resume, cancelTitle);
    if (!wayOn || chosen !== wayOn.title)
      return chosen === resume ? 'resume' : chosen === cancelTitle ? 'cancel' : undefined;
    await runAction(wayOn);
  }
  return undefined;
}

/**
 * Sends nothing more. Where responses are still missing after a moment, offers to stop waiting for them.
 * @param consequence explains the consequence for a number of items
 */
export async function cancelJob(job: ShownJob, consequence: (sent: number) => string): Promise<void> {
  job.cancel();
  await setTimeout(RESPONSES_COME_MS);
  const sent = job.state === 'stopping' ? job.items.filter(({ state }) => state === 'inFlight').length : 0;
  if (sent === 0) return;
  const stop = l10n.t('Stop Waiting');
  const text = ofEnvironment(job.head.environment, consequence(sent));
  if ((await showWarningMessage(text, stop)) === stop) job.stopWaiting();
}
