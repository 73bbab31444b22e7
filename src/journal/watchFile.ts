import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/**
 * Calls back soon after another process has written to a file, once for each burst of writes; returns what ends that.
 * Some file systems cannot be watched: then `onFailed` is called, and nothing more.
 */
export function watchFile(
  file: string,
  delayMs: number,
  onWritten: () => void,
  onFailed: (error: unknown) => void = () => undefined,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  try {
    const watcher = watch(dirname(file), { persistent: false }, (_event, name) => {
      if (name !== null && name !== basename(file)) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        onWritten();
      }, delayMs).unref();
    });
    watcher.on('error', onFailed);
    return () => {
      watcher.close();
      clearTimeout(timer);
    };
  } catch (error) {
    onFailed(error);
    return () => undefined;
  }
}
