import assert from 'node:assert/strict';
import { appendFile, cp, mkdtemp, readdir, readFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sandboxInProcess, type TestSandbox } from '../../support/sandbox';
import { call, run } from '../../support/sandboxCalls';

/** What a sandbox of version 0.1.0 left after two index runs, a replaced image, a failed run and two jobs. */
const LEFT = join(import.meta.dirname, '../../support/sandboxOf0.1.0');
const RED = 'media_5d04827f14b900699259b29ddb74798b';
const BLUE = 'media_dec23387d2ba1c0d2f4aa7536c5eb0f0';

describe('a folder of version 0.1.0', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'model-bench-sandbox-'));
    await cp(LEFT, dataDir, { recursive: true, preserveTimestamps: true });
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  const oldFiles = async () => (await readdir(dataDir)).filter((name) => name.includes('.jsonl')).sort();

  async function opened<T>(look: (sandbox: TestSandbox) => Promise<T>): Promise<T> {
    const sandbox = await sandboxInProcess({ dataDir });
    try {
      return await look(sandbox);
    } finally {
      await sandbox.stop();
    }
  }

  const activity = (sandbox: TestSandbox) =>
    call(sandbox, 'GET', '/api/billing/activity').then(({ body }) => body);
  const balance = (sandbox: TestSandbox) =>
    call(sandbox, 'GET', '/api/billing/wallet').then(({ body }) => body.balance);
  const search = (sandbox: TestSandbox, ref: string) =>
    run(sandbox, {
      model: 'image-similarity',
      mode: 'search',
      scope: 'kept',
      input: { image: { media_ref: ref } },
    }).then(({ body }) => body.output);

  it('keeps its key, wallet, activity, media, vectors and jobs', async () => {
    await opened(async (sandbox) => {
      assert.equal(sandbox.apiKey, 'sandbox_of_version_0_1_0_for_tests');
      assert.equal(await balance(sandbox), '4.9944');
      const { items, total } = await activity(sandbox);
      assert.equal(total, 7);
      assert.deepEqual(
        items.map(({ model, amount, status }: Record<string, string>) => `${model} ${amount} ${status}`),
        [
          'image-similarity 0.0010 succeeded',
          'later-echo 0.0020 succeeded',
          'always-fails 0.0000 failed',
          'sentiment 0.0010 succeeded',
          'text-similarity 0.0001 succeeded',
          'image-similarity 0.0005 succeeded',
          'image-similarity 0.0010 succeeded',
        ],
      );
      const { searched, results } = await search(sandbox, BLUE);
      assert.equal(searched, 2);
      assert.deepEqual(
        results.map(({ id, media_ref, score }: Record<string, unknown>) => [id, media_ref, score]),
        [
          ['changed', BLUE, 1],
          ['red', RED, 0.4732],
        ],
      );
      const done = await call(sandbox, 'GET', '/api/runs/run_680cc19351d4b4e8072c');
      assert.equal(done.body.output.text, 'x');
      const interrupted = await call(sandbox, 'GET', '/api/runs/run_1ba3d4957adc3c885c03');
      assert.equal(interrupted.body.status, 'failed');
      assert.match(interrupted.body.error.message, /stopped during this run/);
      const counters = await sandbox.ledger();
      assert.equal(counters.indexed['image-similarity kept changed'], 2);
    });
  });

  it('is imported once, and its files are removed after that', async () => {
    await opened((sandbox) => run(sandbox, { model: 'sentiment', input: { text: 'New.' } }));
    assert.deepEqual(await oldFiles(), []);
    // As a process leaves it that was killed between the import and the removal.
    for (const name of ['accounts.jsonl', 'vectors.jsonl'])
      await cp(join(LEFT, name), join(dataDir, name), { preserveTimestamps: true });
    await opened(async (sandbox) => {
      assert.equal((await activity(sandbox)).total, 8);
      assert.equal(await balance(sandbox), '4.9934');
    });
    assert.deepEqual(await oldFiles(), []);
  });

  it('loses only the record at which a file was truncated', async () => {
    const path = join(dataDir, 'accounts.jsonl');
    const whole = await readFile(path);
    const lastLine = whole.lastIndexOf(0x0a, whole.length - 2) + 1;
    for (let length = whole.length - 1; length >= lastLine; length -= 17) {
      await rm(join(dataDir, 'sandbox.db'), { force: true });
      await cp(LEFT, dataDir, { recursive: true, force: true, preserveTimestamps: true });
      await truncate(path, length);
      await opened(async (sandbox) => assert.equal((await activity(sandbox)).total, 6));
    }
  });

  it('keeps files with lines that cannot be read, and imports the other lines', async () => {
    await appendFile(join(dataDir, 'accounts.jsonl'), '{"kind":"run","run_id":7\n{"kind":"run"}\nnull\n');
    await appendFile(
      join(dataDir, 'vectors.jsonl'),
      '{"model":"m","scope":"s","facts":{},"vector":"AAA="}\n',
    );
    const before = await readFile(join(dataDir, 'accounts.jsonl'), 'utf8');
    await opened(async (sandbox) => {
      assert.equal((await activity(sandbox)).total, 7);
      assert.equal((await search(sandbox, RED)).searched, 2);
    });
    assert.deepEqual(await oldFiles(), ['accounts.jsonl.unreadable', 'vectors.jsonl.unreadable']);
    assert.equal(await readFile(join(dataDir, 'accounts.jsonl.unreadable'), 'utf8'), before);
  });
});
