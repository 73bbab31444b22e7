import { delimiter, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { writeScripts } from '../../commands/commandScripts';

const WORKSPACE = 'MODEL_BENCH_WORKSPACE';

/**
 * Writes the scripts of this version of the extension, and adds their folder to the PATH of new terminals.
 * @param workspace see `workspaceOf`
 */
export async function putOnPath(
  {
    globalStorageUri,
    extensionUri,
    environmentVariableCollection: variables,
  }: Pick<vscode.ExtensionContext, 'globalStorageUri' | 'extensionUri' | 'environmentVariableCollection'>,
  workspace: string,
): Promise<void> {
  const folder = join(globalStorageUri.fsPath, 'bin');
  await writeScripts(folder, join(extensionUri.fsPath, 'dist', 'cli.js'));
  // Setting the same again would mark open terminals as outdated.
  const value = `${delimiter}${folder}`;
  if (variables.get(WORKSPACE)?.value !== workspace) variables.replace(WORKSPACE, workspace);
  if (variables.get('PATH')?.value === value) return;
  variables.description = l10n.t('Adds the command "model-bench" to the PATH.');
  // Behind all others: a command of that name that the user has installed is the one that is meant.
  variables.append('PATH', value);
}
