import * as vscode from 'vscode';

/** Delay before progress is shown. */
const SHOW_AFTER_MS = 600;

/**
 * Shows progress, with a way to cancel, only for work that is not quick: a notification that flashes up helps
 * nobody, and VS Code drops notifications that come in quick succession.
 */
export async function withSlowProgress<T>(
  title: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const result = work(stop.signal);
  const settled = result.then(
    () => true,
    () => true,
  );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), SHOW_AFTER_MS);
  });
  const isQuick = await Promise.race([settled, late]);
  clearTimeout(timer);
  if (!isQuick) {
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    await vscode.window.withProgress(options, (_progress, token) => {
      token.onCancellationRequested(() => stop.abort());
      return settled;
    });
  }
  return result;
}
