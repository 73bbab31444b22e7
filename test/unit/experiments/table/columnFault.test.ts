import assert from 'node:assert/strict';
import fc from 'fast-check';
import { confusionOf } from '../../../../src/experiments/charts/figures';
import { summarise } from '../../../../src/experiments/figures/summary';
import { METRICS, type Metric, type MetricName } from '../../../../src/experiments/metrics/metrics';
import { mean } from '../../../../src/experiments/metrics/statistics';
import { runTable } from '../../../../src/experiments/report/runTable';
import { rowOrder } from '../../../../src/experiments/table/rowOrder';
import { tableCell } from '../../../../src/experiments/table/tableCell';
import { rowOf, tableOf } from '../../../support/experiments/table';

const names = Object.keys(METRICS) as MetricName[];
const accuracy = [{ name: 'accuracy', tolerance: 0 }] as const;

describe('A column that no metric can measure, since its results lack the compared part', () => {
  const table = tableOf({
    items: [rowOf('a', 'cat'), rowOf('bb', 'dog'), rowOf('ccc', 'cat')],
    at: '/label',
    line: ({ variation, item }) => {
      if (item === 2) return { state: 'failed', reason: 'down' };
      return { result: variation === 0 ? { name: 'cat' } : { label: 'cat' } };
    },
  });

  it('shows no verdict in its cells, as its head shows no figure', async () => {
    const { columns } = await summarise(table, accuracy);
    assert.equal(columns[0]!.metrics[0]!.fault?.kind, 'missing');
    const verdicts = [0, 1].map((column) =>
      [0, 1, 2].map((row) => tableCell(table, row, column, accuracy).isRight),
    );
    assert.deepEqual(verdicts, [
      [undefined, undefined, undefined],
      [true, false, false],
    ]);
  });

  it('shows no wrong rows, no values in an export, and no label pairs', () => {
    const query = { text: '', show: 'wrong', fold: false } as const;
    assert.deepEqual(rowOrder(table, { ...query, columns: [0] }, accuracy).rows, []);
    assert.deepEqual(rowOrder(table, { ...query, columns: [1] }, accuracy).rows, [1, 2]);
    const { header, rows } = runTable(table, [0, 1, 2], accuracy);
    const [model, value] = ['/model', 'accuracy'].map((name) => header.indexOf(name)) as [number, number];
    assert.deepEqual(
      rows.map((row) => [row[model], row[value]]),
      [
        ...[['a', undefined] as const, ['b', 1] as const],
        ['a', undefined],
        ['b', 0],
        ['a', undefined],
        ['b', 0],
      ],
    );
    assert.deepEqual([confusionOf(table, 0).total, confusionOf(table, 1).total > 0], [0, true]);
  });
});

describe('The cells and the head of a column', () => {
  it('agree by every metric and for any results', async () => {
    const value = fc.constantFrom<unknown>(
      'cat',
      'dog',
      1,
      true,
      null,
      [],
      ['cat'],
      { name: 'cat' },
      undefined,
    );
    const expected = fc.constantFrom('cat', 'dog', '1', '', '["cat"]', '{"name":"cat"}');
    const outcome = fc.oneof(
      value.map((label) => ({ result: label === undefined ? {} : { label } })),
      fc.constant({ state: 'failed' as const }),
      fc.constant(undefined),
    );
    const row = fc.record({ expected, outcomes: fc.array(outcome, { minLength: 2, maxLength: 2 }) });
    const rows = fc.array(row, { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom(...names), fc.boolean(), async (all, name, failedIsWrong) => {
        const metric: Metric = { name, tolerance: 0 };
        const table = tableOf({
          items: all.map((one, at) => rowOf('x'.repeat(at + 1), one.expected)),
          at: '/label',
          comparing: { failedIsWrong },
          line: ({ variation, item }) => all[item]!.outcomes[variation],
        });
        const { columns } = await summarise(table, [metric]);
        const order = all.map((_, at) => at);
        const { header, rows: records } = runTable(table, order, [metric]);
        const [model, at] = ['/model', name].map((one) => header.indexOf(one)) as [number, number];
        for (const [column, { metrics }] of columns.entries()) {
          const own = records.filter((record) => record[model] === 'ab'[column]);
          const values = own.flatMap((record) => record[at] ?? []) as number[];
          const { measured, fault } = metrics[0]!;
          const verdicts: (boolean | undefined)[] = order.map(
            (one) => tableCell(table, one, column, [metric]).isRight,
          );
          assert.equal(measured?.count ?? 0, values.length);
          if (fault) assert.deepEqual(new Set(verdicts), new Set([undefined]));
          if (measured && name !== 'macro_f1') assert.ok(Math.abs(measured.value - mean(values)) < 1e-12);
        }
      }),
    );
  });
});
