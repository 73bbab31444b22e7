import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { PastRun } from '../../../src/domain/runRecord';
import { highestCost } from '../../../src/runs/estimates/estimate';
import { estimateFrom, isPerRun, publishedCost } from '../../../src/runs/estimates/estimateFrom';

let clock = 0;
/** A run later than all before, that took `ms` and cost `amount`. */
function run(amount?: string, more: Partial<PastRun> & { ms?: number } = {}): PastRun {
  const { ms = 100, ...rest } = more;
  const startedAt = ++clock * 1_000;
  return {
    ...{ startedAt, sentAt: startedAt + 10, finishedAt: startedAt + 10 + ms, state: 'finished', items: 1 },
    ...(amount !== undefined && { cost: { amount, currency: 'USD' } }),
    ...rest,
  };
}

describe('The price that a model publishes', () => {
  const money = { amount: '0.25', currency: 'USD' };
  const published = (per: string | undefined, items?: number) =>
    publishedCost(per === undefined ? { money } : { money, per }, items)?.amount;

  it('applies to one run, in any wording', () => {
    for (const per of ['', 'run', 'per run', 'Per  Request', 'a call', 'one prediction', '1 query', 'runs']) {
      assert.equal(published(per, 7), '0.25', per);
      assert.ok(isPerRun({ money, per }), per);
    }
    assert.equal(published(undefined), '0.25');
    assert.ok(!isPerRun({ money }), 'nobody has said so');
  });

  it('multiplies by the items, when it is per item', () => {
    for (const per of ['image', 'per image', 'an item', 'files', '1 document']) {
      assert.equal(published(per, 3), '0.75', per);
      assert.equal(published(per), undefined, 'without their number');
      assert.ok(!isPerRun({ money, per }), per);
    }
  });

  it('stays unused for an unknown unit, or an invalid amount', () => {
    for (const per of ['1000 tokens', 'second', 'run of the mill', 'hyperrun', 'per image per second'])
      assert.equal(published(per, 3), undefined, per);
    assert.equal(publishedCost({ money: { amount: 'free' }, per: 'run' }, 1), undefined);
    assert.equal(publishedCost(undefined, 1), undefined);
  });
});

describe('The estimate from a model’s last runs', () => {
  it('equals the median of their costs and of their times', () => {
    const odd = estimateFrom([run('3', { ms: 30 }), run('1', { ms: 10 }), run('20', { ms: 500 })]);
    assert.deepEqual(odd, {
      runs: 3,
      costFrom: 3,
      medianCost: { amount: '3', currency: 'USD' },
      highestCost: { amount: '20', currency: 'USD' },
      medianMs: 30,
    });
    const even = estimateFrom([
      run('1', { ms: 10 }),
      run('2', { ms: 20 }),
      run('4', { ms: 50 }),
      run('9', { ms: 9 }),
    ]);
    assert.equal(even.medianMs, 15);
    assert.equal(even.medianCost?.amount, '3');
  });

  it('stays the same for any order', () => {
    const runs = fc.array(fc.record({ cents: fc.nat(1_000), ms: fc.nat(5_000) }), {
      minLength: 1,
      maxLength: 25,
    });
    fc.assert(
      fc.property(runs, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (some, random) => {
        const past = some.map(({ cents, ms }) => run(String(cents / 100), { ms }));
        const keys = new Map(past.map((one) => [one, random.next().value]));
        const shuffled = [...past].sort((a, b) => keys.get(a)! - keys.get(b)!);
        assert.deepEqual(estimateFrom(shuffled), estimateFrom(past));
        const times = past.slice(-20).map((one) => one.finishedAt! - one.sentAt!);
        const { medianMs = -1 } = estimateFrom(past);
        const below = times.filter((ms) => ms < medianMs).length;
        const above = times.filter((ms) => ms > medianMs).length;
        assert.ok(below <= times.length / 2 && above <= times.length / 2);
      }),
    );
  });

  it('looks at the last twenty, so that it follows a new price', () => {
    const old = Array.from({ length: 50 }, () => run('9', { ms: 900 }));
    const recent = Array.from({ length: 20 }, () => run('1', { ms: 100 }));
    const found = estimateFrom([...recent, ...old]);
    assert.deepEqual(found, {
      runs: 70,
      costFrom: 20,
      medianCost: { amount: '1', currency: 'USD' },
      medianMs: 100,
    });
  });

  it('counts no failed run, and no time of one that was only accepted', () => {
    const found = estimateFrom([
      run('1', { ms: 10 }),
      run('1', { ms: 4_000, state: 'accepted' }),
      run('50', { ms: 9_000, state: 'failed' }),
      run('50', { ms: 9_000, state: 'unknown' }),
    ]);
    assert.deepEqual(found, {
      runs: 2,
      costFrom: 2,
      medianCost: { amount: '1', currency: 'USD' },
      medianMs: 10,
    });
  });

  it('mixes no currencies: the newest counts', () => {
    const euros = (amount: string) => run(undefined, { cost: { amount, currency: 'EUR' } });
    const found = estimateFrom([run('100'), euros('1'), run('100'), euros('3'), euros('2')]);
    assert.deepEqual([found.costFrom, found.medianCost], [3, { amount: '2', currency: 'EUR' }]);
    const bare = estimateFrom([run('5'), run(undefined, { cost: { amount: '7' } })]);
    assert.deepEqual([bare.costFrom, bare.medianCost], [1, { amount: '7' }]);
  });

  it('names the highest cost of the last runs, or the published price where that is higher', () => {
    const usd = (amount: string) => ({ amount, currency: 'USD' });
    const past = estimateFrom([run('1'), run('5'), run('2')]);
    assert.deepEqual(highestCost(past), usd('5'));
    assert.deepEqual(highestCost({ ...past, published: usd('4.99') }), usd('5'));
    assert.deepEqual(highestCost({ ...past, published: usd('7') }), usd('7'));
    assert.deepEqual(highestCost({ ...past, published: { amount: '7', currency: 'EUR' } }), usd('5'));
    assert.deepEqual(highestCost({ ...estimateFrom([run('3')]), published: { amount: '2' } }), usd('3'));
    assert.deepEqual(highestCost({ ...estimateFrom([]), published: usd('2') }), usd('2'));
    assert.equal(highestCost(estimateFrom([])), undefined);
  });

  it('stays empty without known costs and times', () => {
    assert.deepEqual(estimateFrom([]), { runs: 0, costFrom: 0 });
    const unread = run(undefined, { cost: { amount: 'much' } });
    const notSent = { ...run(), sentAt: undefined } as unknown as PastRun;
    const notEnded = { ...run(), finishedAt: undefined } as unknown as PastRun;
    const backwards = { ...run(), finishedAt: 0 };
    assert.deepEqual(estimateFrom([unread, notSent, notEnded, backwards]), {
      runs: 4,
      costFrom: 0,
      medianMs: 100,
    });
    assert.deepEqual(estimateFrom([run('1', { ms: 0 })]).medianMs, 0);
  });

  it('prefers runs with as many items, and else scales in proportion', () => {
    const past = [run('10', { items: 10 }), run('4', { items: 4 }), run('4.4', { items: 4 })];
    assert.equal(estimateFrom(past, { items: 4 }).medianCost?.amount, '4.2');
    assert.equal(estimateFrom(past, { items: 4 }).costFrom, 2);
    assert.equal(estimateFrom([run('10', { items: 10 })], { items: 5 }).medianCost?.amount, '5');
    assert.equal(estimateFrom([run('10', { items: 10 })]).medianCost?.amount, '10');
    assert.equal(
      estimateFrom([run('3', { items: 0 })], { items: 2 }).medianCost?.amount,
      '6',
      'no items count as one',
    );
  });

  it('applies per run when that is published, or when runs of different sizes cost the same', () => {
    assert.equal(
      estimateFrom([run('10', { items: 10 })], { items: 5, perRun: true }).medianCost?.amount,
      '10',
    );
    const alike = [run('2', { items: 3 }), run('2', { items: 9 })];
    assert.equal(estimateFrom(alike, { items: 5 }).medianCost?.amount, '2');
    const ofOneSize = [run('2', { items: 4 }), run('2', { items: 4 })];
    assert.equal(estimateFrom(ofOneSize, { items: 2 }).medianCost?.amount, '1');
  });
});
