import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { JobInMemory, turns } from '../../support/jobInMemory';

describe('A job that begins', () => {
  let here: JobInMemory;
  beforeEach(() => {
    here = new JobInMemory();
  });

  it('takes its target, sends as much as may be in flight, and ends when all of it has an outcome', async () => {
    const job = here.job(3);
    assert.deepEqual(job.progress.spent, here.costs);
    assert.deepEqual(
      [job.progress.state, job.progress.runs, job.progress.isHeldUp],
      ['queued', 3, undefined],
    );
    job.start();
    await turns();
    assert.equal(job.progress.state, 'running');
    assert.deepEqual(
      here.runs.map(({ batch }) => batch),
      [[0], [1]],
    );
    await here.runs[0]!.respond();
    await here.runs[1]!.respond();
    assert.deepEqual(here.runs[2]!.batch, [2]);
    await here.runs[2]!.respond({ outcome: 'failed', reason: 'too dark' });
    await job.done;
    const { state, done, failed, runs } = job.progress;
    assert.deepEqual([state, done, failed, runs], ['ended', 2, 1, 6]);
    assert.deepEqual(here.written, [
      ...[
        'takeOver',
        'sent 0',
        'sent 1',
        'sent 2',
        'answered 4,done',
        'answered 5,done',
        'answered 6,failed',
      ],
      ...['end', 'release'],
    ]);
  });

  it('sends no more while responses wait for the disk', async () => {
    let isWritten = () => {};
    const disk = new Promise<void>((resolve) => (isWritten = resolve));
    here.whileWriting = () => disk;
    const job = here.job(10);
    job.start();
    await turns();
    for (let at = 0; at < here.runs.length; at++) await here.runs[at]!.respond();
    assert.equal(here.runs.length, 2);
    isWritten();
    await turns();
    for (let at = 2; at < here.runs.length; at++) await here.runs[at]!.respond();
    await job.done;
    assert.equal(job.progress.done, 10);
  });

  it('uses its plan when it is new, and the store’s state when it is not', async () => {
    for (const isNew of [true, false]) {
      here = new JobInMemory();
      here.rows = [
        { index: 0, state: 'done' },
        { index: 1, state: 'unknown', reason: 'no response' },
        { index: 2, state: 'ready' },
        { index: 9, state: 'planned' },
      ];
      const job = here.job(3, isNew);
      job.start();
      await turns();
      assert.deepEqual(
        here.runs.map(({ batch }) => batch[0]),
        isNew ? [0, 1] : [2],
      );
      assert.equal(job.items[1]!.reason, isNew ? undefined : 'no response');
      assert.deepEqual(job.progress.spent, here.costs);
    }
  });

  it('prepares ready items again that can no longer be sent', async () => {
    here.prepares().work.isReady = ({ index }) => index === 0;
    here.rows = [
      { index: 0, state: 'ready' },
      { index: 1, state: 'ready' },
      { index: 2, state: 'done' },
    ];
    here.job(3, false).start();
    await turns();
    assert.deepEqual([here.runs[0]?.batch, here.preparing.map(({ place }) => place)], [[0], [1]]);
  });

  it('leaves out items that another job has done since it was planned', async () => {
    here.rows = [
      { index: 0, state: 'planned' },
      { index: 1, state: 'ready' },
      { index: 2, state: 'failed' },
      { index: 3, state: 'planned' },
    ];
    for (const place of [0, 1, 2]) here.doneElsewhere.add(place);
    const job = here.job(4, false);
    job.start();
    await turns();
    assert.deepEqual(here.written, ['takeOver', 'left 0,1,skipped', 'sent 3']);
    assert.deepEqual([job.progress.skipped, job.progress.failed], [2, 1]);
  });

  it('waits while another works on its target, and says so once that is certain', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      here.isTaken = true;
      const job = here.job(1);
      let changes = 0;
      job.onDidChange(() => changes++);
      job.start();
      const look = async () => {
        await turns();
        mock.timers.tick(400);
        await turns();
      };
      for (let n = 0; n < 3; n++) await look();
      assert.deepEqual([job.progress.isHeldUp, changes], [undefined, 0]);
      await look();
      await look();
      assert.deepEqual([job.progress.isHeldUp, changes, job.progress.state], [true, 1, 'queued']);
      here.isTaken = false;
      await look();
      assert.deepEqual([job.progress.isHeldUp, job.progress.state], [undefined, 'running']);
    } finally {
      mock.timers.reset();
    }
  });
});
