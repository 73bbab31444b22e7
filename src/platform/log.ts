import * as vscode from 'vscode';

/**
 * The extension's log, which falls silent when it is disposed. VS Code's own throws from then on, and the requests
 * of a window that is closing end after that: what became of them must not be lost to a line of the log.
 */
export function createLog(name: string): vscode.LogOutputChannel {
  const channel = vscode.window.createOutputChannel(name, { log: true });
  let isDisposed = false;
  // Not over the channel itself: VS Code may freeze it, and a proxy cannot response otherwise than a frozen object.
  return new Proxy({} as vscode.LogOutputChannel, {
    get(_target, key) {
      const value: unknown = Reflect.get(channel, key, channel);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (isDisposed) return;
        isDisposed = key === 'dispose';
        return Reflect.apply(value, channel, args);
      };
    },
  });
}
