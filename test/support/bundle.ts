import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './paths';

/**
 * Builds one row of the table of bundles, as for the package, into a folder that is removed with the tests of this
 * block.
 */
export function useBundle(row: string): { readonly folder: string } {
  const built = { folder: '' };
  before('builds it', () => {
    built.folder = mkdtempSync(path.join(tmpdir(), 'model-bench-bundle-'));
    const args = ['esbuild.mjs', '--production', `--only=${row}`, `--out=${built.folder}`];
    execFileSync(process.execPath, args, { cwd: root });
  });
  after(() => rmSync(built.folder, { recursive: true }));
  return built;
}
