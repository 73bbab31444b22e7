import * as vscode from 'vscode';
import type { CommandArguments, CommandId, ContextKey, View } from '../contributions';
import type { Log } from './log';
import { showError } from './showError';

export type CommandTable = {
  readonly [Id in CommandId]?: (...args: CommandArguments[Id]) => unknown;
};

/** Registers commands of contributions.ts. Errors of handlers are shown here, with a next step. */
export function registerCommands(log: Log, commands: CommandTable): vscode.Disposable {
  return vscode.Disposable.from(
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

/** Runs a command of contributions.ts: features reach one another this way. */
export function executeCommand<Id extends CommandId>(
  id: Id,
  ...args: CommandArguments[Id]
): Thenable<unknown> {
  return vscode.commands.executeCommand(id, ...args);
}

/** VS Code's own commands that we call, with their arguments: a misspelt one does not compile. */
interface BuiltInCommands extends Record<`${View}.focus`, []> {
  setContext: [key: ContextKey, value: unknown];
  revealInExplorer: [uri: vscode.Uri];
  'vscode.open': [uri: vscode.Uri, columnOrOptions?: vscode.ViewColumn | vscode.TextDocumentShowOptions];
  'vscode.openWith': [uri: vscode.Uri, viewType: string];
  'vscode.diff': [
    left: vscode.Uri,
    right: vscode.Uri,
    title: string,
    options?: vscode.TextDocumentShowOptions,
  ];
  'workbench.actions.view.problems': [];
  'workbench.action.openSettings': [query: string];
  'workbench.action.openRemoteSettings': [options: { readonly query: string }];
  'workbench.trust.manage': [];
}

/** Runs a command of VS Code's own. */
export function executeBuiltIn<Id extends keyof BuiltInCommands>(
  id: Id,
  ...args: BuiltInCommands[Id]
): Thenable<unknown> {
  return vscode.commands.executeCommand(id, ...args);
}
