import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { IndexingJob, InterruptedIndexingJob } from '../../../src/indexing/indexingJobs';
import { indexJobs } from '../../../src/indexing/indexJobs';
import type { JobFile } from '../../../src/indexing/indexKind';
import { discardJob, interruptedJobs } from '../../../src/jobs/openJob';
import type { JobProgress } from '../../../src/jobs/progress';
import type { FaultRule } from '../../../src/sandbox/faults/faults';
import { tellFigures } from '../../support/figures';
import { itemsOf, jobFor, planFolder, resumedJob, type Setup, setUp } from '../../support/indexingJobs';
import { corrupt, makePictures } from '../../support/pictures';
import { type ChildSandbox, sandboxInChild } from '../../support/sandbox';
import { useBundled } from '../../support/store/childProcess';

/** `npm run faults` asks for the full size; in CI a small job shows the same. */
const FULL = process.env.MODEL_BENCH_FAULTS === 'full';
const IMAGES = FULL ? 1_000 : 120;
const KILLS = FULL ? 20 : 3;
const UNCHANGED = FULL ? 10_000 : 1_000;

describe('An indexing job', function () {
  this.timeout(FULL ? 900_000 : 90_000);

  let sandbox: ChildSandbox;
  let folder: string;
  let pictures: string;
  let setups: Setup[];
  let scopes = 0;
  const program = useBundled('../indexingWorker.ts');

  before(async () => {
    sandbox = await sandboxInChild();
    pictures = await fs.mkdtemp(join(tmpdir(), 'pictures-'));
    await makePictures(pictures, IMAGES);
  });
  after(async () => {
    await sandbox.stop();
    await fs.rm(pictures, { recursive: true });
  });
  beforeEach(async () => {
    folder = await fs.mkdtemp(join(tmpdir(), 'indexing-'));
    setups = [];
    await sandbox.change({ faults: [], latencyMs: 0, rateLimit: null, wallet: '1000' });
  });
  afterEach(async () => {
    for (const setup of setups) {
      await setup.close();
    }
    await fs.rm(folder, { recursive: true });
  });

  async function open(options: { batchSize?: number; scope?: string } = {}): Promise<Setup> {
    const setup = await setUp(
      sandbox,
      join(folder, 'storage'),
      options.scope ?? `scope-${++scopes}`,
      options,
    );
    setups.push(setup);
    return setup;
  }

  /** How often the sandbox indexed each id of the scope. */
  async function indexedIn(scope: string): Promise<Map<string, number>> {
    const { indexed } = await sandbox.ledger();
    const ours = Object.entries(indexed).filter(([key]) => key.split(' ')[1] === scope);
    return new Map(ours.map(([key, times]) => [key.split(' ').slice(2).join(' '), times]));
  }

  /** What reached the sandbox, our own looks at its ledger aside. */
  async function requests(): Promise<Record<string, number>> {
    const all = (await sandbox.ledger()).requests;
    return Object.fromEntries(Object.entries(all).filter(([route]) => !route.startsWith('inspect')));
  }

  const faults = (...rules: FaultRule[]) => sandbox.change({ faults: rules, seed: 7 });

  async function finish(setup: Setup): Promise<JobProgress> {
    const job = await jobFor(setup, pictures);
    job.start();
    await job.done;
    return job.progress;
  }

  function tell(what: string, times: Map<string, number>, lost: number, note?: string): void {
    const doubled = [...times.values()].filter((often) => often > 1).length;
    tellFigures({ case: what, tried: IMAGES, lost, doubled, leaked: 0, ...(note !== undefined && { note }) });
  }

  function assertOnce(times: Map<string, number>, count: number): void {
    assert.equal(times.size, count);
    assert.deepEqual(
      [...times].filter(([, often]) => often !== 1),
      [],
    );
  }

  it('indexes every file exactly once, and says what it spent', async () => {
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
    const file = join(pictures, 'set-0/picture-7.png');
    const bytes = await fs.readFile(file);
    // A new time with the same content is told by its hash; other content is a change.
    await fs.utimes(join(pictures, 'set-0/picture-8.png'), new Date(), new Date());
    await fs.copyFile(join(pictures, 'set-0/picture-9.png'), file);
    try {
      const plan = await planFolder(setup, pictures);
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
    const many = join(folder, 'many');
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

  it('fails exactly the corrupt files, each with its reason, and none of their neighbours', async () => {
    const setup = await open();
    const spoiled = join(folder, 'spoiled');
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

  it('finishes through 429s, and sends nothing before the pause ends', async () => {
    // The bytes go to an origin of their own: a pause of either holds for both.
    await faults(
      { route: 'upload-bytes', nth: 20, action: '429', retryAfterSeconds: 1 },
      { route: 'runs', nth: 4, action: '429', retryAfterSeconds: 1 },
      { route: '*', every: 100, action: '429', retryAfterSeconds: 1, times: 3 },
    );
    const setup = await open();
    const progress = await finish(setup);
    assert.equal(progress.done, IMAGES);
    assertOnce(await indexedIn(setup.scope), IMAGES);
    const { timeline } = await sandbox.ledger();
    const limited = timeline.filter(({ status }) => status === 429);
    tell('429s', await indexedIn(setup.scope), IMAGES - progress.done, `${limited.length} responses of 429`);
    assert.ok(['upload-bytes', 'runs'].every((route) => limited.some((one) => one.route === route)));
    for (const refused of limited) {
      // What was on its way when the 429 came could not be called back; 400 ms is ample for that, also on a busy machine.
      const early = timeline.filter(({ at }) => at > refused.at + 400 && at < refused.at + 990);
      assert.deepEqual(early, []);
    }
  });

  it('finishes through resets and 500s: what may have been executed is unknown, the rest indexed once', async () => {
    await faults(
      { route: 'upload-init', every: 23, action: 'status:500' },
      { route: 'upload-bytes', every: 31, action: 'reset-before' },
      { route: 'runs', mode: 'index', nth: 3, action: 'reset-after-execute' },
      { route: 'runs', mode: 'index', nth: 5, action: 'status:500' },
    );
    const setup = await open();
    const progress = await finish(setup);
    assert.equal(progress.done + progress.unknown, IMAGES);
    assert.equal(progress.unknown, 32);
    const once = await indexedIn(setup.scope);
    tell(
      'resets and 500s',
      once,
      IMAGES - progress.unknown - (once.size - 16),
      `${progress.unknown} unknown`,
    );
    assertOnce(await indexedIn(setup.scope), IMAGES - 16);
    // The user's choice: those of the 500 were not indexed, those of the reset were.
    assert.equal((await planFolder(setup, pictures)).unknown.length, 32);
  });

  it('uploads once more when the service has let go of a reference that was used again', async () => {
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
    const job = await jobFor({ ...setup, ports }, pictures);
    job.start();
    await job.done;
    assert.deepEqual([job.progress.done, job.progress.failed], [IMAGES, 0]);
    assert.deepEqual(forgotten.length, new Set(forgotten).size);
    assertOnce(await indexedIn(setup.scope), IMAGES);
  });

  it('stops at once when the wallet is empty, and resumes where it stopped', async () => {
    await sandbox.change({ wallet: '0.02' });
    const setup = await open();
    const job = await jobFor(setup, pictures);
    job.start();
    await until(() => job.progress.state === 'paused', job);
    assert.match(job.progress.reason ?? '', /wallet/i);
    assert.ok(job.progress.done <= 40);
    await sandbox.change({ wallet: '1000' });
    setup.guard.approve(sandbox.baseUrl);
    job.resume();
    await job.done;
    assert.equal(job.progress.done, IMAGES);
    assertOnce(await indexedIn(setup.scope), IMAGES);
  });

  for (const status of [401, 403] as const)
    it(`stops at once at a ${status}, says why, and resumes when that is mended`, async () => {
      await faults({ route: 'runs', mode: 'index', nth: [3, 4, 5, 6, 7, 8], action: `status:${status}` });
      const setup = await open();
      const job = await jobFor(setup, pictures);
      const before = await requests();
      job.start();
      const stopped = await new Promise<JobProgress>((resolve) => {
        job.onDidChange(() => job.progress.state === 'paused' && resolve(job.progress));
      });
      const sent = (await requests()).runs! - (before.runs ?? 0);
      assert.ok(sent <= 2 + 8, `${sent} runs were sent, at most eight of them at once`);
      assert.match(stopped.reason ?? '', /API key/);
      assert.equal(stopped.failed + stopped.unknown, 0);
      assert.equal((await requests()).runs! - (before.runs ?? 0), sent);
      await faults();
      job.resume();
      await job.done;
      assert.equal(job.progress.done, IMAGES);
      assertOnce(await indexedIn(setup.scope), IMAGES);
    });

  it('pauses, sends nothing while it is paused, and goes on', async () => {
    const setup = await open();
    await sandbox.change({ latencyMs: 10 });
    const job = await jobFor(setup, pictures);
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

  it('never sends a run again that ended in something nobody foresaw', async () => {
    const setup = await open();
    let runs = 0;
    const { run } = setup.ports;
    const ports = {
      ...setup.ports,
      async run(...args: Parameters<typeof run>) {
        const response = await run(...args);
        if (++runs === 2) throw new Error('Channel has been closed');
        return response;
      },
    };
    const job = await jobFor({ ...setup, ports }, pictures);
    job.start();
    await job.done;
    assert.deepEqual([job.progress.unknown, job.progress.done], [16, IMAGES - 16]);
    assertOnce(await indexedIn(setup.scope), IMAGES);
  });

  it('stays paused and sends nothing when it is paused while the service asks to wait', async () => {
    await faults({ route: 'runs', nth: 2, action: '429', retryAfterSeconds: 2 });
    const setup = await open();
    const job = await jobFor(setup, pictures);
    job.start();
    await until(() => job.progress.waiting !== undefined, job);
    const waitingUntilMs = job.progress.waiting?.untilMs ?? 0;
    job.pause();
    await until(() => job.progress.state === 'paused', job);
    assert.ok(Date.now() < waitingUntilMs, 'it does not wait for the pause of the service to end');
    const before = await indexedIn(setup.scope);
    // What else waits for the pause of the service goes on after it, and comes to its end.
    await finish({ ...setup, scope: `scope-${++scopes}` });
    assert.ok(Date.now() >= waitingUntilMs, 'the pause is over');
    assert.deepEqual(await indexedIn(setup.scope), before);
    job.resume();
    await job.done;
    assertOnce(await indexedIn(setup.scope), IMAGES);
  });

  /** A job of the pictures that has come some way and has some left. */
  async function underWay(): Promise<{ setup: Setup; job: IndexingJob }> {
    const setup = await open();
    await sandbox.change({ latencyMs: 20 });
    const job = await jobFor(setup, pictures);
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

  it('is discarded without its service: what is known of it is kept, and it is offered no more', async () => {
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
      const { 'inspect-counters': _ours, ...theirs } = (await sandbox.ledger()).requests;
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

  it(`survives ${KILLS} kills at random points: nothing lost, nothing twice, unknown only what was in flight`, async () => {
    const scope = `killed-${++scopes}`;
    await sandbox.change({ latencyMs: 5 });
    const worker = () =>
      spawn(
        process.execPath,
        [program.file, sandbox.baseUrl, sandbox.apiKey, join(folder, 'storage'), scope, pictures, 'resume'],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
    const setup = await open({ scope });
    const inFlight = new Set<string>();
    for (let kill = 0; kill < KILLS; kill++) {
      const child = worker();
      await once(createInterface({ input: child.stdout }), 'line');
      await new Promise((resolve) => setTimeout(resolve, Math.random() * (FULL ? 3_000 : 900)));
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

  it('indexes a folder once when two windows are told to at the same time', async () => {
    const scope = `shared-${++scopes}`;
    const args = [program.file, sandbox.baseUrl, sandbox.apiKey, join(folder, 'storage'), scope, pictures];
    const windows = await Promise.all([1, 2].map(() => windowOver(args)));
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

/** The job, once nobody works on it. */
async function untilInterrupted(setup: Setup) {
  for (;;) {
    const job = await resumedJob(setup);
    if (job) return job;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function until(
  condition: () => boolean,
  job: { onDidChange(listener: () => void): () => void },
): Promise<void> {
  if (condition()) return;
  await new Promise<void>((resolve) => {
    const stop = job.onDidChange(() => {
      if (!condition()) return;
      stop();
      resolve();
    });
  });
}
