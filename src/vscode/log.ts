import * as vscode from 'vscode';
import { loggedError } from '../domain/loggedError';
import type { LogLine } from '../domain/logLine';
import { plainLine } from '../wording/plainText';

type Level = 'trace' | 'debug' | 'info' | 'warn';

/** The extension's log: an error is written only through `loggedError`. */
export type Log = Omit<vscode.LogOutputChannel, Level | 'error' | 'append' | 'appendLine' | 'replace'> & {
  readonly [Name in Level]: (line: LogLine) => void;
} & { readonly error: (line: LogLine | Error) => void };

/**
 * The extension's log, which falls silent when it is disposed. VS Code's own throws from then on, and the requests of
 * a window that is closing end after that: their outcomes must not be lost to a line of the log.
 */
export function createLog(name: string): Log {
  const channel = vscode.window.createOutputChannel(name, { log: true });
  let isDisposed = false;
  // Not over the channel itself: VS Code may freeze it, and a proxy cannot response otherwise than a frozen object.
  return new Proxy({} as Log, {
    get(_target, key) {
      const value: unknown = Reflect.get(channel, key, channel);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (isDisposed) return;
        isDisposed = key === 'dispose';
        return Reflect.apply(value, channel, args.map(plainArgument));
      };
    },
  });
}

/** One call is one entry: a line break in a message of the service would begin an entry that is not ours. */
function plainArgument(argument: unknown): unknown {
  if (argument instanceof Error) return unlinked(loggedError(argument));
  return typeof argument === 'string' ? unlinked(argument) : argument;
}

/** The output view makes links of addresses; a word joiner after the scheme leaves them text. */
function unlinked(text: string): string {
  return plainLine(text).replaceAll('://', ':\u2060//');
}
