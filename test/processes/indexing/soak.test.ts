import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { tellFigures } from '../../support/figures';
import { itemsOf, jobFor, MODEL, type Setup, setUp } from '../../support/indexingJobs';
import { makePictures } from '../../support/pictures';
import { sandboxInChild } from '../../support/sandbox';
import type { FaultRule } from '../../support/sandbox/faults';

/** `npm run faults` asks for an hour. */
const SECONDS = Number(process.env.MODEL_BENCH_FAULTS_SOAK_SECONDS ?? 2);
const IMAGES = 100;
/** The sandbox's answers to a test grow with its work: after this many jobs a new one takes its place. */
const JOBS_A_SANDBOX = 40;
/** Beyond the noise of a heap that was just collected. */
const SLACK_BYTES = 8 * 2 ** 20;

/** One request in twenty fails, each way as often as every other. */
const FAILING: FaultRule[] = (
  ['status:500', 'status:503', 'reset-before', 'reset-after-execute', 'truncate'] as const
).map((action) => ({ route: '*', probability: 0.01, action }));

describe('A service that fails one request in twenty', () => {
  it(`causes no lost or double file in ${SECONDS} s of indexing, and no growth of memory`, async () => {
    const folder = await fs.mkdtemp(join(tmpdir(), 'model-bench-soak-'));
    const pictures = join(folder, 'pictures');
    await makePictures(pictures, IMAGES);
    const found = { tried: 0, lost: 0, doubled: 0, leaked: 0 };
    let unknown = 0;
    const heaps: number[] = [];
    const ends = Date.now() + SECONDS * 1_000;
    for (let epoch = 0; epoch === 0 || Date.now() < ends; epoch++) {
      const sandbox = await sandboxInChild({ flags: ['--wallet', '1000000'] });
      const setup = await setUp(sandbox, join(folder, `storage-${epoch}`), 'scope', { batchSize: 8 });
      for (let job = 0; job < JOBS_A_SANDBOX && (job === 0 || Date.now() < ends); job++) {
        const scope = `soak-${job}`;
        await sandbox.change({ faults: FAILING, seed: epoch * JOBS_A_SANDBOX + job + 1 });
        await indexOnce({ ...setup, scope }, pictures);
        await sandbox.change({ faults: [] });
        const dataset = { baseUrl: sandbox.baseUrl, model: MODEL, scope };
        const { indexed, keysOnUploadPort } = await sandbox.ledger();
        const times = (id: string) => indexed[`${MODEL} ${scope} ${id}`] ?? 0;
        const items = await itemsOf({ ...setup, scope });
        found.tried += IMAGES;
        found.lost +=
          IMAGES -
          items.length +
          items.filter(({ imageId, outcome }) => outcome === 'indexed' && times(imageId) === 0).length;
        found.doubled += items.filter(({ imageId }) => times(imageId) > 1).length;
        found.leaked += keysOnUploadPort;
        unknown += items.filter(({ outcome }) => outcome === 'unknown').length;
        await setup.store.datasets.forget(dataset);
        await setup.store.sweep();
        heaps.push(heapAfterCollection());
      }
      await setup.close();
      await sandbox.stop();
    }
    await fs.rm(folder, { recursive: true });
    const growth = growthOf(heaps);
    const note = `${unknown} unknown; heap ${mb(heaps.at(-1)!)} MB at the end, ${growth === undefined ? 'too short to tell its growth' : `${mb(growth)} MB more than early on`}`;
    tellFigures({ case: `5% of everything fails, ${SECONDS} s of indexing`, ...found, note });
    assert.deepEqual(found, { ...found, lost: 0, doubled: 0, leaked: 0 });
    assert.ok(unknown < found.tried / 2, `${unknown} of ${found.tried} are unknown`);
    if (growth !== undefined) assert.ok(growth < SLACK_BYTES, note);
  }).timeout(SECONDS * 1_000 + 120_000);
});

/** Runs a job until it ends. A user would resume it after a pause. */
async function indexOnce(setup: Setup, pictures: string): Promise<void> {
  const job = await jobFor(setup, pictures);
  const stop = job.onDidChange(() => {
    if (job.progress.state === 'paused') job.resume();
  });
  job.start();
  await job.done;
  stop();
}

let collect: (() => void) | undefined;

function heapAfterCollection(): number {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
  return process.memoryUsage().heapUsed;
}

/** Of the median of the last quarter over that of the second: the first one is warming up. */
function growthOf(heaps: readonly number[]): number | undefined {
  const quarter = Math.floor(heaps.length / 4);
  if (quarter < 3) return undefined;
  return median(heaps.slice(-quarter)) - median(heaps.slice(quarter, 2 * quarter));
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}

const mb = (bytes: number) => (bytes / 1e6).toFixed(1);
