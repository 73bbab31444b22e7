import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sandboxInProcess } from '../../support/sandbox';
import { call, run, upload } from '../../support/sandboxCalls';
import { disc } from '../../support/sandboxPictures';

describe('the sandbox, restarted on the same folder', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'model-bench-sandbox-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it('never spends more than the balance on concurrent runs', async () => {
    const sandbox = await sandboxInProcess({ dataDir, wallet: '0.0300' });
    const responses = await Promise.all(
      Array.from({ length: 12 }, () =>
        run(sandbox, { model: 'slow-echo', input: { text: 'x' }, params: { seconds: 0.05 } }),
      ),
    );
    assert.equal(responses.filter(({ status }) => status === 200).length, 3);
    assert.equal(responses.filter(({ status }) => status === 402).length, 9);
    assert.equal((await call(sandbox, 'GET', '/api/billing/wallet')).body.balance, '0.0000');
    assert.deepEqual((await sandbox.ledger()).runs, { 'slow-echo execute': 3 });
    await sandbox.stop();
  });
});

describe("the sandbox's files", () => {
  it('let only their owner read them, under any umask', async function () {
    if (process.platform === 'win32') this.skip();
    const parent = await mkdtemp(join(tmpdir(), 'model-bench-sandbox-'));
    const umask = process.umask(0);
    try {
      const dataDir = join(parent, 'data');
      const sandbox = await sandboxInProcess({ dataDir });
      await upload(sandbox, disc(1, 2, 3));
      await run(sandbox, { model: 'later-echo', input: { text: 'x' }, params: { seconds: 0 } });
      const entries = await readdir(parent, { recursive: true, withFileTypes: true });
      const names = entries.map(({ name }) => name);
      for (const name of ['identity.json', 'sandbox.db', 'sandbox.db-wal', 'media'])
        assert.ok(names.includes(name), name);
      for (const entry of entries) {
        const { mode } = await stat(join(entry.parentPath, entry.name));
        assert.equal((mode & 0o777).toString(8), entry.isDirectory() ? '700' : '600', entry.name);
      }
      await sandbox.stop();
    } finally {
      process.umask(umask);
      await rm(parent, { recursive: true });
    }
  });
});
