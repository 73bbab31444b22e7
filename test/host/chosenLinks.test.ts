import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { findFiles } from '../../src/features/indexing/files';

describe('Files chosen for indexing', () => {
  let root: string;
  before(async () => {
    root = await fs.realpath(await fs.mkdtemp(join(tmpdir(), 'chosen-')));
    await fs.mkdir(join(root, 'private'));
    await fs.writeFile(join(root, 'private', 'a.png'), 'x');
  });
  after(() => fs.rm(root, { recursive: true, force: true }));

  const find = (...paths: string[]) =>
    findFiles(
      paths.map((path) => vscode.Uri.file(join(root, path))),
      { carries: 'media', accept: ['image/*'] } as never,
      { exclude: true, signal: new AbortController().signal },
    );

  it('include a link with its target', async function () {
    if (process.platform === 'win32') this.skip();
    await fs.symlink(join(root, 'private'), join(root, 'pictures'));
    const { files, links } = await find('pictures', 'private');
    assert.deepEqual(links, [{ path: join(root, 'pictures'), real: join(root, 'private') }]);
    assert.equal(files.length, 2);
  });

  it('exclude pipes, which never end', async function () {
    if (process.platform === 'win32') this.skip();
    execFileSync('mkfifo', [join(root, 'pipe.png')]);
    const { files, unreadable } = await find('pipe.png');
    assert.equal(files.length, 0);
    assert.match(unreadable[0]?.reason ?? '', /neither a file nor a folder/);
  });
});
