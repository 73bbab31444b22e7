import * as vscode from 'vscode';
import type { CommandArguments, CommandId } from '../contributions';
import { showError } from './showError';

/** Registers a command of contributions.ts. What its handler throws becomes words with a next step, once, here. */
export function registerCommand<Id extends CommandId>(
  id: Id,
  handler: (...args: CommandArguments[Id]) => unknown,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  const run = async (...args: unknown[]): Promise<unknown> => {
    try {
      return await handler(...(args as CommandArguments[Id]));
    } catch (error) {
      await showError(error, log, () => run(...args));
      return undefined;
    }
  };
  return vscode.commands.registerCommand(id, run);
}

/** Runs a command of contributions.ts: features reach one another this way. */
export function executeCommand<Id extends CommandId>(
  id: Id,
  ...args: CommandArguments[Id]
): Thenable<unknown> {
  return vscode.commands.executeCommand(id, ...args);
}
