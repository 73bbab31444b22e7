import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { linksOut } from '../../../src/intake/linksOut';

describe('The search for links that lead out of a folder', () => {
  let around: string;
  let root: string;
  beforeEach(async () => {
    around = await realpath(await mkdtemp(path.join(tmpdir(), 'model-bench-links-')));
    root = path.join(around, 'root');
    for (const folder of ['a/b', 'node_modules/c', 'rooted'])
      await mkdir(path.join(root, folder), { recursive: true });
    await mkdir(path.join(around, 'root-2'));
  });
  afterEach(() => rm(around, { recursive: true }));

  it('finds them at any depth, without those that stay inside or lead nowhere', async () => {
    const links: Readonly<Record<string, string>> = {
      disk: '/',
      up: '..',
      'a/beside': '../../root-2',
      'a/b/through': '../../up',
      'a/inside': '../rooted',
      'a/itself': '../../root',
      'a/b/nowhere': './missing',
      'node_modules/c/disk': '/',
    };
    for (const [name, target] of Object.entries(links)) await symlink(target, path.join(root, name), 'dir');
    await writeFile(path.join(root, 'a', 'file'), '');
    assert.deepEqual((await linksOut(root)).sort(), ['a/b/through', 'a/beside', 'disk', 'up']);
  });

  it('finds none in a folder that is missing', async () => {
    assert.deepEqual(await linksOut(path.join(around, 'missing')), []);
  });
});
