import { execSync } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { packageFile, root } from '../../test/support/paths';

export const dist = path.join(root, 'dist');

/** The package as it ships, and the bundles in it; built once for all measures. Returns its path. */
export function buildPackage(): string {
  if (process.env.MODEL_BENCH_PACKAGED === undefined)
    execSync('npm run --silent package', { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  // For the processes of measures.
  process.env.MODEL_BENCH_PACKAGED = '1';
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
