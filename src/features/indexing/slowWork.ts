import * as vscode from 'vscode';

/** Until then nobody misses a sign. */
const SHOW_AFTER_MS = 600;

/**
 * Work that mostly is over at once. Only what takes longer is shown, with a way to stop it: a notification that
 * flashes up tells nothing, and VS Code shows none of those that come after too many others.
 */
export async function withSlowProgress<T>(
  title: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const result = work(stop.signal);
  const over = result.then(
    () => true,
    () => true,
  );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), SHOW_AFTER_MS);
  });
  const isQuick = await Promise.race([over, late]);
  clearTimeout(timer);
  if (!isQuick) {
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    await vscode.window.withProgress(options, (_progress, token) => {
      token.onCancellationRequested(() => stop.abort());
      return over;
    });
  }
  return result;
}
