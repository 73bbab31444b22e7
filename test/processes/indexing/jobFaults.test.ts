import assert from 'node:assert/strict';
import { planFolder } from '../../support/indexingJobs';
import { IMAGES, useIndexedPictures } from './indexedPictures';

/** Uploads and runs of a job, each as many as its concurrency. */
const MOST_IN_FLIGHT = 16;

describe('An indexing job through faults of the service', () => {
  const here = useIndexedPictures();
  const { open, indexedIn, faults, finish, tell, assertOnce } = here;

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
});
