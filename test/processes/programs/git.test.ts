import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { git } from '../../../src/programs/git';
import { trustWorkspaceWhen } from '../../../src/programs/trust';

describe('Git of the product', () => {
  let folder: string;
  before(() => trustWorkspaceWhen(() => true));
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-git-'));
    await run('init', '--quiet');
    await writeFile(path.join(folder, 'file'), 'one');
    await run('add', '.');
    await run('commit', '--quiet', '-m', 'first');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const run = (...words: string[]) =>
    promisify(execFile)('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
      cwd: folder,
    });
  const log = async (place: string) => (await git(place, ['log', '--format=%s'], 10_000)).toString().trim();

  it('takes no folder inside a repository for a repository, and reads no configuration of it', async () => {
    const inner = path.join(folder, 'exp');
    await promisify(execFile)('git', ['clone', '--quiet', '--bare', folder, inner]);
    await writeFile(path.join(inner, 'config'), '[core]\n\tbare = true\n[diff]\n\torderFile = /dev/zero\n');
    await assert.rejects(log(inner));
    assert.equal(await log(folder), 'first');
  });

  it('runs no program and reads no file that the configuration of a repository names', async () => {
    const trap = path.join(folder, 'trap');
    const settings = {
      'diff.orderFile': '/dev/zero',
      'core.fsmonitor': `touch ${trap}`,
      'core.pager': `touch ${trap}`,
      'diff.external': `touch ${trap}`,
      'log.showSignature': 'true',
      'gpg.program': `touch ${trap}`,
      'extensions.partialClone': 'origin',
      'remote.origin.promisor': 'true',
      'remote.origin.url': folder,
      'remote.origin.uploadpack': `touch ${trap}; git-upload-pack`,
      'protocol.file.allow': 'always',
      'core.repositoryFormatVersion': '1',
    };
    for (const [name, value] of Object.entries(settings)) await run('config', name, value);
    const args = ['log', '--name-only', '--no-ext-diff', '--no-textconv', '--format=%s', '--', 'file'];
    assert.match((await git(folder, args, 10_000)).toString(), /^first\s+file/);
    await assert.rejects(
      git(folder, ['cat-file', 'blob', '0123456789012345678901234567890123456789'], 10_000),
    );
    await assert.rejects(readFile(trap));
  });

  it('looks for a repository in no folder above those of the user', async () => {
    const lonely = await mkdtemp(path.join(tmpdir(), 'model-bench-alone-'));
    try {
      await assert.rejects(log(lonely));
    } finally {
      await rm(lonely, { recursive: true });
    }
  });
});
