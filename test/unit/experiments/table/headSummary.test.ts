import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../../src/domain/json';
import { summarise } from '../../../../src/experiments/figures/summary';
import { decide } from '../../../../src/experiments/metrics/decision';
import { shareInterval } from '../../../../src/experiments/metrics/intervals';
import type { MetricName } from '../../../../src/experiments/metrics/metrics';
import type { ResultLine } from '../../../../src/experiments/results/resultLine';
import {
  type CorrectedComparison,
  comparisonText,
  correctedComparisons,
  figureText,
  figureWords,
  metricNumber,
} from '../../../../src/experiments/table/figureTexts';
import { glanceRows } from '../../../../src/experiments/table/glance';
import { rowOf, tableOf } from '../../../support/experiments/table';

type Line = Partial<ResultLine> | undefined;

/** The head of each column in texts; a line for each row and column. */
async function heads(
  names: readonly MetricName[],
  expected: readonly Json[],
  columns: readonly (readonly Line[])[],
  { at = '', shown }: { readonly at?: string; readonly shown?: readonly number[] } = {},
) {
  const table = tableOf({
    variations: columns.map((_, column) => ({ '/model': `model ${column}` })),
    items: expected.map((one, row) => rowOf(`text ${row}`, one)),
    at,
    line: ({ variation, item }) => columns[variation]![item],
  });
  const metrics = names.map((name) => ({ name, tolerance: 0 }));
  const summary = await summarise(table, metrics);
  const corrected = correctedComparisons(summary.comparisons, { metrics, margin: undefined, shown });
  return summary.columns.map((column, index) => {
    const figures = metrics.flatMap((metric, of) => figureWords(metric, column.metrics[of]!, at, 'en'));
    const comparisons = metrics.flatMap(
      ({ name }, of) => comparisonText(name, corrected[index]?.[of], 'en') ?? [],
    );
    return { figures: [...new Set(figures)], comparisons };
  });
}

const times = <T>(count: number, value: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => value(at));
const results = (values: readonly Json[]): Line[] => values.map((result) => ({ result }));

/** By column: the comparison with the first one in words, and as the head marks it. */
async function summaryOf(columns: readonly (readonly Line[])[]) {
  const table = tableOf({
    variations: columns.map((_, column) => ({ '/model': `model ${column}` })),
    items: columns[0]!.map((_, row) => rowOf(`text ${row}`, 'yes')),
    line: ({ variation, item }) => columns[variation]![item],
  });
  const metrics = [{ name: 'accuracy', tolerance: 0 }] as const;
  const summary = await summarise(table, metrics);
  const comparisons = correctedComparisons(summary.comparisons, { metrics, margin: undefined });
  const shown = [...columns.keys()];
  const [row] = glanceRows(summary, {
    ...{ metrics, comparisons, unbeaten: [], placeOf: () => '', shown, locale: 'en' },
  });
  return shown.slice(1).map((column) => ({
    comparison: comparisons[column]![0]!,
    difference: row!.cells[column]!.difference,
    text: comparisonText('accuracy', comparisons[column]![0], 'en')!,
  }));
}

describe('The figures in the head of a column', () => {
  it('name their number of rows, and those left out or counted as wrong', async () => {
    const expected = times(60, (at) => (at < 3 ? '' : 'yes'));
    const column = times(60, (at): Line => {
      if (at === 59) return undefined;
      return at < 50 ? { result: at < 30 ? 'yes' : 'no' } : { state: 'failed', reason: 'down' };
    });
    const [head] = await heads(['accuracy'], expected, [column]);
    assert.deepEqual(head!.figures, [
      'accuracy 0.482 (0.357 to 0.610), 56 of 60 rows',
      '9 failed runs count as wrong',
      '3 rows have no expected value',
    ]);
  });

  it('say that rows are too few or alike instead of an interval', async () => {
    const [few, alike] = await heads(
      ['accuracy', 'macro_f1'],
      ['yes', 'yes', 'no'],
      [results(['yes', 'no', 'no']), results(['yes', 'yes', 'no'])],
    );
    assert.deepEqual(few!.figures, [
      'accuracy 0.667, 3 rows (too few rows to tell how exact)',
      'macro_f1 0.667, 3 rows (too few rows to tell how exact)',
    ]);
    assert.equal(alike!.figures[1], 'macro_f1 1.000, 3 rows (too few rows to tell how exact)');
    assert.match(alike!.comparisons[0]!, /^accuracy \+0\.333, 3 rows: cannot tell yet \(p = 1\.000, /);
    const [many] = await heads(
      ['macro_f1'],
      times(15, () => 'yes'),
      [results(times(15, () => 'yes'))],
    );
    assert.deepEqual(many!.figures, ['macro_f1 1.000, 15 rows (no interval: all rows are alike)']);
  });

  it('name a fault of the set-up in place of a figure', async () => {
    const expected = times(60, () => 'yes');
    const [object, missing, good] = await heads(
      ['accuracy'],
      expected,
      [
        results(times(60, () => ({ answer: { text: 'yes' } }))),
        results(times(60, () => ({ label: 'yes' }))),
        results(times(60, (at) => ({ answer: at % 2 ? 'yes' : 'no' }))),
      ],
      { at: '/answer' },
    );
    assert.deepEqual(object, {
      figures: ['accuracy: not measured, since /answer is an object in all 60 results. Correct "at".'],
      comparisons: [],
    });
    assert.match(
      missing!.figures[0]!,
      /^accuracy: not measured, since no result has a value at \/answer \(60 results\)/,
    );
    assert.match(good!.figures[0]!, /^accuracy 0\.500 /);
    assert.deepEqual(good!.comparisons, [], 'nothing is compared with a column without a figure');
  });

  it('say where a metric can compare with none of the expected values', async () => {
    const [head] = await heads(
      ['absolute_error', 'iou', 'matches', 'accuracy'],
      ['0,5', '1,5', '2,5 ('],
      [results([0.5, 1.5, 2.5])],
    );
    const none = 'not measured, since it can compare with none of the expected values (3 results).';
    const unmeasured = head!.figures.filter((text) => text.includes('not measured'));
    assert.deepEqual(unmeasured.slice(0, 2), [
      `absolute_error: ${none} Correct "expected".`,
      `iou: ${none} Correct "expected".`,
    ]);
    const matches = head!.figures.find((text) => text.startsWith('matches'));
    assert.match(matches!, /^matches 0\.000, 2 of 3 rows/, 'one is no regular expression');
  });

  it('count results with labels that are never expected', async () => {
    const [head] = await heads(
      ['macro_f1'],
      times(20, (at) => (at % 2 ? 'a' : 'b')),
      [results(times(20, (at) => (at < 2 ? 'zz' : at % 3 ? 'a' : 'b')))],
    );
    assert.equal(head!.figures[1], '2 results have a label that is never expected');
  });

  it('show enough digits of small values, and no digits that say nothing', () => {
    assert.deepEqual(
      [0.5, 0.000123456, 0.0000004, 12.3456, 1234.5678, 0, -0.00021].map((value) =>
        metricNumber(value, 'en'),
      ),
      ['0.500', '0.000123', '0.000000400', '12.346', '1234.6', '0.000', '-0.000210'],
    );
  });
});

describe('A figure beside other values', () => {
  const accuracy = { name: 'accuracy', tolerance: 0 } as const;
  const shown = (text: string | undefined) => Number(/^\S+ (\d+\.\d+)/.exec(text ?? '')?.[1]);

  it('looks perfect, or equal to its threshold, only where it is', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200_000 }).chain((count) => fc.tuple(fc.nat(count), fc.constant(count))),
        fc.double({ min: 0, max: 1, noNaN: true }).map((one) => Number(one.toFixed(4))),
        ([right, count], threshold) => {
          const value = right / count;
          const interval = shareInterval(right, count);
          const figure = {
            items: count,
            blank: 0,
            unreadable: 0,
            measured: { value, interval, count, different: count, failed: 0 },
          };
          const shownText = figureText(accuracy, figure, '', 'en', [threshold])!;
          const text = shown(shownText);
          assert.ok(Math.abs(text - value) <= 0.0005, `${text} is ${value}`);
          const ends = / \((\d+\.\d+) to (\d+\.\d+)\)/.exec(shownText)?.slice(1).map(Number) ?? [];
          if (ends.length > 0)
            assert.deepEqual([ends.includes(0), ends.includes(1)], [right === 0, right === count], shownText);
          for (const other of [0, 1, threshold])
            if (Math.abs(other - value) > 1e-9) assert.notEqual(text, other, `${right} of ${count}`);
        },
      ),
      {
        examples: [
          [[2_999, 3_000], 0.9997],
          [[8_996, 10_000], 0.9],
          [[1_799, 2_000], 0.9],
          [[1, 3_000], 0],
        ],
      },
    );
  });

  it('shows the ends of a narrow interval around a large value', () => {
    const measured = {
      value: 1500.25,
      interval: { low: 1500.21, high: 1500.29 },
      count: 50,
      different: 50,
      failed: 0,
    };
    const figure = { items: 50, blank: 0, unreadable: 0, measured };
    const text = figureText({ name: 'absolute_error', tolerance: 0 }, figure, '', 'en');
    assert.equal(text, 'absolute_error 1500.250 (1500.210 to 1500.290), 50 rows');
  });

  it('shows p on that side of 0.05 which the words name', () => {
    for (const p of [0.0496, 0.0499999, 0.05, 0.0504, 0.2]) {
      const metric = { name: 'accuracy', tolerance: 0 } as const;
      const compared: Omit<CorrectedComparison, 'sign'> = {
        ...{ difference: 0.25, first: 0.75, second: 0.5, p, count: 40, different: 40 },
        ...{ isOfAllItems: true, interval: 'tooFew', corrected: p, together: 1 },
      };
      const decision = decide(metric, compared, { corrected: p, together: 1 });
      const text = comparisonText('accuracy', { ...compared, ...decision }, 'en')!;
      const shownP = Number(/p = ([\d.]+)/.exec(text)![1]);
      assert.equal(shownP < 0.05, /: better \(/.test(text), text);
    }
  });
});

describe('The comparison of a column with the baseline', () => {
  const expected = times(40, () => 'yes');
  const share = (right: number) => results(times(40, (at) => (at < right ? 'yes' : 'no')));

  it('corrects for all shown comparisons, and states that', async () => {
    const columns = [share(20), share(27), share(20), share(40)];
    const [baseline, some, none, all] = await heads(['accuracy'], expected, columns);
    assert.deepEqual(baseline!.comparisons, []);
    assert.deepEqual(some!.comparisons, [
      'accuracy +0.175 (+0.046 to +0.292), 40 rows: better (p = 0.031, corrected for 3 comparisons)',
    ]);
    assert.match(none!.comparisons[0]!, /^accuracy ±0\.000 \(.*\), 40 rows: cannot tell yet \(p = 1\.000, /);
    assert.match(all!.comparisons[0]!, /\(p < 0\.001, corrected for 3 comparisons\)$/);
    const [, alone, hidden] = await heads(['accuracy'], expected, columns, { shown: [0, 1] });
    assert.deepEqual(alone!.comparisons, ['accuracy +0.175 (+0.046 to +0.292), 40 rows: better (p = 0.016)']);
    assert.deepEqual(hidden!.comparisons, []);
  });

  it('shows the sign that its words name', async () => {
    // A few rows beside comparisons of many: Holm's method corrects the few by less.
    const few = share(40).map((line, at) => (at < 8 ? line : undefined));
    const heads = await summaryOf([share(0), ...times(12, () => share(40)), few]);
    const { comparison, difference, text } = heads.at(-1)!;
    assert.ok(comparison.corrected < 0.05 && 2 ** -7 * comparison.together >= 0.05);
    assert.equal(difference?.sign, 'better');
    assert.match(text, /8 rows that both have: better/);
  });

  it('names the figures of its own rows where the columns measure other rows', async () => {
    const half = share(10).map((line, at) => (at < 20 ? line : undefined));
    const [, head] = await heads(['accuracy'], expected, [share(30), half]);
    assert.match(head!.figures[0]!, /^accuracy 0\.500 .*, 20 of 40 rows$/);
    assert.match(
      head!.comparisons[0]!,
      /^accuracy −0\.500 \(.*\), 0\.500 against 1\.000 in 20 rows that both have: worse \(p = 0\.002\)$/,
    );
  });
});
