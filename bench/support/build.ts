import { execSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
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

/** Files that a module loads with itself: its own and those it imports statically. */
export function filesLoadedWith(file: string, readSource: (file: string) => string): string[] {
  const seen = new Set<string>();
  const pending = [file];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    for (const [, name] of readSource(next).matchAll(
      /(?:^|[;\n])\s*(?:import|export)[^;()'"]*?["'](\.[^"']+)["']/g,
    ))
      pending.push(path.resolve(path.dirname(next), name!));
  }
  return [...seen];
}

/** Every file below a folder. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
