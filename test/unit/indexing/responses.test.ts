import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JobFile } from '../../../src/indexing/indexKind';
import { type ChangedResponses, changedResponses } from '../../support/changedResponses';
import { itemsOf, jobFor, planFolder, type Setup, setUp } from '../../support/indexingJobs';
import { makePictures } from '../../support/pictures';
import { sandboxInProcess } from '../../support/sandbox';

const IMAGES = 6;
const RUNS = '/api/runs';

describe('A job and the responses to its batches', () => {
  let sandbox: Awaited<ReturnType<typeof sandboxInProcess>>;
  let service: ChangedResponses;
  let folder: string;
  let pictures: string;
  let setup: Setup;

  before(async () => {
    sandbox = await sandboxInProcess();
    service = await changedResponses(sandbox.baseUrl);
  });
  after(async () => {
    await service.close();
    await sandbox.stop();
  });
  beforeEach(async () => {
    folder = await fs.mkdtemp(join(tmpdir(), 'responses-'));
    pictures = join(folder, 'pictures');
    await makePictures(pictures, IMAGES);
    const scope = `s${Date.now()}`;
    const { apiKey } = sandbox;
    setup = await setUp({ baseUrl: service.url, apiKey }, join(folder, 'storage'), scope);
  });
  afterEach(async () => {
    service.change(RUNS);
    await setup.close();
    await fs.rm(folder, { recursive: true });
  });

  const indexed = async () =>
    Object.entries((await sandbox.ledger()).indexed).filter(([key]) => key.split(' ')[1] === setup.scope);

  async function finished(ports = setup.ports) {
    const job = await jobFor({ ...setup, ports }, pictures);
    job.start();
    await stopped(job);
    return job.progress;
  }

  async function stopped(job: { readonly progress: { readonly state: string } }): Promise<void> {
    while (!['paused', 'ended'].includes(job.progress.state))
      await new Promise((resolve) => setTimeout(resolve, 10));
  }

  /** Ports whose first `take` of these files has the reference of an upload that the service no longer knows. */
  function withStale(isStale: (file: JobFile) => boolean, onStale: (file: JobFile) => Promise<void>) {
    const taken = new Map<string, number>();
    const ports = {
      ...setup.ports,
      async take(file: JobFile, signal: AbortSignal) {
        const result = await setup.ports.take(file, signal);
        const times = (taken.get(file.imageId) ?? 0) + 1;
        taken.set(file.imageId, times);
        if (times > 1 || !isStale(file)) return result;
        await onStale(file);
        return { ...result, mediaRef: 'media_long_gone', reused: true };
      },
    };
    return { ports, taken };
  }

  for (const status of [400, 404, 409, 410, 422])
    it(`upload a file again when a ${status} may have rejected its reference`, async () => {
      service.change(RUNS, (response) => (response.status === 400 ? { status } : {}));
      const { ports, taken } = withStale(
        ({ imageId }) => /[24]\.png/.test(imageId),
        async () => undefined,
      );
      const progress = await finished(ports);
      assert.deepEqual([progress.state, progress.done, progress.failed], ['ended', IMAGES, 0]);
      const stale = [...taken].filter(([imageId]) => /[24]\.png/.test(imageId));
      assert.ok(stale.length >= 1 && stale.every(([, times]) => times === 2));
      assert.ok([...taken].every(([, times]) => times <= 2));
      assert.deepEqual(
        (await indexed()).map(([, times]) => times),
        Array.from({ length: IMAGES }, () => 1),
      );
    });

  it('fail a file alone that vanished before it could be uploaded once more', async () => {
    const { ports } = withStale(
      ({ imageId }) => /2\.png/.test(imageId),
      async ({ uri }) => fs.rm(fileURLToPath(uri)),
    );
    const progress = await finished(ports);
    assert.deepEqual([progress.state, progress.done, progress.failed], ['ended', IMAGES - 1, 1]);
  });

  it('stop the job when the model itself is gone, after one more upload', async () => {
    let runs = 0;
    service.change(RUNS, () => {
      runs += 1;
      return { status: 404, body: { error: 'no such model' } };
    });
    const { ports, taken } = withStale(
      () => true,
      async () => undefined,
    );
    const progress = await finished(ports);
    assert.equal(progress.state, 'paused');
    assert.match(progress.reason ?? '', /no such model/);
    assert.ok(runs <= 2 * IMAGES, `${runs} runs`);
    assert.ok([...taken].every(([, times]) => times === 2));
  });

  it('decide about each item; open ones are unconfirmed, and not planned again', async () => {
    service.change(RUNS, ({ body }) => {
      const { output } = body as { output: { image_ids: string[] } };
      const results = output.image_ids.flatMap((imageId): object[] => {
        if (/0\.png/.test(imageId)) return [{ imageId, success: false, error: { message: 'too dark' } }];
        if (/1\.png/.test(imageId)) return [];
        return [{ imageId, success: true, message: 'Indexed' }];
      });
      return { body: { status: 'completed', message: 'Indexed', data: { results } } };
    });
    const progress = await finished();
    const outcomes = Object.fromEntries((await itemsOf(setup)).map((item) => [item.imageId, item]));
    const ending = (number: number) =>
      Object.values(outcomes).filter(({ imageId }) => imageId.endsWith(`${number}.png`));
    assert.deepEqual([progress.failed, progress.unknown], [ending(0).length, ending(1).length]);
    assert.ok(ending(0).every(({ outcome, reason }) => outcome === 'failed' && reason === 'too dark'));
    assert.ok(
      ending(1).every(({ outcome, reason }) => outcome === 'unknown' && /does not say/.test(reason ?? '')),
    );
    assert.equal(Object.values(outcomes).filter(({ outcome }) => outcome === 'indexed').length, IMAGES - 2);
    const plan = await planFolder(setup, pictures);
    assert.deepEqual([plan.unknown.length, plan.failedBefore.length, plan.added.length], [1, 1, 0]);
  });

  it('leave every item unconfirmed after a response with an unknown state', async () => {
    service.change(RUNS, () => ({ body: { run_id: 'r', status: 'half-baked' } }));
    const progress = await finished();
    assert.deepEqual([progress.done, progress.unknown], [0, IMAGES]);
  });
});
