import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { outFolder, root } from '../support/paths';

/** Everything that the bundles are made of; a folder changes with the names in it. */
const SOURCES = ['{src,webview,bundling,schemas}/**', 'esbuild.mjs', 'package*.json', 'tsconfig*.json'];

/** Builds the bundles of development, unless those of the present sources are there: a build takes half of a test file's time. */
export async function build(): Promise<void> {
  if (isBuilt()) return;
  console.log('Building …');
  await run('node esbuild.mjs');
}

export async function buildPackage(): Promise<void> {
  console.log('Building and packaging …');
  await run('npm run --silent package');
}

/** Whether the bundles of development are those of the present sources. */
export function isBuilt(): boolean {
  const stamp = path.join(outFolder, 'built');
  const built = statSync(stamp, { throwIfNoEntry: false });
  if (!built || readFileSync(stamp, 'utf8') !== 'development') return false;
  const sources = globSync(SOURCES, { cwd: root });
  return sources.every((file) => statSync(path.join(root, file)).mtimeMs < built.mtimeMs);
}

async function run(command: string): Promise<void> {
  const child = spawn(command, { cwd: root, shell: true, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The build ended with ${code}.`);
}
