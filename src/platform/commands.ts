import * as vscode from 'vscode';
import type { CommandArguments, CommandId } from '../contributions';
import { disposeAll } from './disposables';
import { showError } from './showError';

/** A feature's commands: each id with what it does. */
export type CommandTable = {
  readonly [Id in CommandId]?: (...args: CommandArguments[Id]) => unknown;
};

/** Registers commands of contributions.ts. What a handler throws becomes words with a next step, once, here. */
export function registerCommands(log: vscode.LogOutputChannel, commands: CommandTable): vscode.Disposable {
  return disposeAll(
    ...Object.entries(commands).map(([id, handler]) => {
      const run = async (...args: unknown[]): Promise<unknown> => {
        try {
          return await (handler as (...args: unknown[]) => unknown)(...args);
        } catch (error) {
          await showError(error, log, () => run(...args));
          return undefined;
        }
      };
      return vscode.commands.registerCommand(id, run);
    }),
  );
}

/** A feature's one command; `registerCommands` takes several. */
export function registerCommand<Id extends CommandId>(
  id: Id,
  handler: (...args: CommandArguments[Id]) => unknown,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  return registerCommands(log, { [id]: handler });
}

/** Runs a command of contributions.ts: features reach one another this way. */
export function executeCommand<Id extends CommandId>(
  id: Id,
  ...args: CommandArguments[Id]
): Thenable<unknown> {
  return vscode.commands.executeCommand(id, ...args);
}

/** Commands of VS Code's own that we call, with their arguments: a misspelt one does not compile. */
interface BuiltInCommands {
  setContext: [key: string, value: unknown];
  revealInExplorer: [uri: vscode.Uri];
  'vscode.open': [uri: vscode.Uri, columnOrOptions?: vscode.ViewColumn | vscode.TextDocumentShowOptions];
  'vscode.diff': [
    left: vscode.Uri,
    right: vscode.Uri,
    title: string,
    options?: vscode.TextDocumentShowOptions,
  ];
  'workbench.action.openSettings': [query: string];
  'workbench.action.openRemoteSettings': [options: { readonly query: string }];
  'modelBench.catalog.focus': [];
  'modelBench.scopes.focus': [];
}

/** Runs a command of VS Code's own. */
export function executeBuiltIn<Id extends keyof BuiltInCommands>(
  id: Id,
  ...args: BuiltInCommands[Id]
): Thenable<unknown> {
  return vscode.commands.executeCommand(id, ...args);
}
