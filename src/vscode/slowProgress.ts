import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { withProgress } from './messages/notifications';

/** Delay before progress is shown. */
const SHOW_AFTER_MS = 600;

/**
 * Shows progress, with a way to cancel unless there is none, only for work that is not quick: a notification that
 * flashes up cannot be read, and VS Code drops notifications that come in quick succession.
 */
export async function withSlowProgress<T>(
  title: string,
  work: (signal: AbortSignal) => Promise<T>,
  { cancellable = true } = {},
): Promise<T> {
  const stop = new AbortController();
  const result = work(stop.signal);
  const settled = Promise.allSettled([result]);
  const isQuick = await Promise.race([settled.then(() => true), setTimeout(SHOW_AFTER_MS, false)]);
  if (!isQuick) {
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable };
    await withProgress(options, (_progress, token) => {
      token.onCancellationRequested(() => stop.abort());
      return settled;
    });
  }
  return result;
}
