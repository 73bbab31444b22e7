import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from './hosts/folders';
import { root } from './paths';

/** The sandbox's program, from the present sources: bundled, it starts in a fraction of the time it takes tsx. */
export const sandboxProgram = (): Promise<string> => once('sandbox.js', ['sandbox']);

/** The same with the options of tests. */
export const watchedSandboxProgram = (): Promise<string> => once('watchedSandbox.js', ['watchedSandbox']);

/** The command line's program, in the same way. */
export const cliProgram = (): Promise<string> => once('cli.js', ['host', 'undici']);

const built = new Map<string, Promise<string>>();

/** Builds these rows of the bundle table, once a process, into a folder that goes with it. */
function once(program: string, rows: readonly string[]): Promise<string> {
  const building = built.get(program) ?? build(program, rows);
  built.set(program, building);
  return building;
}

async function build(program: string, rows: readonly string[]): Promise<string> {
  const folder = temporaryFolder('mb-program-');
  // As in a checkout: its package.json makes the files ES modules.
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
  await Promise.all(rows.map((row) => buildRow(row, folder)));
  return path.join(folder, 'dist', program);
}

async function buildRow(row: string, folder: string): Promise<void> {
  const args = ['esbuild.mjs', `--only=${row}`, `--out=${path.join(folder, 'dist')}`];
  await promisify(execFile)(process.execPath, args, { cwd: root });
}
