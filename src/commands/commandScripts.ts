import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readFileAt, replaceFile } from '../experiments/files/door';

const LONGEST_SCRIPT = 10_000;

/**
 * Writes the scripts that call the command line of this installation.
 * @param folder for them, in that of the extension's data
 * @param script path of the command line
 */
export async function writeScripts(folder: string, script: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { name, text } of shimsFor(process.platform, process.execPath, script, dirname(folder))) {
    const path = join(folder, name);
    const known = await readFileAt(path, LONGEST_SCRIPT);
    if (known?.bytes.toString() !== text) await replaceFile(path, text, 0o755);
  }
}

/**
 * The scripts by which a terminal calls the command line of this installation. The program that runs extensions runs it as
 * Node.js, so that no Node.js has to be installed.
 * @param program that runs the extension host
 * @param script path of the command line
 * @param state the folder that windows keep their store in: terminals then count with them
 */
export function shimsFor(platform: NodeJS.Platform, program: string, script: string, state: string) {
  const posix = {
    name: 'model-bench',
    text: `#!/bin/sh\n[ -n "$MODEL_BENCH_STATE" ] || MODEL_BENCH_STATE=${quoted(state)}\nexport MODEL_BENCH_STATE\nELECTRON_RUN_AS_NODE=1 exec ${quoted(program)} ${quoted(script)} "$@"\n`,
  };
  if (platform !== 'win32') return [posix];
  const [own, cli, kept] = [program, script, state].map((path) => path.replaceAll('%', '%%'));
  const text = [
    ...['@echo off', 'setlocal', 'set ELECTRON_RUN_AS_NODE=1'],
    `if not defined MODEL_BENCH_STATE set "MODEL_BENCH_STATE=${kept}"`,
    ...[`"${own}" "${cli}" %*`, ''],
  ].join('\r\n');
  // Git Bash takes the first, Command Prompt and PowerShell the second.
  return [posix, { name: 'model-bench.cmd', text }];
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}
