import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../src/domain/json';
import { isSame } from '../../../src/experiments/metrics/equality';
import { labelPair } from '../../../src/experiments/metrics/labels';

const label = fc.constantFrom<Json | undefined>('a', 'a', 'b', 'b', 'c', '1', 1, true, 'TRUE');

describe('Labels', () => {
  const of = (one: Json | undefined, wanted: string | number | boolean, numbers = false) =>
    labelPair(one, wanted, { numbers, booleans: false });

  it('differ when JSON distinguishes them', () => {
    assert.deepEqual(of('1', '1'), { expected: '1', got: '1' });
    assert.deepEqual(of('1 ', 1), { expected: '1', got: '1' }, 'text beside a number is one');
    assert.deepEqual(of(true, 'true'), { expected: 'true', got: 'true' });
    assert.deepEqual(of(1, true), { expected: 'true', got: '1' });
    assert.deepEqual(of(undefined, 'a'), { expected: 'a', got: '' });
    assert.deepEqual(of(['a'], 'a'), { expected: 'a', got: '' }, 'a list is no label');
    fc.assert(
      fc.property(label, label, (one, wanted) => {
        const { expected: own, got: found } = of(one, wanted as string);
        assert.equal(own === found, isSame(one, wanted as string));
      }),
    );
  });

  it('become numbers for decimal numbers only', () => {
    const isNumber = (text: string, number: number) => isSame(text, number);
    for (const [text, number] of [
      ...[['+1', 1] as const, ['-1', -1] as const, ['.5', 0.5] as const, ['5.', 5] as const],
      ...[
        ['1e3', 1000] as const,
        ['1E+3', 1000] as const,
        ['1e-3', 0.001] as const,
        [' 12.50 ', 12.5] as const,
      ],
    ])
      assert.ok(isNumber(text, number), text);
    for (const text of 'x1|1x|.|e3|1e|--1|1e1.5|1 2|1e400|Infinity|NaN|0x1'.split('|'))
      for (const number of [0, 1, 2, 12, 10, 31.62])
        assert.ok(!isNumber(text, number), `${text} and ${number}`);
    assert.ok(
      isSame('tRuE', true) && !isSame('true1', true) && !isSame('not false', false) && !isSame('1', true),
    );
  });

  it('never equal a missing result, and null equals only null', () => {
    for (const other of ['a', 1, true, {}, [], ['a'], null] as Json[]) {
      assert.ok(!isSame(undefined, other), JSON.stringify(other));
      if (other !== null) assert.ok(!isSame(null, other) && !isSame(other, null), JSON.stringify(other));
    }
    assert.ok(isSame(null, null) && isSame({ a: null }, { a: null }) && !isSame({ a: null }, { a: {} }));
    assert.ok(
      isSame([['a']], [['a']]) && !isSame([['a']], [['a', 'b']]) && !isSame([['a', 'b']], [['a', 'c']]),
    );
    assert.ok(isSame({ a: 'e\u0301' }, { a: 'é' }) && !isSame({ a: 'e' }, { a: 'é' }));
    assert.ok(!isSame({ a: 1, b: 2 }, { a: 1, c: 2 }) && !isSame({ a: 1 }, { a: 1, b: 2 }));
  });
});
