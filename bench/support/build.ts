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

export function bytesOf(file: string): number {
  return statSync(file).size;
}
