import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readFileAt, replaceFile } from '../experiments/files/door';

const LONGEST_SCRIPT = 10_000;

/**
 * Writes the scripts that call the command line of this installation.
 * @param folder for them
 * @param script path of the command line
 */
export async function writeScripts(folder: string, script: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { name, text } of shimsFor(process.platform, process.execPath, script)) {
    const path = join(folder, name);
    const known = await readFileAt(path, LONGEST_SCRIPT);
    if (known?.bytes.toString() !== text) await replaceFile(path, text, 0o755);
  }
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
