import assert from 'node:assert/strict';
import type { Json } from '../../../../src/domain/json';
import type { ColumnSummary } from '../../../../src/experiments/figures/summary';
import { checkAgainstEarlier } from '../../../../src/experiments/gate/earlier';
import { checkThresholds, failedCheckText, thresholdsIn } from '../../../../src/experiments/gate/thresholds';
import type { ColumnFigure } from '../../../../src/experiments/metrics/columns';
import type { Metric, MetricName } from '../../../../src/experiments/metrics/metrics';
import { tableWith } from '../../../../src/experiments/table/otherResults';
import { rowOf, tableOf } from '../../../support/experiments/table';

const metricsOf = (...names: MetricName[]): Metric[] => names.map((name) => ({ name, tolerance: 0 }));

describe('A threshold of a gate', () => {
  const counts = { items: 9, blank: 0, unreadable: 0 };
  const checksOf = (
    thresholds: Readonly<Record<string, string>>,
    figures: Readonly<Record<string, ColumnFigure>>,
    runs: Partial<ColumnSummary> = { finished: 9, failed: 0, unconfirmed: 0, missing: 0 },
  ) => {
    const summary = { metrics: Object.values(figures), ...runs } as Partial<ColumnSummary> as ColumnSummary;
    const metrics = metricsOf(...(Object.keys(figures) as MetricName[]));
    const of = { names: ['one'], placeOf: () => '/a', table: { plan: {} }, locale: 'en' };
    return checkThresholds(thresholdsIn(thresholds), { ...of, metrics, summary: { columns: [summary] } });
  };
  const figureOf = (value: number): ColumnFigure => ({
    measured: { value, interval: 'tooFew', count: 9, different: 9, failed: 0 },
    ...counts,
  });

  it('holds for values on its side, where the rounding of sums counts as equal', () => {
    for (const [threshold, passing, failing] of [
      ['>= 0.3', [0.3, 0.1 + 0.2, 0.3 - 1e-12, 0.31], [0.3 - 1e-8, 0.29, -0.3]],
      ['> 0.3', [0.31, 0.3 + 1e-8], [0.3, 0.1 + 0.2, 0.29]],
      ['<= 0.3', [0.29, 0.3, 0.1 + 0.2, -1], [0.3 + 1e-8, 0.31]],
      ['< 0.3', [0.29, 0.3 - 1e-8, -1], [0.3, 0.3 - 1e-12, 0.31]],
      ['>= 3000000', [3e6, 3e6 - 1e-4], [3e6 - 1]],
      ['<= 3000000', [3e6 + 1e-4], [3e6 + 1]],
      ['<= 0.000000000002', [1e-12, 2e-12], [2.1e-12]],
      ['< 0.000000000002', [1e-12], [2e-12, 2.1e-12]],
    ] as const) {
      // Shares have a scale; errors are of any size.
      const metric = threshold.includes('0.3') ? 'accuracy' : 'absolute_error';
      const passes = (value: number) =>
        checksOf({ [metric]: threshold }, { [metric]: figureOf(value) })[0]!.passed;
      assert.deepEqual(passing.filter(passes), passing, threshold);
      assert.deepEqual(failing.filter(passes), [], threshold);
    }
  });

  it('fails undecided when only a part of the rows has an outcome', () => {
    const part = { finished: 10, failed: 0, unconfirmed: 0, missing: 50 };
    const [check] = checksOf({ accuracy: '>= 0.95' }, { accuracy: figureOf(1) }, part);
    assert.equal(check!.passed, false);
    assert.equal(
      failedCheckText(check!),
      'one: accuracy >= 0.95. Not decided, since 10 of 60 runs have an outcome. accuracy 1.000, 9 rows (too few rows to tell how exact)',
    );
  });

  it('names its figure, column and limit, and fails without a figure', () => {
    const checks = checksOf(
      { edit_distance: '<= 2', accuracy: '>= 0', macro_f1: '> 0.5' },
      { accuracy: { ...counts, fault: { kind: 'null', results: 9 } }, edit_distance: figureOf(1.5) },
    );
    assert.deepEqual(
      checks.map(({ title, column, passed }) => [title, column, passed]),
      [
        ['edit_distance <= 2', 'one', true],
        ['accuracy >= 0', 'one', false],
        ['macro_f1 > 0.5', 'one', false],
      ],
    );
    assert.deepEqual(checks.map(failedCheckText), [
      'one: edit_distance <= 2 is not met. edit_distance 1.500, 9 rows (too few rows to tell how exact)',
      'one: accuracy >= 0 is not met. accuracy: not measured, since /a is null in all 9 results. Correct "at".',
      'one: macro_f1 > 0.5 is not met. macro_f1 has not been measured.',
    ]);
  });
});

describe('The comparison of a gate with earlier results', () => {
  const ROWS = 40;
  const variations = ['same', 'worse', 'better', 'chance', 'new'].map((model) => ({ '/model': model }));
  const items = Array.from({ length: ROWS }, (_, at) => rowOf(`row ${at}`, 'yes'));
  const tableFor = (resultOf: (column: number, row: number) => Json) =>
    tableOf({
      ...{ variations, items },
      line: ({ variation, item }) => ({ result: resultOf(variation, item) }),
    });

  it('fails a column whose difference is unlikely to be chance: a worse one, or any on demand', async () => {
    const own = tableFor((column, row) => (row < [20, 5, 35, 18, 0][column]! ? 'yes' : 'no!'));
    const before = [...tableFor((_, row) => (row < 20 ? 'yes' : 'no!')).results.values()];
    const results = before.filter(({ variation }) => variation['/model'] !== 'new');
    const read = { results, costs: new Map(), judgements: [] };
    const { table } = await tableWith(own, [{ label: 'before', file: '/old.results.jsonl', read }]);
    const names = variations.map((variation) => variation['/model']);
    const checks = (demand: 'notWorse' | 'unchanged' = 'notWorse') =>
      checkAgainstEarlier(table, metricsOf('accuracy', 'edit_distance'), names, 'en', {
        demand,
        allowsNew: true,
      });
    const passed = (all: Awaited<ReturnType<typeof checks>>) =>
      all.map(({ column, title, passed: is }) => `${column}: ${title}: ${is}`);
    assert.deepEqual(
      passed(await checks()),
      ['same', 'worse', 'better', 'chance']
        .flatMap((column) =>
          ['accuracy', 'edit_distance'].map(
            (metric) => `${column}: ${metric} not worse than before: ${column !== 'worse'}`,
          ),
        )
        .concat('new: has earlier results: true'),
    );
    const all = await checks('unchanged');
    const changed = all.filter(({ title }) => title !== 'answers as before');
    assert.equal(all.length - changed.length, 4, 'the answers of each column with earlier results');
    assert.deepEqual(
      passed(changed),
      ['same', 'worse', 'better', 'chance']
        .flatMap((column) =>
          ['accuracy', 'edit_distance'].map(
            (metric) => `${column}: ${metric} as before: ${column === 'same' || column === 'chance'}`,
          ),
        )
        .concat('new: has earlier results: true'),
    );
    const messages = changed.map(({ message }) => message);
    assert.match(
      messages[2]!,
      /^accuracy −0\.375 \(.*\), 40 rows: worse .* 8 comparisons\)\. 15 became wrong, 0 became right$/,
    );
    assert.match(messages[4]!, /\. 0 became wrong, 15 became right$/);
    assert.match(messages[3]!, /^edit_distance \+1\.125 \(.*\), 40 rows: worse .*comparisons\)$/);
    assert.match(messages[0]!, /^accuracy ±0\.000 \(.*\), 40 rows: cannot tell yet .*comparisons\)$/);
  });

  const of = async (now: Json, then: Json) => {
    const one = [{ '/model': 'one' }];
    const tableWithout = (result: Json) => tableOf({ variations: one, items, line: () => ({ result }) });
    const results = [...tableWithout(then).results.values()];
    const read = { results, costs: new Map(), judgements: [] };
    const other = { label: 'before', file: '/old.results.jsonl', read };
    const { table } = await tableWith(tableWithout(now), [other]);
    return checkAgainstEarlier(table, metricsOf('accuracy'), ['one'], 'en');
  };

  it('fails a column that can no longer be measured, where it could be before', async () => {
    const [lost, ...others] = await of({ a: 1 }, 'yes');
    assert.deepEqual([lost?.passed, lost?.title, others], [false, 'accuracy not worse than before', []]);
    assert.match(lost!.message, /^accuracy: not measured, /);
  });

  it('fails a column that no metric can compare, instead of leaving it out', async () => {
    for (const [now, then] of [
      [{ a: 1 }, { a: 1 }],
      ['yes', { a: 1 }],
    ] as const)
      assert.deepEqual(
        (await of(now, then)).map(({ title, passed }) => [title, passed]),
        [['comparable with before', false]],
      );
  });
});
