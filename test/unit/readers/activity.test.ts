import assert from 'node:assert/strict';
import { usageCell } from '../../../src/readers/billingValues';
import { readActivity } from '../../support/atOnce';

const entry = (record: object) => readActivity([record])?.entries[0];

describe('An entry of the activity', () => {
  it('returns every possible identifier of its run, the likelier first', () => {
    assert.deepEqual(
      entry({ id: 'i', run: { id: 'r', job_id: 'j' }, run_id: 'x' })?.ids,
      'x j r i'.split(' '),
    );
    assert.deepEqual(entry({ id: 'r', run_id: 'r' })?.ids, ['r']);
    assert.deepEqual(entry({ kind: 'top-up' })?.ids, []);
  });

  it('returns its amount in the currency around it, and takes no balance for it', () => {
    assert.deepEqual(entry({ cost: '1', fee: '2' })?.money, { amount: '1' });
    assert.deepEqual(entry({ amount_eur: '2' })?.money, { amount: '2', currency: 'EUR' });
    assert.deepEqual(entry({ run: { cost: '1' } })?.money, { amount: '1' });
    for (const name of ['balance', 'spending_limit', 'budget_amount', 'fee'])
      assert.equal(entry({ [name]: '5' })?.money, undefined, name);
    const read = readActivity({ currency: 'EUR', events: [{ cost: 1 }, 5], total: 9 });
    assert.deepEqual(read?.entries[0]?.money, { amount: '1', currency: 'EUR' });
    assert.deepEqual([read?.notUnderstood, read?.total, read?.goesOn], [1, 9, false]);
  });
});

describe('The entries of an activity', () => {
  it('appear in any envelope, with a time under the usual names', () => {
    const time = '2026-11-01T10:00:00Z';
    for (const body of [
      [{ timestamp: time, run_id: 'r' }],
      { activities: [{ date: time, runId: 'r' }] },
      { data: { ledger: [{ createdAt: time, run: { id: 'r' } }] } },
    ]) {
      const [read] = readActivity(body)?.entries ?? [];
      assert.deepEqual([read?.at, read?.ids[0]], [Date.parse(time), 'r'], JSON.stringify(body));
    }
    assert.equal(entry({ updated_at: time, created: '2026-11-02' })?.at, Date.UTC(2026, 10, 2));
    assert.equal(entry({ date: '2026/11/01' })?.at, Date.UTC(2026, 10, 1));
  });
});

describe('A value of a bill', () => {
  it('becomes money, a time, a number or text, by its name and its value', () => {
    const usd = { kind: 'money', money: { amount: '2', currency: 'USD' } };
    const two = { kind: 'number', amount: '2' };
    const cases: [object, object | undefined][] = [
      [{ spent: 2, currency: 'USD' }, usd],
      [{ charged_runs: 2, currency: 'USD' }, two],
      [{ cost_usd: '2' }, usd],
      [
        { any: { cents: 200 }, currency: 'USD' },
        { kind: 'money', money: { amount: '2.00', currency: 'USD' } },
      ],
      [{ any: { micros: 2 } }, { kind: 'money', money: { amount: '0.000002' } }],
      [
        { any: { units: '1', nanos: 500_000_000, currencyCode: 'USD' } },
        { kind: 'money', money: { amount: '1.5', currency: 'USD' } },
      ],
      [{ any: { runs: 2 } }, undefined],
      [{ any: [2] }, undefined],
      [{ any: null }, undefined],
      [{ any: ' ' }, undefined],
      [{ any: true }, { kind: 'text', text: 'true' }],
      [{ any: '2' }, two],
      [{ any: 'two' }, { kind: 'text', text: 'two' }],
      [{ cost: 'free' }, { kind: 'text', text: 'free' }],
      [{ any: '2030-06-01' }, { kind: 'text', text: '2030-06-01' }],
      [{ created_at: '2030-06-01' }, { kind: 'time', at: Date.UTC(2030, 5, 1), text: '2030-06-01' }],
      [{ date: 'June' }, { kind: 'text', text: 'June' }],
      [{ week: 2 }, two],
    ];
    for (const [record, cell] of cases)
      assert.deepEqual(usageCell(record as never, Object.keys(record)[0]!), cell, JSON.stringify(record));
  });
});
