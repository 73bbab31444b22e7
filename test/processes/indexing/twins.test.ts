import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { classifyResult } from '../../../src/results/classify';
import { jobFor, MODEL, setUp } from '../../support/indexingJobs';
import { sampleImages } from '../../support/runtime/parts';
import { type ChildSandbox, sandboxInChild } from '../../support/sandbox';

/** Every pair of the two emoji sets at full size; in CI every thirtieth says whether something broke. */
const FULL = process.env.MODEL_BENCH_FAULTS === 'full';
const PAIRS = FULL ? 1_081 : 36;
const SCOPE = 'emoji';

describe('Searching with each image of another vendor’s set', () => {
  let sandbox: ChildSandbox;
  let folder: string;
  before(async () => {
    sandbox = await sandboxInChild();
    folder = await fs.mkdtemp(join(tmpdir(), 'twins-'));
  });
  after(async () => {
    await sandbox.stop();
    await fs.rm(folder, { recursive: true });
  });

  it(`finds the twin of ${PAIRS} emoji as often as the descriptor allows`, async () => {
    const { google, twitter } = await sampleImages();
    const others = new Set(await fs.readdir(twitter));
    const shared = (await fs.readdir(google))
      .filter((name) => name.endsWith('.png') && others.has(name))
      .sort();
    // Evenly over the whole list, whose neighbours differ by a skin tone only.
    const step = Math.floor(shared.length / PAIRS);
    const names = shared.filter((_, at) => at % step === 0).slice(0, PAIRS);
    assert.equal(names.length, PAIRS);
    const images = join(folder, 'google');
    await fs.mkdir(images);
    for (const name of names) await fs.copyFile(join(google, name), join(images, name));

    const setup = await setUp(sandbox, join(folder, 'storage'), SCOPE);
    const job = await jobFor(setup, images);
    job.start();
    await job.done;
    assert.equal(job.progress.done, PAIRS);
    const { indexed } = await sandbox.ledger();
    assert.deepEqual(
      Object.values(indexed).filter((times) => times !== 1),
      [],
    );

    let first = 0;
    let inFive = 0;
    const waiting = [...names];
    const worker = async () => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        const path = join(twitter, name);
        const { mediaRef } = await setup.client.upload({
          ...{ filename: name, contentType: 'image/png', mediaType: 'image' },
          sizeBytes: (await fs.stat(path)).size,
          open: async function* () {
            yield await fs.readFile(path);
          },
        });
        const response = await setup.client.run({
          ...{ model: MODEL, mode: 'search', scope: SCOPE },
          input: { image: { media_ref: mediaRef } },
          params: { top_k: 5 },
        });
        const part = classifyResult(response.output).sections.find(({ part }) => part.kind === 'hits')?.part;
        const ids = part?.kind === 'hits' ? part.hits.map(({ id }) => id) : [];
        if (ids[0] === name) first++;
        if (ids.includes(name)) inFive++;
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    console.log(
      `      ${PAIRS} pairs: recall@1 ${(first / PAIRS).toFixed(2)}, recall@5 ${(inFive / PAIRS).toFixed(2)}`,
    );
    // Field knowledge: 0.40 of 1,081; chance would be 1 in 1,081.
    assert.ok(first / PAIRS > 0.3, `recall@1 ${first / PAIRS}`);
    await setup.close();
  }).timeout(FULL ? 600_000 : 120_000);
});
