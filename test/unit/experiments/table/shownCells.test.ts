import assert from 'node:assert/strict';
import type { Json } from '../../../../src/domain/json';
import { confusionOf } from '../../../../src/experiments/charts/figures';
import type { Metric } from '../../../../src/experiments/metrics/metrics';
import { variationsOf } from '../../../../src/experiments/plan/grid';
import type { ResultLine } from '../../../../src/experiments/results/resultLine';
import { differenceFrom, differsFrom, isEqualRow } from '../../../../src/experiments/table/differences';
import { type RowQuery, rowOrder } from '../../../../src/experiments/table/rowOrder';
import type { ExperimentTable } from '../../../../src/experiments/table/table';
import { tableCell } from '../../../../src/experiments/table/tableCell';
import { rowOf, tableOf } from '../../../support/experiments/table';

const accuracy: readonly Metric[] = [{ name: 'accuracy', tolerance: 0 }];
type Line = Partial<Omit<ResultLine, 'result'>> & { readonly result?: unknown };

/** One cell for each list of repeats, in a row of its own or, of several lists, in a column each. */
function tableFor(rows: readonly (readonly (readonly (Line | undefined)[])[])[], expected?: Json, at = '') {
  return tableOf({
    ...{ at, variations: variationsOf({ '/model': rows[0]!.map((_, column) => `${column}`) }) },
    items: rows.map((_, row) => rowOf('x'.repeat(row + 1), expected)),
    repeats: Math.max(...rows.flat().map((lines) => lines.length)),
    line: ({ item, variation, repeat }) => rows[item]![variation]![repeat],
  });
}
const got = (...results: readonly Json[]): Line[] => results.map((result) => ({ result }));
const failed = { state: 'failed', reason: 'down' } as const;
const unconfirmed = { state: 'unconfirmed', reason: 'gone' } as const;

describe('A cell with repeats', () => {
  const cellOf = (...lines: readonly (Line | undefined)[]) =>
    tableCell(tableFor([[lines]], 'a'), 0, 0, accuracy, 'en');

  it('shows the most frequent outcome, the first of equally frequent ones, and failures last', () => {
    assert.equal(cellOf(...got('b', 'a', 'a')).text, 'a');
    assert.equal(cellOf(...got('b', 'a')).text, 'b');
    assert.equal(cellOf(failed, ...got('b')).text, 'b');
    assert.equal(cellOf(unconfirmed, failed).text, 'down');
    assert.equal(cellOf(unconfirmed, undefined).text, 'gone');
    assert.deepEqual([cellOf(undefined).text, cellOf(undefined).kind], ['', 'none']);
  });

  it('compares repeats by the content of their files, not by their names', () => {
    const marks = ['a', 'b', 'a'].map((digit) => `sha256:${digit.repeat(64)}`);
    const pictures = tableOf({
      variations: [{}],
      items: [rowOf('draw')],
      repeats: 3,
      line: ({ repeat }) => ({ result: marks[repeat]!, result_file: `x.results/draw-${repeat}.png` }),
    });
    assert.equal(tableCell(pictures, 0, 0, []).spread, '2 of 3 agree');
    const long = tableOf({
      variations: [{}],
      items: [rowOf('write')],
      repeats: 2,
      line: ({ repeat }) => ({ result_sha256: 'same', result_file: `x.results/write-${repeat}.txt` }),
    });
    assert.equal(tableCell(long, 0, 0, []).spread, '2 of 2 agree');
  });

  it('shows how far finished repeats agree, the mean time, and the cost of all', () => {
    const cost = { amount: '0.1', currency: 'USD' };
    assert.equal(cellOf({ result: 'a', cost }, { ...failed, cost }, { result: 'b' }).cost, '$0.20');
    assert.equal(cellOf(...got(1, 2), { result: 2, duration_ms: 100 }).spread, 'mean 1.67 ± 0.58, n 3');
    assert.equal(cellOf(...got(12_345.6, 12_346)).spread, 'mean 12,345.8 ± 0.28, n 2');
    assert.equal(cellOf(...got(1, 0.99999)).spread, 'mean 0.999995 ± 7.1000e-6, n 2', 'less than 1');
    assert.equal(cellOf(...got(0.1234567, 0.1234567)).spread, 'mean 0.123457 ± 0, n 2');
    assert.equal(cellOf(...got(1, 'a', 1)).spread, '2 of 3 agree', 'a label has no mean');
    assert.deepEqual([cellOf(...got(1)).spread, cellOf(failed, ...got(1)).spread], [undefined, undefined]);
    assert.equal(cellOf({ ...failed, duration_ms: 100 }, { result: 1, duration_ms: 201 }).time, '151 ms');
    assert.equal(cellOf({ result: 1 }).time, undefined);
  });

  it('counts as right where all repeats are, by the first metric of right and wrong', () => {
    const rightOf = (...lines: readonly (Line | undefined)[]) => cellOf(...lines).isRight;
    assert.deepEqual(
      [rightOf(...got('a', 'a')), rightOf(...got('a', 'b')), rightOf(failed), rightOf(undefined)],
      [true, false, false, undefined],
    );
    const distance: Metric = { name: 'edit_distance', tolerance: 0 };
    const table = tableFor([[got('a')]], 'a');
    assert.equal(tableCell(table, 0, 0, [distance]).isRight, undefined);
    assert.equal(tableCell(table, 0, 0, [distance, ...accuracy]).isRight, true);
  });

  it('equals another one with the same set of outcomes, and differs only once both have finished', () => {
    const table = tableFor([
      [got('a', 'b', 'b'), got('b', 'a', 'a'), got('a', 'a', 'a')],
      [got('a'), [failed], [undefined]],
      [got('a'), got('a'), got('b')],
    ]);
    assert.deepEqual(
      [
        ...[isEqualRow(table, 0, [0, 1]), isEqualRow(table, 0, [0, 1, 2]), isEqualRow(table, 0, [0])],
        ...[isEqualRow(table, 1, [0, 1]), isEqualRow(table, 1, [1, 2])],
      ],
      [true, false, false, false, false],
    );
    assert.deepEqual(
      [
        differsFrom(table, 0, 1, 0),
        differsFrom(table, 0, 2, 0),
        differsFrom(table, 1, 1, 0),
        differsFrom(table, 1, 0, 2),
      ],
      [false, true, undefined, undefined],
    );
    assert.deepEqual([isEqualRow(table, 2, [0, 2]), isEqualRow(table, 2, [0, 1, 2])], [false, false]);
  });

  it('differs by the mean of its numbers, where all finished repeats are numbers', () => {
    const table = tableFor([[[...got(2, 5), failed], got(1, 2, 3), got(1, 'a', 2), [undefined]]]);
    assert.equal(differenceFrom(table, 0, 0, 1), 1.5);
    assert.deepEqual(
      [2, 3].flatMap((column) => [differenceFrom(table, 0, column, 1), differenceFrom(table, 0, 1, column)]),
      Array(4).fill(undefined),
    );
  });
});

describe('The confusion matrix of a column', () => {
  it('counts failed runs as without a label where they are wrong, and leaves out the unknown', () => {
    const rows = [got('a')[0], failed, unconfirmed, undefined, { result_file: 'a.results/gone.json' }];
    const matrix = (failedIsWrong: boolean, expected: readonly Json[]) => {
      const table = tableOf({
        variations: [{}],
        items: expected.map((one, at) => rowOf('x'.repeat(at + 1), one)),
        comparing: { failedIsWrong },
        line: ({ item }) => rows[item],
      });
      const { labels, counts } = confusionOf(table, 0);
      return labels.flatMap((label, at) =>
        counts[at]!.map((count, other) => `${label}>${labels[other]}: ${count}`),
      );
    };
    const same = Array<Json>(5).fill('a');
    assert.deepEqual(matrix(false, same), ['a>a: 1']);
    assert.deepEqual(matrix(true, same), ['>: 0', '>a: 0', 'a>: 1', 'a>a: 1']);
    assert.deepEqual(matrix(true, ['', ['a'], 'a', 'a', 'a']), [], 'blank, and no label');
  });
});

describe('The rows of the table by their changes', () => {
  /** Against the first column: worse, better, other but as wrong, equal, not finished. */
  const table = tableFor(
    [
      [got('a'), got('b'), got('a')],
      [got('b'), got('a'), got('b')],
      [got('b'), got('c'), got('b')],
      [got('a'), got('a'), got('a')],
      [got('a'), [undefined], got('b')],
    ],
    'a',
  );
  const query: RowQuery = { text: '', show: 'all', fold: false, columns: [0, 1], baseline: 0 };
  const rows = (more: Partial<RowQuery>) => rowOrder(table, { ...query, ...more }, accuracy).rows;

  it('filter by worse and by different ones, of shown columns or of one', () => {
    assert.deepEqual([rows({ show: 'worse' }), rows({ show: 'differs' })], [[0], [0, 1, 2]]);
    assert.deepEqual(rows({ show: 'worse', columns: [0, 1, 2] }), [0, 4]);
    assert.deepEqual(rows({ show: 'worse', columns: [0, 1, 2], of: 2 }), [4]);
    assert.deepEqual(rows({ show: 'differs', columns: [0, 1, 2], of: 0 }), [], 'the baseline itself');
    assert.deepEqual(rows({ show: 'differs', baseline: 1, of: 0 }), [0, 1, 2]);
    assert.deepEqual(rowOrder(table, { ...query, show: 'worse' }, []).rows, [], 'without a metric');
  });

  it('sort by how they changed, worse ones first or last', () => {
    const by = (descending: boolean, columns = [0, 1]) =>
      rows({ columns, sort: { column: 1, by: 'changes', descending } });
    assert.deepEqual(by(false), [0, 1, 2, 3, 4]);
    assert.deepEqual(by(true), [3, 4, 2, 1, 0]);
    assert.deepEqual(by(false, [0, 1, 2]), [0, 4, 1, 2, 3]);
  });

  it('sort numbers by size, before texts that have none', () => {
    const numbers = tableFor([[got(10)], [got(9)], [got('b10')], [got('b9')], [[failed]]]);
    const sort = { column: 0, by: 'outcome', descending: false } as const;
    const sorted = (of: ExperimentTable, descending: boolean) =>
      rowOrder(of, { ...query, columns: [0], sort: { ...sort, descending } }, []).rows;
    assert.deepEqual(
      [sorted(numbers, false), sorted(numbers, true)],
      [
        [1, 0, 3, 2, 4],
        [2, 3, 0, 1, 4],
      ],
    );
  });
});
