import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { readFileAt, replaceFile } from '../../experiments/files/door';
import { shimsFor } from './shims';

const LONGEST_SHIM = 10_000;

/** Writes the scripts of this version of the extension, and adds their folder to the PATH of new terminals. */
export async function putOnPath({
  globalStorageUri,
  extensionUri,
  environmentVariableCollection: variables,
}: Pick<
  vscode.ExtensionContext,
  'globalStorageUri' | 'extensionUri' | 'environmentVariableCollection'
>): Promise<void> {
  const folder = join(globalStorageUri.fsPath, 'bin');
  await mkdir(folder, { recursive: true });
  for (const { name, text } of shimsFor(
    process.platform,
    process.execPath,
    join(extensionUri.fsPath, 'dist', 'cli.js'),
  )) {
    const path = join(folder, name);
    const known = await readFileAt(path, LONGEST_SHIM);
    if (known?.bytes.toString() !== text) await replaceFile(path, text, 0o755);
  }
  // Setting the same again would mark open terminals as outdated.
  const value = `${delimiter}${folder}`;
  if (variables.get('PATH')?.value === value) return;
  variables.description = l10n.t('Adds the command "model-bench" to the PATH.');
  // Behind all others: a command of that name that the user has installed is the one that is meant.
  variables.append('PATH', value);
}
