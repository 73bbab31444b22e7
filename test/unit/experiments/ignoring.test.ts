import assert from 'node:assert/strict';
import { measureColumn } from '../../../src/experiments/metrics/columns';
import { IGNORABLE, type Ignored, ignoring } from '../../../src/experiments/metrics/ignoring';
import type { MeasuredItem, MetricName } from '../../../src/experiments/metrics/metrics';

const itemsOf = (pairs: readonly (readonly [expected: string, got: string | number])[]): MeasuredItem[] =>
  pairs.map(([expected, got], at) => ({ item: String(at), expected, got: [got] }));
const measuredBy = (name: MetricName, items: readonly MeasuredItem[], ignore?: readonly Ignored[]) =>
  measureColumn({ name, tolerance: 0, ...(ignore && { ignore }) }, items);

describe('Differences of spelling', () => {
  it('leave one spelling of a text, and keep the signs of another answer', () => {
    const same = [
      ['Yes', 'yes', 'YES.', '“Yes”', 'Ｙｅｓ', 'y\u200bes', '(yes)'],
      ['new york', 'New-York', 'NEW  YORK', 'new\u00a0york'],
      ['1.5', '1,5', '+1,50', '１．５'],
      ['1234.5', '1,234.5', '1.234,5', '1 234,5', '1’234.50'],
      ['0.123', '0,123'],
      ['-5', '−5'],
    ];
    const keys = same.map((spellings) => new Set(spellings.map((one) => ignoring(one, IGNORABLE))));
    assert.deepEqual(
      keys.map(({ size }) => size),
      same.map(() => 1),
    );
    const apart = '5 -5 15 1.5 1,234 1.234 007 7 C# C 5% $5 v1.5 v15'.split(' ');
    assert.equal(new Set(apart.map((one) => ignoring(one, IGNORABLE))).size, apart.length);
  });

  it('count the rows that would be right, and name the kinds in their way', async () => {
    const items = itemsOf([
      ['Positive', 'positive'],
      ['Yes', 'yes.'],
      ['no', 'no'],
      ['no', 'maybe'],
    ]);
    const { measured, near } = await measuredBy('accuracy', items);
    assert.deepEqual([measured?.value, near], [0.25, { rows: 2, ignored: ['case', 'punctuation'] }]);
    const ignored = await measuredBy('accuracy', items, ['case', 'punctuation']);
    assert.deepEqual([ignored.measured?.value, ignored.near], [0.75, undefined]);
    assert.equal((await measuredBy('macro_f1', items, IGNORABLE)).measured?.value, (1 + 1 + 2 / 3) / 3);
  });

  it('count numbers that another spelling would make measurable', async () => {
    const items = itemsOf([
      ['1.5', '1,5'],
      ['2', 2],
      ['3', 'three'],
    ]);
    const { measured, near } = await measuredBy('absolute_error', items);
    assert.deepEqual([measured?.count, near], [1, { rows: 1, ignored: ['number'] }]);
    assert.equal((await measuredBy('absolute_error', items, ['number'])).measured?.count, 2);
    const faulty = await measuredBy('absolute_error', items.slice(0, 1));
    assert.deepEqual([faulty.fault?.kind, faulty.near?.rows], ['label', 1], 'also where none is a number');
  });
});
