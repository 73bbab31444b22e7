import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pageNames, root } from '../support/paths';

/** Each takes its way through VS Code's service worker: thirty made a run panel open in half the time again. */
const MOST_SCRIPTS = 6;

describe('The bundle of the pages', () => {
  let folder: string;
  before('builds it', () => {
    folder = mkdtempSync(path.join(tmpdir(), 'model-bench-pages-'));
    const args = ['esbuild.mjs', '--production', '--only=pages', `--out=${folder}`];
    execFileSync(process.execPath, args, { cwd: root });
  });
  after(() => rmSync(folder, { recursive: true }));

  it('has what a page loads in few files', () => {
    const chunks = JSON.parse(readFileSync(path.join(folder, 'chunks.json'), 'utf8')) as Record<
      string,
      string[]
    >;
    assert.deepEqual(Object.keys(chunks).sort(), pageNames().sort());
    for (const [page, names] of Object.entries(chunks))
      assert.ok(1 + names.length <= MOST_SCRIPTS, `${page} loads ${names.join(', ')}`);
  });

  it('has no file without content', () => {
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      assert.ok(statSync(path.join(folder, file)).size > 0, file);
  });
});
