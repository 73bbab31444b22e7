import assert from 'node:assert/strict';
import type { JobProgress } from '../../../src/jobs/progress';
import { IMAGES, until, useIndexedPictures } from '../../support/indexedPictures';
import { jobFor, planFolder } from '../../support/indexingJobs';

/** Uploads and runs of a job, each as many as its concurrency. */
const MOST_IN_FLIGHT = 16;

describe('An indexing job through faults of the service', () => {
  const here = useIndexedPictures();
  const { open, indexedIn, requests, faults, finish, tell, assertOnce } = here;

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
    const { timeline } = await here.sandbox.ledger();
    const limited = timeline.filter(({ status }) => status === 429);
    tell('429s', await indexedIn(setup.scope), IMAGES - progress.done, `${limited.length} responses of 429`);
    assert.ok(['upload-bytes', 'runs'].every((route) => limited.some((one) => one.route === route)));
    for (const refused of limited) {
      // Requests in flight at the time of the 429 could not be called back; without a pause there are hundreds more.
      const early = timeline.filter(({ at }) => at > refused.at && at < refused.at + 990);
      assert.ok(early.length <= MOST_IN_FLIGHT, JSON.stringify(early));
    }
  });

  it('finishes through resets and 500s: possibly executed items are unknown, the rest is indexed once', async () => {
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
    assert.equal((await planFolder(setup, here.pictures)).unknown.length, 32);
  });

  it('stops at once when the wallet is empty, and resumes where it stopped', async () => {
    await here.sandbox.change({ wallet: '0.02' });
    const setup = await open();
    const job = await jobFor(setup, here.pictures);
    job.start();
    await until(() => job.progress.state === 'paused', job);
    assert.match(job.progress.reason ?? '', /wallet/i);
    assert.ok(job.progress.done <= 40);
    await here.sandbox.change({ wallet: '1000' });
    setup.guard.approve(here.sandbox.baseUrl);
    job.resume();
    await job.done;
    assert.equal(job.progress.done, IMAGES);
    assertOnce(await indexedIn(setup.scope), IMAGES);
  });

  for (const status of [401, 403] as const)
    it(`stops at once at a ${status}, says why, and resumes when the cause is fixed`, async () => {
      await faults({ route: 'runs', mode: 'index', nth: [3, 4, 5, 6, 7, 8], action: `status:${status}` });
      const setup = await open();
      const job = await jobFor(setup, here.pictures);
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

  it('stays paused and sends nothing when it is paused while the service asks to wait', async () => {
    await faults({ route: 'runs', nth: 2, action: '429', retryAfterSeconds: 2 });
    const setup = await open();
    const job = await jobFor(setup, here.pictures);
    job.start();
    await until(() => job.progress.waiting !== undefined, job);
    const waitingUntilMs = job.progress.waiting?.untilMs ?? 0;
    job.pause();
    await until(() => job.progress.state === 'paused', job);
    assert.ok(Date.now() < waitingUntilMs, 'it does not wait for the pause of the service to end');
    const before = await indexedIn(setup.scope);
    // Other requests that wait for the pause of the service continue after it, and end.
    await finish({ ...setup, scope: here.newScope('scope') });
    assert.ok(Date.now() >= waitingUntilMs, 'the pause is over');
    assert.deepEqual(await indexedIn(setup.scope), before);
    job.resume();
    await job.done;
    assertOnce(await indexedIn(setup.scope), IMAGES);
  });
});
