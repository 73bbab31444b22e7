import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ToolDoor } from '../../../agents/mcpServer';
import { listenForAgents } from '../../../agents/pipe/listen';
import { writeScripts } from '../../../commands/commandScripts';
import { loggedError } from '../../../domain/loggedError';
import type { Services } from '../../../services';
import { openFolders } from './openFolders';

/** Waits for the calls of agents outside, and keeps the script that they start up to date. */
export async function listenInWindow(
  { context, log }: Services,
  call: ToolDoor['call'],
): Promise<vscode.Disposable> {
  await writeScripts(...scriptsOf(context));
  const listening = await listenForAgents(
    { call },
    { folder: windowsFolder(context), folders: openFolders() },
  );
  const update = () =>
    void listening.setFolders(openFolders()).catch((error: unknown) => log.warn(loggedError(error)));
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeWorkspaceFolders(update),
    vscode.workspace.onDidGrantWorkspaceTrust(update),
    { dispose: () => void listening.close() },
  );
}

type Context = Pick<vscode.ExtensionContext, 'globalStorageUri' | 'extensionUri'>;

/** The private folder in which the processes of agents find windows. */
export function windowsFolder({ globalStorageUri }: Context): string {
  return join(globalStorageUri.fsPath, 'windows');
}

/** The folder of scripts, and the command line that they call. */
export function scriptsOf({ globalStorageUri, extensionUri }: Context): [folder: string, script: string] {
  return [join(globalStorageUri.fsPath, 'bin'), join(extensionUri.fsPath, 'dist', 'cli.js')];
}
