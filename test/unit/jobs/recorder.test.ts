import assert from 'node:assert/strict';
import { JobRecorder } from '../../../src/jobs/jobRecorder';
import type { JobWork } from '../../../src/jobs/jobWork';
import { Meter } from '../../../src/jobs/progress';
import type { JobHead, JobItem } from '../../../src/store/jobKind';
import type { Jobs } from '../../../src/store/jobs';
import { Unsaved } from '../../../src/store/unsaved';

type Item = JobItem<{ readonly name?: string }>;

/** A recorder over a store that remembers its calls, and returns the work of another job. */
function recording({ isDone = false, renamed = {} as object | undefined } = {}) {
  const told: unknown[] = [];
  const settled: number[] = [];
  const tell =
    (what: string) =>
    async (_head: JobHead, ...of: unknown[]) =>
      void told.push([what, ...of]);
  const jobs = {
    outcomes: { isDone: () => isDone, renamed: () => renamed },
    prepared: tell('prepared'),
    left: tell('left'),
    answered: tell('answered'),
    isInFlight: (_head: JobHead, run: number) => (run === 7 ? true : assert.fail('the store is closed')),
    sent: async (_head: JobHead, places: readonly number[]) => {
      told.push(['sent', places]);
      return 7;
    },
  } as unknown as Jobs<JobHead, object>;
  const meter = new Meter();
  const work: Pick<JobWork<object>, 'settled'> = {
    settled: (items) => void settled.push(...items.map(({ index }) => index)),
  };
  return {
    recorder: new JobRecorder(
      { ...jobs } as never,
      { id: 'j', at: 1 },
      work,
      meter,
      new Unsaved(() => undefined),
    ),
    told,
    settled,
    meter,
  };
}

const itemsOf = (count: number): Item[] =>
  Array.from({ length: count }, (_, index) => ({ index, state: 'inFlight' }));

describe('The recorder of a job', () => {
  it('records preparations, under another name when the own one is now another item’s', async () => {
    const { recorder, told } = recording({ renamed: { name: 'b' } });
    const item: Item = { index: 3, state: 'planned', name: 'a' };
    assert.equal(await recorder.prepared(item, { fields: { size: 5 } as object }), true);
    assert.deepEqual(item, { index: 3, state: 'planned', name: 'b', size: 5 });
    assert.deepEqual(told, [['prepared', item]]);
  });

  it('skips an item that another job has already done', async () => {
    const { recorder, told, settled } = recording({ isDone: true, renamed: undefined });
    const item: Item = { index: 3, state: 'planned' };
    assert.equal(await recorder.prepared(item, { fields: {} }), false);
    assert.deepEqual([item.state, told, settled], ['skipped', [['left', [3], 'skipped']], []]);
  });

  it('records the items that leave, and those returned', async () => {
    const { recorder, told } = recording();
    assert.equal(await recorder.sent(itemsOf(2), 1), 7);
    assert.deepEqual([recorder.mayLeave(7), recorder.mayLeave(8)], [true, false], 'unless the store says so');
    await recorder.returned(7);
    assert.deepEqual(told, [
      ['sent', [0, 1]],
      ['answered', 7, { outcome: 'returned' }],
    ]);
  });

  it('records an item that failed alone, with its reason and time', async () => {
    const { recorder, told, settled } = recording();
    const [item] = itemsOf(1);
    const before = Date.now();
    await recorder.failedAlone(item!, 'gone');
    assert.deepEqual(told, [['left', [0], 'failed', 'gone']]);
    const { state, reason, at } = item!;
    assert.deepEqual([state, reason, settled], ['failed', 'gone', [0]]);
    assert.ok(at && at >= before && at <= Date.now());
  });

  it('records each outcome in a response: done, failed or unknown, and the cost of the run', async () => {
    const { recorder, told, settled, meter } = recording();
    const batch = itemsOf(3);
    const cost = { amount: '0.5', currency: 'USD' };
    await recorder.settled(7, batch, 1, {
      ...{ outcome: 'done', runId: 'r', cost },
      failed: new Map([[batch[1]!, 'too dark']]),
      unconfirmed: new Map([[batch[2]!, 'not said']]),
      payload: 'the rest' as never,
    });
    assert.deepEqual(told, [
      [
        'answered',
        7,
        {
          ...{ outcome: 'done', runId: 'r', cost },
          failed: [{ item: 1, reason: 'too dark' }],
          unknown: [{ item: 2, reason: 'not said' }],
        },
        'the rest',
        { items: batch, sentAt: 1 },
      ],
    ]);
    const outcomes = batch.map(({ state, reason }) => `${state} ${reason}`);
    assert.deepEqual(outcomes, ['done undefined', 'failed too dark', 'unknown not said']);
    assert.ok(batch.every(({ at }) => at !== undefined));
    assert.deepEqual([settled, meter.spent, meter.unpricedRuns], [[0, 1, 2], [cost], 0]);
  });

  it('records one reason for all items without a response', async () => {
    const { recorder, told } = recording();
    const batch = itemsOf(2);
    await recorder.settled(7, batch, 1, { outcome: 'unknown', reason: 'lost' });
    assert.deepEqual(told, [
      [
        'answered',
        7,
        { outcome: 'unknown', reason: 'lost', failed: [], unknown: [] },
        undefined,
        { items: batch, sentAt: 1 },
      ],
    ]);
    assert.ok(batch.every(({ state, reason }) => state === 'unknown' && reason === 'lost'));
  });

  it('counts a run without a cost as unpriced where it may have been charged', async () => {
    for (const [outcome, unpriced] of [
      ['done', 1],
      ['unknown', 1],
      ['failed', 0],
    ] as const) {
      const { recorder, meter } = recording();
      await recorder.settled(7, itemsOf(1), 1, { outcome });
      assert.deepEqual([meter.unpricedRuns, meter.spent], [unpriced, []], outcome);
    }
  });
});
