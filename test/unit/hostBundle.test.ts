import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { useBundle } from '../support/bundle';
import { filesLoadedWith } from '../support/loadedFiles';

/** The code that a window reads before the first use of the extension. */
const MOST_BYTES = 150_000;
/** An extension host takes 2 ms to load a file, and small ones compress badly. */
const MOST_FILES_AT_ACTIVATION = 4;
const MOST_FILES = 120;

describe('The host bundle', () => {
  const built = useBundle('host');
  const loadedWith = (entry: string) => filesLoadedWith(path.join(built.folder, entry));

  it('loads little code with the window, and the rest on first use', () => {
    const files = loadedWith('extension.js');
    assert.ok(files.length > 1, 'what is shared with later chunks is a file of its own');
    assert.ok(files.length <= MOST_FILES_AT_ACTIVATION, files.join('\n'));
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    assert.ok(bytes <= MOST_BYTES, `${bytes} bytes: import on first use what is not needed at once`);
  });

  it('keeps code that features share in few files', () => {
    const files = readdirSync(path.join(built.folder, 'host'));
    assert.ok(files.length <= MOST_FILES, `${files.length} files`);
  });

  it('keeps VS Code out of the command line', () => {
    for (const file of loadedWith('cli.js'))
      assert.doesNotMatch(readFileSync(file, 'utf8'), /from\s*["']vscode["']|import\s*["']vscode["']/, file);
  });
});
