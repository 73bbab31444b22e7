import assert from 'node:assert/strict';
import { jobProgress, Meter } from '../../../src/jobs/progress';
import { countsText } from '../../../src/jobs/progressText';

describe('The progress of a job', () => {
  const facts = { state: 'running', preparing: 0, runs: 0 } as const;

  it('shows the rate of the last fifteen seconds, after half a second', () => {
    const meter = new Meter();
    meter.restart();
    const start = Date.now();
    assert.equal(meter.rate(start + 5_000), undefined, 'nothing is done');
    meter.done(10, start + 100);
    assert.equal(meter.rate(start + 400), undefined);
    const near = (rate: number | undefined, wanted: number) =>
      assert.ok(rate !== undefined && Math.abs(rate - wanted) < wanted * 0.05, `${rate}`);
    near(meter.rate(start + 1_000), 10);
    near(meter.rate(start + 10_000), 1);
    meter.done(20, start + 14_000);
    near(meter.rate(start + 15_000), 2);
    meter.done(3, start + 30_000);
    near(meter.rate(start + 30_000), 3 / 15);
    meter.restart();
    assert.equal(meter.rate(Date.now() + 5_000), undefined, 'a pause is not counted');
  });

  it('shows the time left while it runs, but not while it waits for its user', () => {
    const meter = new Meter();
    meter.restart();
    meter.done(1_000_000);
    const items = [{ index: 0, state: 'planned' as const }];
    const { rate, remainingMs } = jobProgress(items, { ...meter, rate: () => 4 } as unknown as Meter, facts);
    assert.deepEqual([rate, remainingMs], [4, 250]);
    const paused = jobProgress(items, { ...meter, rate: () => 4 } as unknown as Meter, {
      ...facts,
      state: 'paused',
    });
    assert.deepEqual([paused.rate, paused.remainingMs], [undefined, undefined]);
  });
});

describe('A job in words', () => {
  const counts = { done: 16, total: 96, failed: 0, unknown: 0, skipped: 0, remaining: 80 };
  const skippedText = (count: number) => `${count} done elsewhere`;
  const words = (more: object) => countsText({ ...counts, ...more }, skippedText);

  it('lists the outcomes of its items, without zeros', () => {
    assert.deepEqual(words({}), ['16 of 96', '80 left']);
    assert.deepEqual(words({ failed: 1, unknown: 2, skipped: 3, remaining: 1 }), [
      ...['16 of 96', '1 failed', '2 unconfirmed', '3 done elsewhere', '1 left'],
    ]);
    assert.deepEqual(words({ done: 96, remaining: 0 }), ['96 of 96']);
    assert.deepEqual(words({ done: 0, remaining: 96 }), ['0 of 96'], 'all of them are left');
  });
});
