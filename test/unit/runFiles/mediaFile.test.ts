import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { resolveMedia } from '../../../src/runFiles/mediaFile';

const PNG = '\x89PNG\r\n\x1a\n';

describe('A media path of a run file', () => {
  let base: string;
  let workspace: string;
  let runFile: string;
  before(async () => {
    base = await mkdtemp(path.join(tmpdir(), 'run-file-media-'));
    workspace = path.join(base, 'workspace');
    runFile = path.join(workspace, 'runs', 'a.run.json');
    await mkdir(path.join(workspace, 'runs', 'folder'), { recursive: true });
    await mkdir(path.join(base, 'workspace-secret'));
    await writeFile(path.join(base, 'workspace-secret', 'key.png'), PNG, 'latin1');
    await writeFile(path.join(workspace, 'cat.png'), PNG, 'latin1');
    await symlink(path.join(workspace, 'cat.png'), path.join(workspace, 'runs', 'inside.png'));
    await symlink(path.join(base, 'workspace-secret', 'key.png'), path.join(workspace, 'runs', 'out.png'));
    await symlink(path.join(base, 'workspace-secret'), path.join(workspace, 'runs', 'outFolder'));
    await symlink('/dev/zero', path.join(workspace, 'runs', 'endless.png'));
    await symlink(path.join(workspace, 'runs', 'loop.png'), path.join(workspace, 'runs', 'loop.png'));
    execFileSync('mkfifo', [path.join(workspace, 'runs', 'pipe.png')]);
  });
  after(() => rm(base, { recursive: true }));

  const resolved = (media: string, roots = [workspace]) => resolveMedia(media, runFile, roots);

  it('leads to a file of the workspace', async () => {
    assert.deepEqual(await resolved('../cat.png'), {
      path: path.join(workspace, 'cat.png'),
      sizeBytes: 8,
      contentType: 'image/png',
    });
    assert.deepEqual(await resolved('./inside.png'), {
      path: path.join(workspace, 'cat.png'),
      sizeBytes: 8,
      contentType: 'image/png',
    });
    assert.equal(await resolved('./none.png'), 'There is no file “./none.png”.');
  });

  it('never leads out of the workspace, neither by dots nor by links', async () => {
    for (const out of '../../workspace-secret/key.png ./out.png ./outFolder/key.png ./endless.png ../..'.split(
      ' ',
    ))
      assert.match(String(await resolved(out)), /is outside the workspace/, out);
    const none = String(await resolved('../../workspace-secret/none.png'));
    assert.match(none, /is outside the workspace/, 'nor tells what is there');
    assert.match(String(await resolved('./loop.png')), /There is no file/);
  });

  it('accepts another folder of the same workspace, even one that is itself a link', async () => {
    const link = path.join(base, 'link');
    await symlink(path.join(base, 'workspace-secret'), link);
    assert.deepEqual(await resolved('../../link/key.png', [workspace, link]), {
      path: path.join(base, 'workspace-secret', 'key.png'),
      sizeBytes: 8,
      contentType: 'image/png',
    });
  });
});
