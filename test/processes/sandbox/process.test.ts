import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sandboxProgram } from '../../support/programs';
import { sandboxInChild } from '../../support/sandbox';
import { call, run, upload } from '../../support/sandboxCalls';

const ROOT = join(import.meta.dirname, '../../..');
const WEBP = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64');

/** Builds the sandbox's row of the bundle table alone, minified, into an otherwise empty folder. */
async function bundledAlone(): Promise<{ folder: string; bundle: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'model-bench-bundle-'));
  const building = ['esbuild.mjs', '--production', '--only=sandbox', `--out=${folder}`];
  await promisify(execFile)(process.execPath, building, { cwd: ROOT });
  const bundle = join(folder, 'sandbox.mjs');
  await rename(join(folder, 'sandbox.js'), bundle);
  return { folder, bundle };
}

describe('the sandbox as a process', () => {
  it('needs only its bundle of less than 1 MB, even for WebP', async () => {
    const { folder, bundle } = await bundledAlone();
    assert.ok((await stat(bundle)).size < 1_000_000);
    const sandbox = await sandboxInChild({ bundle });
    const ref = await upload(sandbox, WEBP, 'image/webp', 'dot.webp');
    const described = await run(sandbox, {
      model: 'image-description',
      input: { image: { media_ref: ref } },
    });
    assert.equal(described.body.output.format, 'webp', JSON.stringify(described.body));
    const language = await run(sandbox, { model: 'language-id', input: { text: 'Bonjour tout le monde' } });
    assert.equal(language.body.output.language, 'fra');
    const mood = await run(sandbox, { model: 'sentiment', input: { text: 'lovely' } });
    assert.equal(mood.body.output.label, 'positive');
    await sandbox.stop();
    await rm(folder, { recursive: true });
  });

  it('ends when its standard input closes, and on SIGTERM', async () => {
    const one = await sandboxInChild();
    const oneEnds = once(one.child, 'exit');
    one.child.stdin.end();
    assert.deepEqual(await oneEnds, [0, null]);
    await one.stop();
    const two = await sandboxInChild();
    const twoEnds = once(two.child, 'exit');
    two.child.kill('SIGTERM');
    assert.deepEqual(await twoEnds, [0, null]);
    await two.stop();
  });

  it('shares one service between two windows, and the second takes over when the first is killed', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'model-bench-sandbox-'));
    const first = await sandboxInChild({ dataDir });
    // As the extension starts it: no port is asked for, so that the folder's own is used.
    const second = spawn(process.execPath, [await sandboxProgram(), '--data', dataDir], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [chunk] = (await once(second.stdout, 'data')) as [Buffer];
    const line = JSON.parse(chunk.toString());
    assert.equal(line.shared, true);
    assert.equal(line.baseUrl, first.baseUrl);
    await run(first, { model: 'sentiment', input: { text: 'Before.' } });

    first.child.kill('SIGKILL');
    for (;;) {
      const wallet = await call(first, 'GET', '/api/billing/wallet').catch(() => undefined);
      if (wallet === undefined) continue;
      assert.equal(wallet.body.balance, '9.9990');
      break;
    }
    const ends = once(second, 'exit');
    second.stdin.end();
    await ends;
    await assert.rejects(readFile(join(dataDir, 'lock.json')), { code: 'ENOENT' });
    await first.stop();
    await rm(dataDir, { recursive: true });
  });
});
