import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { readFileAt, replaceFile } from '../../experiments/files/door';

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

/** A script that is found on the PATH. */
interface Shim {
  readonly name: string;
  readonly text: string;
}

/**
 * The scripts by which a terminal calls the command line of this installation. The program that runs extensions runs it as
 * Node.js, so that no Node.js has to be installed.
 * @param program that runs the extension host
 * @param script path of the command line
 */
export function shimsFor(platform: NodeJS.Platform, program: string, script: string): Shim[] {
  const posix = {
    name: 'model-bench',
    text: `#!/bin/sh\nELECTRON_RUN_AS_NODE=1 exec ${quoted(program)} ${quoted(script)} "$@"\n`,
  };
  if (platform !== 'win32') return [posix];
  const [own, cli] = [program, script].map((path) => `"${path.replaceAll('%', '%%')}"`);
  const text = ['@echo off', 'setlocal', 'set ELECTRON_RUN_AS_NODE=1', `${own} ${cli} %*`, ''].join('\r\n');
  // Git Bash takes the first, Command Prompt and PowerShell the second.
  return [posix, { name: 'model-bench.cmd', text }];
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}
