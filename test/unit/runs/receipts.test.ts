import assert from 'node:assert/strict';
import type { RunRecord } from '../../../src/domain/runRecord';
import { findReceipts } from '../../../src/runs/receipts/findReceipts';
import { proposeReceipts } from '../../../src/runs/receipts/proposeReceipts';
import { readActivity } from '../../support/atOnce';

const baseUrl = 'http://127.0.0.1:1';
let count = 0;

function record(changes: Partial<RunRecord> & { model?: string; mode?: string } = {}): RunRecord {
  const { model = 'm', mode = 'execute', ...rest } = changes;
  count += 1;
  return {
    id: `local-${count}`,
    environment: 'test',
    baseUrl,
    modelName: model,
    draft: { model, mode, input: {}, params: {} },
    attachments: [],
    startedAt: count,
    sentAt: count,
    finishedAt: count + 100,
    state: 'finished',
    ...rest,
  };
}

const entries = (body: unknown) => readActivity(body)?.entries ?? [];

describe('Receipts', () => {
  it('fill in the cost of a run by its identifier only', () => {
    const runs = [record({ runId: 'run_1' }), record({ runId: 'run_2' }), record()];
    const found = findReceipts(
      entries([
        { id: 'act_1', run_id: 'run_1', amount: '0.02', currency: 'USD' },
        { id: 'act_9', run_id: 'run_9', amount: '5', currency: 'USD' },
        { id: 'act_10', amount: '5' },
      ]),
      runs,
      baseUrl,
    );
    assert.deepEqual(found, [{ ...runs[0], cost: { amount: '0.02', currency: 'USD' } }]);
  });

  it('write a debit as a cost', () => {
    const [found] = findReceipts(
      entries([{ run_id: 'r', amount: '-0.5' }]),
      [record({ runId: 'r' })],
      baseUrl,
    );
    assert.equal(found?.cost?.amount, '0.5');
  });

  it('exclude refunds, holds and top-ups', () => {
    for (const type of ['refund', 'credit', 'hold', 'top_up', 'reservation', 'authorization'])
      assert.deepEqual(
        findReceipts(entries([{ run_id: 'r', amount: '1', type }]), [record({ runId: 'r' })], baseUrl),
        [],
        type,
      );
  });

  it('match any identifier of an entry, even beside entries without a charge', () => {
    const runs = [record({ runId: 'r' }), record({ runId: 's' })];
    const found = findReceipts(
      [
        { ids: ['r'] },
        { ids: ['r'], money: { amount: 'free' } },
        { ids: ['r'], money: { amount: '9' }, kind: 'hold' },
        { ids: ['act_1', 'nobody', 'r'], money: { amount: '-0.2', currency: 'USD' }, kind: 'usage' },
        { ids: [], money: { amount: '1' } },
        { ids: ['s'] },
      ].map((entry) => ({ ...entry, raw: entry })),
      runs,
      baseUrl,
    );
    assert.deepEqual(found, [{ ...runs[0], cost: { amount: '0.2', currency: 'USD' } }]);
  });

  it('leave the cost of a run unknown that several entries charge', () => {
    const twice = [
      { id: 'a', run_id: 'r', amount: '1' },
      { id: 'b', run_id: 'r', amount: '1' },
    ];
    assert.deepEqual(findReceipts(entries(twice), [record({ runId: 'r' })], baseUrl), []);
  });

  it('do not replace a cost from the response, nor that of another service’s run', () => {
    const runs = [
      record({ runId: 'r', cost: { amount: '1' } }),
      record({ runId: 's', baseUrl: 'https://elsewhere.example' }),
    ];
    const body = [
      { run_id: 'r', amount: '2' },
      { run_id: 's', amount: '2' },
    ];
    assert.deepEqual(findReceipts(entries(body), runs, baseUrl), []);
  });
});

describe('A proposed charge', () => {
  const minute = 60_000;
  const sentAt = Date.UTC(2026, 10, 25, 19, 30);
  const lost = record({ model: 'slow-echo', state: 'unknown', sentAt, finishedAt: sentAt + minute });
  const charge = (changes: object = {}) => ({
    ...{ id: 'act_1', run_id: 'run_1', model: 'slow-echo', amount: '-0.01' },
    ...{ created_at: new Date(sentAt + 2 * minute).toISOString(), ...changes },
  });
  const proposed = (bodies: readonly object[], explained: readonly string[] = []) =>
    proposeReceipts(lost, entries(bodies), ({ ids }) => ids.some((id) => explained.includes(id))).map(
      ({ ids }) => ids[0],
    );
  const at = (ms: number) => ({ created_at: new Date(sentAt + ms).toISOString() });

  it('needs the model and the time of the run whose response was lost', () => {
    assert.deepEqual(proposed([charge()]), ['run_1']);
    assert.deepEqual(proposed([charge({ model: 'Slow-Echo' })]), ['run_1']);
    assert.deepEqual(proposed([charge({ model: 'echo' })]), []);
    assert.deepEqual(proposed([charge({ model: undefined })]), []);
    assert.deepEqual(proposed([charge({ created_at: undefined })]), []);
  });

  it('tolerates a clock that is behind, and a run that went on', () => {
    assert.deepEqual(proposed([charge(at(-4 * minute))]), ['run_1']);
    assert.deepEqual(proposed([charge(at(-6 * minute))]), []);
    assert.deepEqual(proposed([charge(at(50 * minute))]), ['run_1']);
    assert.deepEqual(proposed([charge(at(62 * minute))]), []);
  });

  it('excludes entries that another run explains, and entries that charge nothing', () => {
    assert.deepEqual(proposed([charge()], ['run_1']), []);
    assert.deepEqual(proposed([charge({ type: 'refund' })]), []);
    assert.deepEqual(proposed([charge({ amount: undefined })]), []);
  });

  it('begins with the nearest in time', () => {
    const bodies = [
      charge({ run_id: 'far', ...at(40 * minute) }),
      charge({ run_id: 'inside', ...at(30_000) }),
      charge({ run_id: 'near', ...at(3 * minute) }),
    ];
    assert.deepEqual(proposed(bodies), ['inside', 'near', 'far']);
  });
});
