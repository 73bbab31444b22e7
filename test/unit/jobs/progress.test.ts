import assert from 'node:assert/strict';
import { type JobProgress, jobProgress, Meter } from '../../../src/jobs/progress';
import {
  countsText,
  lineText,
  rateText,
  spentText,
  timeText,
  waitingText,
} from '../../../src/jobs/progressText';
import { itemStates } from '../../../src/store/jobKind';

const USD = (amount: string) => ({ amount, currency: 'USD' });

describe('The progress of a job', () => {
  const facts = { state: 'running', preparing: 0, runs: 0 } as const;

  it('counts its items by their states', () => {
    const items = itemStates.flatMap((state, n) =>
      Array.from({ length: n + 1 }, () => ({ index: 0, state })),
    );
    const progress = jobProgress(items, new Meter(), { ...facts, preparing: 5, runs: 9 });
    const { total, done, failed, unknown, skipped, remaining, inFlight, runs } = progress;
    assert.deepEqual([done, failed, unknown, skipped], [4, 5, 6, 7]);
    assert.deepEqual([total, remaining, inFlight, runs], [28, 1 + 2 + 3, 3 + 5, 9]);
  });

  it('leaves out unknown figures', () => {
    assert.deepEqual(Object.keys(jobProgress([], new Meter(), facts)).toSorted(), [
      ...['done', 'failed', 'inFlight', 'remaining', 'runs', 'skipped', 'spent', 'state', 'total', 'unknown'],
    ]);
    const meter = new Meter();
    meter.spendUnknown();
    meter.spendUnknown();
    const waiting = { untilMs: 5, reason: 'trouble' } as const;
    const stopped = { reason: 'empty', nextStep: 'retry', sparesAdmitted: true } as const;
    const { unpricedRuns, isHeldUp, reason, nextStep, ...more } = jobProgress([], meter, {
      ...facts,
      ...{ isHeldUp: true, stopped, waiting },
    });
    assert.deepEqual([unpricedRuns, isHeldUp, reason, nextStep], [2, true, 'empty', 'retry']);
    assert.deepEqual([more.waiting, 'sparesAdmitted' in more], [waiting, false]);
  });

  it('adds up the spending of all windows, by currency', () => {
    const meter = new Meter();
    meter.spend([USD('9')]);
    meter.startFrom([USD('0.1'), { amount: '1', currency: 'EUR' }, USD('0.2')], 3);
    meter.spend([USD('0.3')]);
    const sums = new Map(meter.spent.map(({ currency, amount }) => [currency, amount]));
    assert.deepEqual([sums.get('USD'), sums.get('EUR'), meter.unpricedRuns], ['0.6', '1', 3]);
  });

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

  it('shows its known rate, time and cost', () => {
    const progress = (more: Partial<JobProgress>) =>
      ({ ...counts, state: 'running', runs: 1, inFlight: 0, spent: [USD('0.5')], ...more }) as JobProgress;
    assert.deepEqual(rateText(progress({ rate: 4.56 }), 'en'), ['4.6/s']);
    assert.deepEqual(rateText(progress({ rate: 10.4 }), 'de'), ['10/s']);
    assert.deepEqual(rateText(progress({ rate: 1 / 60 }), 'en'), ['0.02/s'], 'slow, but not standing');
    for (const none of [progress({}), progress({ rate: 4, remaining: 0 })])
      assert.deepEqual(rateText(none, 'en'), []);
    assert.deepEqual(timeText(progress({ remainingMs: 17_000 }), 'en'), ['17 s remaining']);
    for (const none of [progress({}), progress({ remainingMs: 9, remaining: 0 })])
      assert.deepEqual(timeText(none, 'en'), []);
    assert.deepEqual(spentText(progress({ spent: [USD('0.5'), { amount: '2', currency: 'EUR' }] }), 'en'), [
      ...['$0.50 spent', '€2.00 spent'],
    ]);
    assert.deepEqual(spentText(progress({ unpricedRuns: 1 }), 'en'), ['at least $0.50 spent']);
    const line = lineText(
      progress({ rate: 2, remainingMs: 40_000, reason: 'Why.' }),
      'Paused',
      ['16 of 96'],
      'en',
    );
    assert.equal(line, 'Paused · 16 of 96, 2.0/s, 40 s remaining, $0.50 spent · Why.');
    assert.equal(lineText(progress({ spent: [] }), '', ['16 of 96'], 'en'), '16 of 96');
  });

  it('says until when it waits, and why', () => {
    const untilMs = Date.UTC(2030, 0, 1);
    const at = new Date(untilMs).toLocaleTimeString();
    assert.equal(
      waitingText({ untilMs, reason: 'rateLimit' }),
      `Waiting until ${at}: the service limits the rate`,
    );
    const trouble = waitingText({ untilMs, reason: 'trouble' });
    assert.equal(trouble, `Retrying at ${at}: the service is failing or cannot be reached`);
  });
});
