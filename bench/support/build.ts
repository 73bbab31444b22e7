import { execSync } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { packageFile, root } from '../../test/support/paths';

export const dist = path.join(root, 'dist');

let packaged = false;

/** The package as it ships, and the bundles in it; built once a run. Returns its path. */
export function buildPackage(): string {
  if (!packaged) execSync('npm run --silent package', { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  packaged = true;
  return packageFile;
}

/** The command line as it ships, in a folder of its own. Returns its path. */
export function buildCli(folder: string): string {
  execSync(`node esbuild.mjs --production --only=host --out=${folder}`, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return path.join(folder, 'cli.js');
}

export function bytesOf(file: string): number {
  return statSync(file).size;
}
