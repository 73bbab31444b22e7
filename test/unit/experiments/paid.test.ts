import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addAmounts } from '../../../src/domain/amounts';
import { summarise } from '../../../src/experiments/figures/summary';
import { resultLines } from '../../../src/experiments/report/runTable';
import { comparingOf } from '../../../src/experiments/results/measuredValue';
import type { ResultLine } from '../../../src/experiments/results/resultLine';
import { resultText } from '../../../src/experiments/results/results';
import { paidByColumn, paidInAll } from '../../../src/experiments/table/paid';
import { ExperimentTable, type TablePlan } from '../../../src/experiments/table/table';
import { mergeResults, readResults } from '../../support/atOnce';

/** Of one request: the second of `n` is n = 1. */
const lineOf = (
  id: string,
  n: number,
  cents: number | undefined,
  state: ResultLine['state'] = 'failed',
): ResultLine => ({
  custom_id: id,
  variation: {},
  item: 'row 2',
  repeat: 0,
  request_sha256: id,
  state,
  started_at: new Date(Date.UTC(2026, 10, 25, 10, n)).toISOString(),
  run_id: `${id} ${n}`,
  ...(cents !== undefined && { cost: { amount: (cents / 100).toFixed(2), currency: 'USD' } }),
});

const tableOf = (plan: TablePlan, lines: readonly ResultLine[]) => {
  const { results, costs } = readResults(lines.map(resultText).join(''));
  return new ExperimentTable(
    plan,
    new Map(results.map((line) => [line.custom_id, line])),
    comparingOf(undefined),
    [],
    costs,
  );
};

const item = (name: string) => ({ name, values: {}, files: [] });
const one: TablePlan = {
  variations: [{}],
  items: [item('row 2')],
  runs: [{ customId: 'a', repeat: 0, serves: [{ variation: 0, item: 0 }] }],
};

const request = fc.record({
  id: fc.constantFrom('a', 'b', 'c'),
  n: fc.nat(5),
  cents: fc.option(fc.integer({ min: 1, max: 500 }), { nil: undefined }),
  state: fc.constantFrom<ResultLine['state'][]>('finished', 'failed', 'unconfirmed'),
});
const requests = fc.uniqueArray(request, { selector: ({ id, n }) => `${id} ${n}`, maxLength: 12 });

describe('The cost of an experiment', () => {
  it('adds up the requests, with any outcome and any merge of their files', () => {
    fc.assert(
      fc.property(requests, fc.array(fc.nat(11)), fc.array(fc.nat(11)), (sent, ours, theirs) => {
        const lines = sent.map(({ id, n, cents, state }) => resultText(lineOf(id, n, cents, state)));
        const of = (some: readonly number[]) => some.map((at) => lines[at] ?? '').join('');
        const merged = mergeResults([of(ours), lines.join(''), of(theirs)]);
        const expected = sent.reduce((sum, { cents = 0 }) => sum + cents, 0);
        for (const text of [merged, lines.toReversed().join(''), mergeResults([merged, of(theirs)])]) {
          const paid = [...readResults(text).costs.values()].flat();
          const sum = paid.reduce((total, { amount }) => addAmounts(total, amount), '0');
          assert.equal(Math.round(Number(sum) * 100), expected);
        }
      }),
    );
  });

  it('stays the same in exported lines, for any rows', () => {
    const plan: TablePlan = {
      variations: [{}],
      items: ['a', 'b', 'c'].map(item),
      runs: ['a', 'b', 'c'].map((customId, row) => ({
        ...{ customId, repeat: 0, serves: [{ variation: 0, item: row }] },
      })),
    };
    fc.assert(
      fc.property(requests, fc.subarray([0, 1, 2]), (sent, order) => {
        const lines = sent.map(({ id, n, cents, state }) => lineOf(id, n, cents, state));
        const text = lines.map(resultText).join('');
        const exported = resultLines(tableOf(plan, lines), order, readResults(text).earlier);
        const costs = exported
          .split('\n')
          .filter(Boolean)
          .map((line) => Number((JSON.parse(line) as ResultLine).cost?.amount ?? 0));
        const ids = order.map((row) => 'abc'[row]);
        const paid = sent.filter(({ id }) => ids.includes(id));
        const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
        assert.equal(Math.round(100 * sum(costs)), sum(paid.map(({ cents = 0 }) => cents)));
        const of = (read: string) => {
          const { results, costs: by } = readResults(read);
          return new Map(results.map((line) => [line.custom_id, [line, by.get(line.custom_id)?.length]]));
        };
        if (order.length === 3) assert.deepEqual(of(exported), of(text));
      }),
    );
  });

  it('counts a retry beside the run that failed before it', async () => {
    const table = tableOf(one, [lineOf('a', 0, 10), lineOf('a', 1, 10, 'finished')]);
    const { columns } = await summarise(table, []);
    assert.deepEqual([columns[0]?.finished, columns[0]?.cost], [1, [{ amount: '0.2', currency: 'USD' }]]);
    const none = await summarise(tableOf(one, []), []);
    assert.deepEqual([columns[0]?.missing, none.columns[0]?.missing], [0, 1]);
  });

  it('counts a line once that was written again with the cost of a later receipt', () => {
    // The same request by its time alone.
    const { run_id: _, ...before } = lineOf('a', 0, undefined, 'finished');
    for (const cents of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const after = lineOf('a', 0, cents, 'finished');
      const { cost } = after;
      // The same by the service's ID of it alone.
      const later = { ...lineOf('a', 1, cents, 'finished'), run_id: 'a 0' };
      for (const lines of [
        [after, later],
        [before, after],
        [after, before],
        [after, before, after],
      ]) {
        const table = tableOf(one, lines);
        assert.deepEqual(paidInAll(table), [cost]);
        assert.equal(table.results.get('a')?.cost?.amount, cost?.amount);
      }
    }
  });

  it('counts a run once that serves several rows, and names those that serve several columns', () => {
    const plan: TablePlan = {
      variations: [{ '/model': 'a' }, { '/model': 'b' }],
      items: [item('row 2'), item('row 3')],
      runs: [
        { customId: 'a', repeat: 0, serves: [0, 1].map((at) => ({ variation: 0, item: at })) },
        { customId: 'b', repeat: 0, serves: [0, 1].map((at) => ({ variation: at, item: 0 })) },
      ],
    };
    const table = tableOf(plan, [lineOf('a', 0, 5, 'finished'), lineOf('b', 0, 3, 'finished')]);
    const [one, other] = paidByColumn(table).map(({ cost, ...more }) => ({ ...more, cost: cost[0]?.amount }));
    assert.deepEqual([one!.cost, one!.shared, one!.unpriced], ['0.08', 1, 0]);
    assert.deepEqual([other!.cost, other!.shared, other!.unpriced], ['0.03', 1, 0]);
    assert.equal(paidInAll(table)[0]?.amount, '0.08');
  });

  it('misses the cost of a run that may have been charged, and not of one that the service rejected', () => {
    const runs = ['finished', 'unconfirmed', 'failed', 'executed', 'nameless', 'paid'].map(
      (customId, at) => ({ ...{ customId, repeat: at }, serves: [{ variation: 0, item: 0 }] }),
    );
    const { run_id: _, ...rejected } = lineOf('failed', 0, undefined);
    const table = tableOf({ ...one, runs }, [
      lineOf('finished', 0, undefined, 'finished'),
      lineOf('unconfirmed', 0, undefined, 'unconfirmed'),
      rejected,
      lineOf('executed', 0, undefined),
      // A response without the ID of its run: "failed", after three milliseconds.
      { ...rejected, custom_id: 'nameless', duration_ms: 3 },
      lineOf('paid', 0, 1),
    ]);
    assert.equal(paidByColumn(table)[0]?.unpriced, 4);
  });

  it('names currencies in the same order in all columns, each sum exact', () => {
    const charge = fc.record({
      variation: fc.nat(2),
      cents: fc.integer({ min: 1, max: 900 }),
      currency: fc.constantFrom('USD', 'EUR', undefined),
    });
    fc.assert(
      fc.property(fc.array(charge, { maxLength: 20 }), (charges) => {
        const runs = charges.map(({ variation }, at) => ({
          ...{ customId: `${at}`, repeat: at, serves: [{ variation, item: 0 }] },
        }));
        const lines = charges.map(({ cents, currency }, at) => ({
          ...lineOf(`${at}`, at, undefined, 'finished'),
          cost: { amount: (cents / 100).toFixed(2), ...(currency && { currency }) },
        }));
        const columns = paidByColumn(tableOf({ ...one, variations: [{}, {}, {}], runs }, lines));
        const all = [...new Set(charges.map(({ currency }) => currency))];
        for (const [column, { cost }] of columns.entries()) {
          const own = charges.filter(({ variation }) => variation === column);
          assert.deepEqual(
            cost.map(({ amount, currency }) => [currency, Math.round(Number(amount) * 100)]),
            all.flatMap((currency) => {
              const ofCurrency = own.filter((one) => one.currency === currency);
              if (ofCurrency.length === 0) return [];
              return [[currency, ofCurrency.reduce((sum, { cents }) => sum + cents, 0)]];
            }),
          );
        }
      }),
    );
  });

  it('counts results of deleted inputs in their column, and those of other grids in the total', () => {
    const plan: TablePlan = {
      ...one,
      items: [item('row 2'), { ...item('row 3'), isGone: true }],
      gone: [{ customId: 'gone', repeat: 0, serves: [{ variation: 0, item: 1 }] }],
    };
    const lines = ['a', 'gone', 'other'].map((id) => lineOf(id, 0, 1, 'finished'));
    const table = tableOf(plan, lines);
    assert.equal(paidByColumn(table)[0]?.cost[0]?.amount, '0.02');
    assert.equal(paidInAll(table)[0]?.amount, '0.03');
  });
});
