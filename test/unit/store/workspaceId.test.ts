import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { workspaceId } from '../../../src/store/workspaceId';

describe('The name of a workspace', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'workspace-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('follows links, so that a terminal in a folder shares that of a window', async () => {
    const link = path.join(folder, 'link');
    const target = path.join(folder, 'target');
    await symlink('.', link);
    assert.equal(workspaceId([link]), workspaceId([folder]));
    assert.notEqual(workspaceId([target]), workspaceId([folder]));
  });

  it('differs for other folders, and not for another sequence of them', () => {
    const other = 'memfs:/images';
    assert.equal(workspaceId([folder, other]), workspaceId([other, folder]));
    assert.notEqual(workspaceId([folder, other]), workspaceId([folder]));
    assert.notEqual(workspaceId([]), workspaceId([folder]));
  });
});
