import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { IndexingJob, InterruptedIndexingJob } from '../../../src/indexing/indexingJobs';
import { indexJobs } from '../../../src/indexing/indexJobs';
import { discardJob, interruptedJobs } from '../../../src/jobs/openJob';
import type { JobProgress } from '../../../src/jobs/progress';
import { eventually } from '../../support/eventually';
import { itemsOf, jobFor, resumedJob, type Setup } from '../../support/indexingJobs';
import { useBundled } from '../children/childProcess';
import { printedRandom } from '../printedRandom';
import { FULL, IMAGES, until, useIndexedPictures } from './indexedPictures';

const KILLS = FULL ? 20 : 2;

describe('An indexing job that is paused, ended or interrupted', () => {
  const here = useIndexedPictures();
  const { open, indexedIn, finish, tell, assertOnce } = here;
  const program = useBundled('./indexingWorker.ts');

  /** The arguments for a window of its own: the service, the model and scope, and the folder of its store. */
  const windowArgs = (scope: string) => [
    program.file,
    here.sandbox.baseUrl,
    here.sandbox.apiKey,
    join(here.folder, 'storage'),
    scope,
    here.pictures,
  ];

  it('pauses, sends nothing while it is paused, and goes on', async () => {
    const setup = await open();
    await here.sandbox.change({ latencyMs: 10 });
    const job = await jobFor(setup, here.pictures);
    job.start();
    await until(() => job.progress.done >= 16, job);
    job.pause();
    await until(() => job.progress.state === 'paused', job);
    const before = await indexedIn(setup.scope);
    // Time enough for another job to do all of its work.
    await finish(await open());
    assert.deepEqual(await indexedIn(setup.scope), before);
    job.resume();
    await job.done;
    assertOnce(await indexedIn(setup.scope), IMAGES);
  });

  /** A job of the pictures that has come some way and has some left. */
  async function underWay(): Promise<{ setup: Setup; job: IndexingJob }> {
    const setup = await open();
    await here.sandbox.change({ latencyMs: 20 });
    const job = await jobFor(setup, here.pictures);
    job.start();
    await until(() => job.progress.done >= 16, job);
    return { setup, job };
  }

  it('blames no file when its window closes, and goes on in the next one', async () => {
    const { setup, job } = await underWay();
    job.detach();
    await until(() => job.progress.inFlight === 0, job);
    const next = await untilInterrupted(setup);
    next.start();
    await next.done;
    assert.deepEqual([next.progress.failed, next.progress.unknown], [0, 0]);
    assertOnce(await indexedIn(setup.scope), IMAGES);
  });

  it('needs no service to be discarded: its outcomes stay, and it is not offered again', async () => {
    const { setup, job } = await underWay();
    job.detach();
    await until(() => job.progress.inFlight === 0, job);
    const jobs = indexJobs(setup.store);
    let interrupted: InterruptedIndexingJob | undefined;
    while (!interrupted) {
      [interrupted] = interruptedJobs(jobs).interrupted;
      await new Promise((resolve) => setImmediate(resolve));
    }
    const sent = async () => {
      const { 'inspect-counters': _ours, ...theirs } = (await here.sandbox.ledger()).requests;
      return theirs;
    };
    const before = await sent();
    assert.equal(await discardJob(jobs, interrupted.head), true);
    assert.deepEqual(await sent(), before, 'nothing was sent');
    assert.deepEqual(interruptedJobs(jobs), { interrupted: [], held: 0 });
    const kept = await itemsOf(setup);
    assert.deepEqual(
      kept.map(({ imageId, outcome }) => [imageId, outcome]).sort(),
      [...(await indexedIn(setup.scope)).keys()].map((imageId) => [imageId, 'indexed']).sort(),
    );
    assert.equal(await discardJob(jobs, interrupted.head), false, 'a second time there is none');
  });

  it('ends when cancelled, with every file that was indexed in the store', async () => {
    const { setup, job } = await underWay();
    job.cancel();
    await job.done;
    const times = await indexedIn(setup.scope);
    assert.ok(times.size < IMAGES);
    assert.equal(times.size, (await itemsOf(setup)).length);
    assert.equal(await resumedJob(setup), undefined);
  });

  it(`survives ${KILLS} kills at random points: no file lost or sent twice, only those in flight unknown`, async () => {
    const scope = here.newScope('killed');
    await here.sandbox.change({ latencyMs: 5 });
    const worker = () =>
      spawn(process.execPath, [...windowArgs(scope), 'resume'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const setup = await open({ scope });
    const inFlight = new Set<string>();
    const random = printedRandom('the images before each kill');
    const share = Math.ceil(IMAGES / (KILLS + 1));
    for (let kill = 0; kill < KILLS; kill++) {
      const child = worker();
      await once(createInterface({ input: child.stdout }), 'line');
      const images = (await indexedIn(scope)).size + random.int(0, share);
      await eventually(async () => child.exitCode !== null || (await indexedIn(scope)).size >= images);
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      const jobs = indexJobs(setup.store);
      for (const { id } of jobs.list())
        for (const item of await jobs.allItems(id)) if (item.state === 'inFlight') inFlight.add(item.imageId);
    }
    const last = worker();
    await once(last, 'exit');
    const items = await itemsOf(setup);
    const times = await indexedIn(scope);
    const unknown = items.filter(({ outcome }) => outcome === 'unknown');
    const missing = items.filter(({ outcome, imageId }) => outcome === 'indexed' && !times.has(imageId));
    tell(
      `${KILLS} kills of a job`,
      times,
      IMAGES - items.length + missing.length,
      `${unknown.length} unknown`,
    );
    assert.equal(items.length, IMAGES, 'every file has an outcome');
    assert.deepEqual(
      [...times].filter(([, often]) => often !== 1),
      [],
      'none was indexed twice',
    );
    for (const { imageId, outcome } of items)
      if (outcome === 'indexed') assert.ok(times.has(imageId), `${imageId} is in the dataset`);
    const ids = unknown.map(({ imageId }) => imageId);
    assert.deepEqual(ids.sort(), [...inFlight].sort(), 'just those that the store had in flight at a kill');
  });

  it('indexes a folder once when two windows start at the same time', async () => {
    const scope = here.newScope('shared');
    const windows = await Promise.all([1, 2].map(() => windowOver(windowArgs(scope))));
    for (const { code, progress } of windows) {
      assert.equal(code, 0);
      assert.deepEqual(progress.state, 'ended');
      assert.equal(progress.done + progress.skipped, progress.total, 'what it planned is indexed, by either');
    }
    assert.equal(windows[0]!.progress.done + windows[1]!.progress.done, IMAGES);
    const times = await indexedIn(scope);
    tell('two windows told to index one folder', times, IMAGES - times.size);
    assertOnce(times, IMAGES);
  });
});

/** A window of its own, from its start to its end. */
async function windowOver(args: readonly string[]): Promise<{ code: unknown; progress: JobProgress }> {
  const window = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let last = '';
  createInterface({ input: window.stdout }).on('line', (line) => {
    last = line;
  });
  const [code] = await once(window, 'close');
  return { code, progress: JSON.parse(last) as JobProgress };
}

/** The job, once its window has stopped working. */
async function untilInterrupted(setup: Setup) {
  for (;;) {
    const job = await resumedJob(setup);
    if (job) return job;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
