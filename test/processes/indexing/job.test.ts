import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { indexJobs } from '../../../src/indexing/indexJobs';
import type { JobFile } from '../../../src/indexing/indexKind';
import { jobFor, planFolder } from '../../support/indexingJobs';
import { corrupt, makePictures } from '../../support/pictures';
import { FULL, IMAGES, useIndexedPictures } from './indexedPictures';

const UNCHANGED = FULL ? 10_000 : 1_000;

describe('An indexing job', () => {
  const here = useIndexedPictures();
  const { open, indexedIn, requests, finish, tell, assertOnce } = here;

  it('indexes every file exactly once, and reports its cost', async () => {
    const setup = await open();
    const progress = await finish(setup);
    assert.equal(progress.done, IMAGES);
    assert.equal(progress.runs, Math.ceil(IMAGES / 16));
    assert.deepEqual(
      progress.spent.map(({ amount }) => Number(amount)),
      [IMAGES * 0.0005],
    );
    assertOnce(await indexedIn(setup.scope), IMAGES);
    assert.deepEqual(indexJobs(setup.store).list(), []);
  });

  it('never sends more images in a run than the contract takes', async () => {
    const setup = await open({ batchSize: 500 });
    const progress = await finish(setup);
    assert.equal(progress.runs, Math.ceil(IMAGES / 32));
    assert.equal(progress.failed, 0);
  });

  it('sends nothing for files that did not change, and one changed file alone', async () => {
    const setup = await open();
    await finish(setup);
    const before = await requests();
    const file = join(here.pictures, 'set-0/picture-7.png');
    const bytes = await fs.readFile(file);
    // A new time with the same content is recognized by its hash; other content is a change.
    await fs.utimes(join(here.pictures, 'set-0/picture-8.png'), new Date(), new Date());
    await fs.copyFile(join(here.pictures, 'set-0/picture-9.png'), file);
    try {
      const plan = await planFolder(setup, here.pictures);
      assert.deepEqual(
        [plan.added.length, plan.changed.map(({ imageId }) => imageId), plan.unchanged.length],
        [0, ['set-0/picture-7.png'], IMAGES - 1],
      );
      assert.deepEqual(await requests(), before);
    } finally {
      await fs.writeFile(file, bytes);
    }
  });

  it(`makes a second pass over ${UNCHANGED} unchanged files without a request`, async () => {
    const setup = await open();
    const many = join(here.folder, 'many');
    await makePictures(many, UNCHANGED);
    const first = await planFolder(setup, many);
    const at = Date.now();
    const { baseUrl } = setup.client;
    await setup.store.datasets.record(
      first.added.map(({ imageId, uri, sizeBytes, modifiedMs }) => ({
        ...{ baseUrl, model: 'image-similarity', scope: setup.scope, imageId, file: uri },
        ...{ sha256: '0', sizeBytes, modifiedMs, at, outcome: 'indexed' as const },
      })),
    );
    const before = await requests();
    const second = await planFolder(setup, many);
    assert.deepEqual(
      [second.unchanged.length, second.added.length, second.changed.length],
      [UNCHANGED, 0, 0],
    );
    // With a client to ask: a file that is taken for changed would be uploaded.
    const job = await jobFor(setup, many);
    job.start();
    await job.done;
    assert.equal(job.progress.total, 0);
    assert.deepEqual(await requests(), before);
  });

  it('fails exactly the corrupt files, each with its reason, and indexes their neighbors', async () => {
    const setup = await open();
    const spoiled = join(here.folder, 'spoiled');
    await makePictures(spoiled, IMAGES);
    const bad = Array.from({ length: Math.ceil(IMAGES / 50) }, (_, n) => n * 50 + 3);
    const names = bad.map((n) => `set-${Math.floor(n / 100)}/picture-${n}.png`);
    for (const name of names) await corrupt(join(spoiled, name));
    const job = await jobFor(setup, spoiled);
    job.start();
    await job.done;
    const failed = job.items.filter(({ state }) => state === 'failed');
    assert.deepEqual(failed.map(({ imageId }) => imageId).sort(), [...names].sort());
    for (const { imageId, reason } of failed)
      assert.match(reason ?? '', new RegExp(imageId.replace('.', '\\.')));
    const times = await indexedIn(setup.scope);
    tell(`${bad.length} corrupt files among the others`, times, IMAGES - bad.length - times.size);
    assertOnce(times, IMAGES - bad.length);
    assert.equal((await planFolder(setup, spoiled)).failedBefore.length, bad.length);
  });

  it('uploads again when the service no longer has a reused reference', async () => {
    const setup = await open();
    const forgotten: string[] = [];
    const { take } = setup.ports;
    const ports = {
      ...setup.ports,
      async take(item: JobFile, signal: AbortSignal) {
        const taken = await take(item, signal);
        const isStale = item.imageId.endsWith('7.png') && !forgotten.includes(item.imageId);
        return isStale ? { ...taken, mediaRef: 'media_long_gone', reused: true } : taken;
      },
      async forget({ imageId }: JobFile) {
        forgotten.push(imageId);
      },
    };
    const job = await jobFor({ ...setup, ports }, here.pictures);
    job.start();
    await job.done;
    assert.deepEqual([job.progress.done, job.progress.failed], [IMAGES, 0]);
    assert.deepEqual(forgotten.length, new Set(forgotten).size);
    assertOnce(await indexedIn(setup.scope), IMAGES);
  });
});
