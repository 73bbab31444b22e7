import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareAmounts, readAmount } from '../../../src/domain/amounts';
import { usageCell } from '../../../src/readers/billingValues';
import { readCost } from '../../../src/readers/cost';
import { readMoney } from '../../../src/readers/money';
import { readPrice } from '../../../src/readers/price';
import { readWallet } from '../../../src/readers/wallet';
import { rawOf } from '../../support/rawOf';

const usd = (amount: string) => ({ amount, currency: 'USD' });
const isSame = (got: string | undefined, wanted: string) =>
  got !== undefined && compareAmounts(readAmount(got)!, readAmount(wanted)!) === 0;

/** Words for a unit, and the places that each moves the point of dollars. */
const UNITS: readonly (readonly [string, number])[] = [
  ...(['cents', 'cent', 'USD_CENTS', 'usd-cents', 'minor units', 'minor', 'subunits'] as const).map(
    (unit) => [unit, 2] as const,
  ),
  ...['mUSD', 'millidollars', 'milli-usd', 'milli'].map((unit) => [unit, 3] as const),
  ...['micro_usd', 'microdollars', 'micros', 'µUSD', 'uUSD', 'USD micros', 'micro-units'].map(
    (unit) => [unit, 6] as const,
  ),
  ...['nanodollars', 'nano_usd', 'nanos'].map((unit) => [unit, 9] as const),
  ...['millicents'].map((unit) => [unit, 5] as const),
  ...['dollars', 'USD', 'usd', 'whole units', 'major'].map((unit) => [unit, 0] as const),
];

describe('The unit of an amount', () => {
  it('applies from beside the amount, from the name and from the currency', () => {
    fc.assert(
      fc.property(fc.constantFrom(...UNITS), fc.nat({ max: 1e9 }), ([unit, places], amount) => {
        const wanted = `${amount}e-${places}`;
        const bodies = [
          { cost: amount, cost_unit: unit, currency: 'USD' },
          { cost: { amount, unit, currency: 'USD' } },
          { cost: { amount: String(amount), amount_unit: unit, currency: 'USD' } },
          { cost: amount, unit, currency: 'USD' },
        ];
        for (const body of bodies) {
          const read = readCost(body);
          assert.ok(isSame(read?.amount, wanted), `${JSON.stringify(body)}: ${read?.amount}`);
          assert.equal(read?.currency, 'USD');
        }
      }),
    );
    for (const [currency, places] of [
      ['USD_CENTS', 2],
      ['mUSD', 3],
      ['µUSD', 6],
      ['microdollars', 6],
    ] as const) {
      const read = readMoney({ amount: 1250, currency });
      assert.ok(isSame(read?.amount, `1250e-${places}`), currency);
      assert.equal(read?.currency, 'USD');
    }
    assert.deepEqual(readCost({ cost_microdollars: 2500 }), usd('0.0025'));
    assert.deepEqual(readCost({ cost_usd_cents: 25 }), usd('0.25'));
    assert.deepEqual(readCost({ cost_nanos: 5 }), { amount: '0.000000005' });
  });

  it('moves the point of an integer by an exponent and its synonyms', () => {
    for (const name of ['exponent', 'decimals']) {
      const money = { amount: 1250, currency: 'USD', [name]: 2 };
      assert.deepEqual(readWallet(rawOf({ balance: money })).wallet?.balance, usd('12.50'), name);
      assert.deepEqual(readCost({ cost: { ...money, amount: '1250' } }), usd('12.50'), name);
      assert.deepEqual(readMoney({ ...money, amount: '12.50' }), usd('12.50'), `${name} of a decimal`);
    }
    assert.deepEqual(readCost({ cost: { amount: 250, currency: 'USD', exponent: 4 } }), usd('0.025'));
    assert.deepEqual(readCost({ cost: { amount: 250, currency: 'USD', exponent: -4 } }), usd('0.025'));
    assert.deepEqual(readMoney({ amount: 1250, currency: 'USD', subunit_to_unit: 100 }), usd('12.50'));
    for (const beside of [
      { exponent: 2 },
      { decimals: 2 },
      { minor_units: 2 },
      { scale: 2 },
      { divisor: 100 },
    ])
      assert.deepEqual(
        readWallet(rawOf({ balance: 1250, currency: 'USD', ...beside })).wallet?.balance,
        usd('12.50'),
        JSON.stringify(beside),
      );
    for (const currency of [
      { code: 'USD', exponent: 2 },
      { code: 'USD', minor_unit: 2 },
    ]) {
      assert.deepEqual(readMoney({ amount: 1250, currency }), usd('12.50'));
      assert.deepEqual(readMoney({ amount: '12.50', currency }), usd('12.50'));
      // Of dinero.js.
      assert.deepEqual(readMoney({ amount: 1250, currency, scale: 3 }), usd('1.25'));
    }
    const entry = { run_id: 'r', amount: -1250, currency: 'USD', exponent: 2 };
    assert.deepEqual(usageCell(entry, 'amount'), { kind: 'money', money: usd('-12.50') });
    assert.deepEqual(readCost({ cost: 250, currency: 'USD', exponent: 4, output: 1 }), usd('0.025'));
    const odd = { amount: 1250, currency: 'USD', unit: 'widgets' };
    assert.deepEqual(usageCell(odd, 'amount'), { kind: 'number', amount: '1250' });
  });

  it('makes an amount unreadable if it is not understood', () => {
    for (const qualifier of [
      { unit: 'widgets' },
      { unit: 'centiwidgets' },
      { unit: { name: 'x' } },
      { precision: 'high' },
      { factor: 3 },
      { multiplier: 100 },
      { divisor: 7 },
      { denomination: 'odd' },
      { exponent: 40 },
    ]) {
      const body = { balance: { amount: 1250, currency: 'USD', ...qualifier } };
      assert.equal(readWallet(rawOf(body)).wallet, undefined, JSON.stringify(body));
      assert.match(readWallet(rawOf(body)).words ?? '', /^amount 1250, currency USD/);
    }
    assert.equal(readMoney({ amount: 5, currency: 'MICROWIDGETS' }), undefined);
    assert.equal(readCost({ cost: 1250, cost_unit: 'widgets' }), undefined);
  });

  it('differs from a measure of a result and from the basis of a price', () => {
    assert.deepEqual(readCost({ cost: '0.01', precision: 0.93, scale: 2, output: 1 }), { amount: '0.01' });
    assert.deepEqual(readCost({ cost: '0.01', unit: 'image' }), { amount: '0.01' });
    assert.deepEqual(readCost({ cost: '0.01', unit: '1k tokens' }), { amount: '0.01' });
    const price = { amount: '0.01', currency: 'USD', unit: 'widget' };
    assert.deepEqual(readPrice({ price }), { money: usd('0.01'), per: 'widget' });
    assert.deepEqual(readPrice({ price: '0.01', unit: 'widget' })?.money, { amount: '0.01' });
    assert.deepEqual(readPrice({ price: { ...price, amount: 5, unit: 'cents' } })?.money, usd('0.05'));
  });

  it('reads decimal text with an exponent', () => {
    for (const [text, amount] of [
      ['1E-7', '0.0000001'],
      ['0E-10', '0'],
      ['1.25E+3', '1250'],
      ['-2e-3', '-0.002'],
      ['1E-7 USD', '0.0000001'],
    ] as const)
      assert.equal(readMoney(text)?.amount, amount, text);
    assert.equal(readMoney('1e999'), undefined);
  });
});
