import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  addAmounts,
  compareAmounts,
  medianAmount,
  readAmount,
  subtractAmounts,
  sumByCurrency,
  timesAmount,
} from '../../../src/domain/amounts';
import { amounts } from '../../support/amounts';

/** The oracle: reads canonical text by moving the point. */
function inUnits(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(`${whole}${fraction.padEnd(8, '0')}`);
}

describe('Amounts of money', () => {
  it('add, subtract and compare exactly', () => {
    fc.assert(
      fc.property(amounts, amounts, (a, b) => {
        assert.equal(inUnits(addAmounts(a.text, b.text)), a.units + b.units);
        assert.equal(inUnits(subtractAmounts(a.text, b.text)), a.units - b.units);
        assert.equal(
          Math.sign(compareAmounts(a.text, b.text)),
          a.units < b.units ? -1 : a.units > b.units ? 1 : 0,
        );
      }),
    );
  });

  it('add up with any digits, and are unknown beyond sixty', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 130 });
    const outside = fc
      .tuple(fc.constantFrom('', '-'), digits, digits, fc.option(fc.integer({ min: -200, max: 200 })))
      .map(([sign, whole, fraction, e]) => `${sign}${whole}.${fraction}${e === null ? '' : `e${e}`}`);
    fc.assert(
      fc.property(fc.array(outside, { minLength: 1, maxLength: 8 }), (texts) => {
        const read = texts.flatMap((text) => readAmount(text) ?? []);
        let sum = '0';
        for (const amount of read) {
          assert.equal(readAmount(amount), amount);
          sum = addAmounts(sum, amount);
        }
        for (const amount of read) sum = subtractAmounts(sum, amount);
        assert.equal(sum, '0');
      }),
    );
    assert.equal(readAmount('9'.repeat(60)), '9'.repeat(60));
    for (const long of ['9'.repeat(61), '1e60', '1e-60', `0.${'1'.repeat(61)}`])
      assert.equal(readAmount(long), undefined);
  });

  it('multiply by whole numbers exactly', () => {
    fc.assert(
      fc.property(amounts, fc.nat(), (a, times) => {
        assert.equal(inUnits(timesAmount(a.text, times)), a.units * BigInt(times));
      }),
    );
  });

  it('return a median that at most half of them exceed', () => {
    assert.equal(medianAmount([]), undefined);
    assert.equal(medianAmount(['3', '1', '2']), '2');
    assert.equal(medianAmount(['0.01', '0.02']), '0.015');
    fc.assert(
      fc.property(fc.array(amounts, { minLength: 1 }), (list) => {
        const median = medianAmount(list.map((amount) => amount.text))!;
        const below = list.filter((amount) => compareAmounts(amount.text, median) < 0).length;
        const above = list.filter((amount) => compareAmounts(amount.text, median) > 0).length;
        assert.ok(below <= list.length / 2 && above <= list.length / 2);
      }),
    );
  });

  it('parse from text and numbers into one form', () => {
    assert.equal(readAmount('0010.500'), '10.5');
    assert.equal(readAmount(1e-7), '0.0000001');
    assert.equal(readAmount(12.5), '12.5');
    assert.equal(readAmount('-0.00'), '0');
    assert.equal(readAmount('.5'), '0.5');
    for (const none of [
      '',
      '.',
      '12,5',
      'abc',
      '1e99999',
      Number.NaN,
      Number.POSITIVE_INFINITY,
      null,
      {},
      true,
    ])
      assert.equal(readAmount(none), undefined, String(none));
    fc.assert(fc.property(amounts, ({ text, units }) => inUnits(readAmount(text)!) === units));
  });

  it('add up by currency, and never across', () => {
    assert.deepEqual(
      sumByCurrency([{ amount: '1', currency: 'EUR' }, { amount: '2' }, { amount: '0.5', currency: 'EUR' }]),
      [{ amount: '1.5', currency: 'EUR' }, { amount: '2' }],
    );
  });
});
