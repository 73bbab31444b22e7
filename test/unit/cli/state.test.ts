import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, realpath, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openState } from '../../../src/commands/state';
import type { ServiceClient } from '../../../src/service/client';
import { storeFolder } from '../../../src/store/store';

const STORE = path.basename(storeFolder(''));

(process.platform === 'win32' ? describe.skip : describe)('The --state folder of the command line', () => {
  let folder: string;
  const before = process.cwd();
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'model-bench-state-')));
    for (const name of ['elsewhere', `repository/real/${STORE}`]) await mkdir(at(name), { recursive: true });
    process.chdir(at('repository'));
  });
  afterEach(async () => {
    process.chdir(before);
    await rm(folder, { recursive: true });
  });
  const at = (name: string) => path.join(folder, name);
  const open = async (name: string) => {
    // The client is never used.
    const state = await openState(name, {} as ServiceClient, { amount: '0' }, () => undefined);
    await state.close();
  };

  it('makes a missing folder, even below missing folders', async () => {
    await open('new/deep');
    await open('real');
    await open(at('outside'));
    assert.deepEqual(await readdir(at('repository/new/deep')), [STORE]);
  });

  it('stays private, with all in it, where new files are not', async () => {
    const umask = process.umask(0);
    try {
      const state = await openState('new', {} as ServiceClient, { amount: '0' }, () => undefined);
      const names = ['', ...(await readdir(at('repository/new'), { recursive: true }))];
      assert.ok(names.includes(`${STORE}/model-bench.db`), names.join());
      for (const name of names) {
        const facts = await stat(at(`repository/new/${name}`));
        assert.equal((facts.mode & 0o777).toString(8), facts.isDirectory() ? '700' : '600', name);
      }
      await state.close();
    } finally {
      process.umask(umask);
    }
  });

  for (const [what, link, name] of [
    ['the folder', 'repository/state', 'state'],
    ['a folder on the way', 'repository/state', 'state/deep/deeper'],
    ['the store in it', `repository/state/${STORE}`, 'state'],
    ['its database', `repository/real/${STORE}/model-bench.db`, 'real'],
    ['its folder of results', `repository/real/${STORE}/results`, 'real'],
    ['a folder outside', 'linked', '../linked'],
    ['a folder of the repository above', 'repository/linked', '../linked/state'],
  ] as const)
    it(`fails, and makes no file, when ${what} is a link`, async () => {
      await mkdir(path.dirname(at(link)), { recursive: true });
      await symlink(at('elsewhere'), at(link));
      if (name.startsWith('../linked/')) {
        await mkdir(at('repository/.git'));
        process.chdir(at('repository/real'));
      }
      await assert.rejects(open(name), /--state: “.*” is a link, and is not followed/);
      assert.deepEqual(await readdir(at('elsewhere')), []);
    });
});
