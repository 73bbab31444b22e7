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
  timesThatFit,
} from '../../../src/domain/amounts';
import { formatMoney } from '../../../src/wording/money';

/** Amounts of up to 12 digits and 8 decimals, beside what they are in units of 10^-8. */
const amounts = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 8 }))
  .map(([units, scale]) => {
    const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
    const fraction = scale === 0 ? '' : `.${digits.slice(-scale)}`;
    const text = `${units < 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}${fraction}`;
    return { text, units: units * 10n ** BigInt(8 - scale) };
  });

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

  it('multiply by whole numbers exactly', () => {
    fc.assert(
      fc.property(amounts, fc.nat(), (a, times) => {
        assert.equal(inUnits(timesAmount(a.text, times)), a.units * BigInt(times));
      }),
    );
  });

  it('add a tenth ten times to one, which floats cannot', () => {
    let sum = '0';
    for (let i = 0; i < 10; i++) sum = addAmounts(sum, '0.1');
    assert.equal(sum, '1');
  });

  it('have a median that half of them do not pass', () => {
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

  it('tell how often a price fits', () => {
    assert.equal(timesThatFit('2.30', '0.0228'), 100);
    assert.equal(timesThatFit('-1', '0.5'), 0);
    assert.equal(timesThatFit('1', '0'), undefined);
  });

  it('are read from text and numbers, in one form', () => {
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
    fc.assert(
      fc.property(fc.string(), (text) => [undefined, 'string'].includes(readAmount(text) && 'string')),
    );
  });

  it('are summed by currency, and never across', () => {
    assert.deepEqual(
      sumByCurrency([{ amount: '1', currency: 'EUR' }, { amount: '2' }, { amount: '0.5', currency: 'EUR' }]),
      [{ amount: '1.5', currency: 'EUR' }, { amount: '2' }],
    );
  });

  it('are shown in the way of the locale, with every decimal a price needs', () => {
    assert.equal(formatMoney({ amount: '102.34', currency: 'USD' }, 'en'), '$102.34');
    assert.equal(formatMoney({ amount: '1234.5', currency: 'EUR' }, 'de'), '1.234,50\u00a0€');
    assert.equal(formatMoney({ amount: '0.0125', currency: 'USD' }, 'en'), '$0.0125');
    assert.equal(formatMoney({ amount: '0.00000042', currency: 'USD' }, 'en'), '$0.00000042');
    assert.equal(formatMoney({ amount: '1200', currency: 'JPY' }, 'en'), '¥1,200');
    assert.equal(formatMoney({ amount: '4.1' }, 'en'), '4.10');
    assert.equal(formatMoney({ amount: '100' }, 'en'), '100');
    assert.equal(formatMoney({ amount: '12.5', currency: 'credits' }, 'en'), '12.50 credits');
    assert.equal(
      formatMoney({ amount: '12345678901234567890.12', currency: 'USD' }, 'en'),
      '$12,345,678,901,234,567,890.12',
    );
  });

  it('are rounded when they are only about right', () => {
    const about = (amount: string) => formatMoney({ amount }, 'en', { about: true });
    assert.equal(about('4.09986'), '4.10');
    assert.equal(about('0.0227'), '0.023');
    assert.equal(about('0.5'), '0.50');
    assert.equal(about('12'), '12');
  });

  it('are shown whatever the currency or locale is called', () => {
    fc.assert(
      fc.property(amounts, fc.string(), fc.string(), ({ text }, currency, locale) => {
        const shown = formatMoney({ amount: text, currency }, locale);
        assert.doesNotMatch(shown, /undefined|NaN|\[object/);
      }),
    );
    assert.equal(formatMoney({ amount: 'a lot', currency: 'USD' }, 'en'), 'a lot USD');
  });
});
