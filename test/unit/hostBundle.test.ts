import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { filesLoadedWith } from '../support/loadedFiles';
import { root } from '../support/paths';

/** What a window reads before anyone has used the extension. */
const MOST_BYTES = 120_000;

describe('The host bundle', () => {
  it('loads little with the window, and the rest on first use', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'model-bench-bundle-'));
    try {
      const args = ['esbuild.mjs', '--production', '--only=host', `--out=${folder}`];
      execFileSync(process.execPath, args, { cwd: root });
      const files = filesLoadedWith(path.join(folder, 'extension.js'));
      assert.ok(files.length > 1, 'what is shared with later chunks is a file of its own');
      const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
      assert.ok(bytes <= MOST_BYTES, `${bytes} bytes: import on first use what is not needed at once`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
