import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bodyJson } from '../../../src/intake/bodyContent';
import { readCost, readSignedCost } from '../../../src/readers/cost';
import { readMoney } from '../../../src/readers/money';
import { readPrice } from '../../../src/readers/price';
import { readRunResponse } from '../../../src/readers/run';
import { readWallet } from '../../../src/readers/wallet';
import { rawOf } from '../../support/rawOf';

describe('reading money', () => {
  it('takes decimal text, numbers, cents, micros and nanos exactly', () => {
    const cases: [unknown, string, string?][] = [
      ['12.50', '12.50'],
      [0.1, '0.1'],
      [1e-7, '0.0000001'],
      [1.5e21, '1500000000000000000000'],
      ['$1,234.50', '1234.50', 'USD'],
      ['12.50 eur', '12.50', 'EUR'],
      ['-3 credits', '-3', 'credits'],
      [{ amount: '4', currency: 'usd' }, '4', 'USD'],
      [{ amount_cents: 1250, currency: 'USD' }, '12.50', 'USD'],
      [{ cents: 5 }, '0.05'],
      [{ amount: 1250, unit: 'cents' }, '12.50'],
      [{ units: '1', nanos: 750_000_000, currency_code: 'EUR' }, '1.75', 'EUR'],
      [{ value: '7', currency: { code: 'CHF' } }, '7', 'CHF'],
      [{ micros: 12_500 }, '0.0125'],
      [{ amount: 5, currency: 'cents' }, '0.05'],
      [{ total: ' 3 ', price: 9 }, '3'],
    ];
    for (const [value, amount, currency] of cases)
      assert.deepEqual({ currency, ...readMoney(value) }, { amount, currency }, JSON.stringify(value));
    for (const no of ['free', '', 'EUR 12,50', null, true, [], {}, Number.NaN])
      assert.equal(readMoney(no), undefined, String(no));
  });

  it('rejects ambiguous amounts', () => {
    for (const text of [
      ...['1,234', '$1,234', '12,50', '1,5', '1.234,56', '1,234.5,0', '1,234 567', '1,23,456'],
      ...['~5', '<5', '5-', '(5', '5)', '(-5)', '((5))', '- -5', '5 / 6', '5%', '0x10', '5;6'],
    ])
      assert.equal(readMoney(text), undefined, text);
  });

  it('takes the code of a currency before a sign that many have, and rejects two currencies', () => {
    const cases: [string, string, string][] = [['£5 GBP', '5', 'GBP']];
    for (const [text, amount, currency] of cases) assert.deepEqual(readMoney(text), { amount, currency });
    for (const text of ['$5 EUR', '€5 USD', 'EUR 5 USD', '$5 credits', '$5 each'])
      assert.equal(readMoney(text), undefined, text);
  });

  it('rejects amounts that a word makes inexact', () => {
    for (const word of ['from', 'about', 'up to', 'ab', 'circa', 'max', 'over', 'approx'])
      for (const text of [`${word} $0.01`, `${word} 0.01`, `${word} 0.01 USD`])
        assert.deepEqual([readMoney(text), readPrice({ price: text })], [undefined, { text }], text);
  });

  it('takes no cost and no price below zero, so that neither gives a budget money back', () => {
    for (const below of [-5, '-0.01', { amount: '-1', currency: 'USD' }, '-1e-9']) {
      assert.equal(readCost({ cost: below }), undefined, JSON.stringify(below));
      assert.equal(readPrice({ price: below })?.money, undefined, JSON.stringify(below));
    }
    assert.deepEqual(readPrice({ price: -5, currency: 'USD' }), { text: '-5 USD' });
    for (const zero of [0, '0.00']) assert.equal(Number(readCost({ cost: zero })?.amount), 0);
  });

  it('keeps the written sign and amount', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 20n }),
        fc.nat({ max: 99 }),
        fc.constantFrom('-', ''),
        fc.constantFrom('', '$', '€', 'USD '),
        (whole, cents, sign, currency) => {
          const grouped = whole.toLocaleString('en-US');
          const fraction = `.${String(cents).padStart(2, '0')}`;
          const text = `${sign}${currency}${grouped}${fraction}`;
          assert.equal(readMoney(text)?.amount, `${sign === '' ? '' : '-'}${whole}${fraction}`, text);
        },
      ),
    );
  });

  it('keeps every digit of ids and amounts beyond 2^53', () => {
    const body =
      '{"run_id": 12345678901234567890, "cost_micros": 9007199254740993000001, "output": {"n": 1}}';
    const raw = { ...rawOf(null), json: bodyJson(new TextEncoder().encode(body), 'application/json') };
    const response = readRunResponse(raw, new URL('https://models.test/api/runs'));
    assert.equal(response.runId, '12345678901234567890');
    assert.equal(response.cost?.amount, '9007199254740993.000001');
    const exact = readMoney({ units: '9007199254740993', nanos: 5, currency_code: 'USD' });
    assert.deepEqual(exact, { amount: '9007199254740993.000000005', currency: 'USD' });
  });

  it('finds the cost of a run, and takes no token count for money', () => {
    assert.deepEqual(readCost({ cost: '0.01', currency: 'USD' }), { amount: '0.01', currency: 'USD' });
    assert.deepEqual(readCost({ billing: { amount: 2 }, currency: 'EUR' }), { amount: '2', currency: 'EUR' });
    assert.deepEqual(readCost({ billing: { charged_cents: 3 } }), { amount: '0.03' });
    assert.deepEqual(readCost({ cost_usd: 0.5 }), { amount: '0.5', currency: 'USD' });
    assert.equal(readCost({ usage: { total: 812, total_tokens: 812 } }), undefined);
  });

  it('reads published prices, and keeps words it cannot read', () => {
    assert.deepEqual(readPrice({ price: { amount: '0.002', currency: 'USD', unit: 'image' } }), {
      money: { amount: '0.002', currency: 'USD' },
      per: 'image',
    });
    assert.deepEqual(readPrice({ price: '$0.02 per second' }), {
      money: { amount: '0.02', currency: 'USD' },
      per: 'second',
      text: '$0.02 per second',
    });
    assert.deepEqual(readPrice({ pricing: 'free in preview' }), { text: 'free in preview' });
    assert.deepEqual(readPrice({ pricing: { prompt: '0.000001', completion: 0.000002 } }), {
      text: 'prompt 0.000001, completion 0.000002',
    });
    assert.equal(readPrice({ pricing: { currency: 'USD', tier: 'free' } }), undefined);
    assert.equal(readPrice({ price: 2, currency: 'USD', exponent: 2 })?.money, undefined);
  });

  it('finds a wallet under each name, with its currency and its state', () => {
    const wallet = (body: unknown) => readWallet(rawOf(body)).wallet;
    assert.deepEqual(wallet({ credits: 5 })?.balance, { amount: '5', currency: 'credits' });
    for (const body of [
      { credits: { total: 200, used: 130, remaining: 70 } },
      { credits: { remaining: '70', limit: 200 } },
      { data: { credits: { available: 70 } } },
    ])
      assert.deepEqual(wallet(body)?.balance, { amount: '70', currency: 'credits' }, JSON.stringify(body));
    for (const body of [{ current_balance: '5', x: 1 }, { balance_cents: 500 }])
      assert.equal(Number(wallet(body)?.balance.amount), 5, JSON.stringify(body));
    assert.equal(wallet({ credits: { total: 200, used: 130 } }), undefined);
    const five = { balance: '5', currency: 'USD' };
    for (const body of [{ account: five }, { code: 0, msg: 'ok', data: five }])
      assert.deepEqual(wallet(body)?.balance, { amount: '5', currency: 'USD' }, JSON.stringify(body));
    for (const body of [
      { success: false, balance: 0 },
      { error: 'unauthorized', balance: 0 },
      { balance: 1250, currency: 'USD', minor_unit_factor: 100 },
      { balance: 50_000, unit: '0.0001 USD' },
      { rate_limit: { remaining: 59 } },
    ])
      assert.equal(wallet(body), undefined, JSON.stringify(body));
    assert.equal(wallet({ ...five, error: null })?.balance.amount, '5');
    assert.deepEqual(wallet({ balance: { total: 200, available: '150.00' }, currency: 'USD' })?.balance, {
      amount: '150.00',
      currency: 'USD',
    });
    assert.deepEqual(wallet({ credits: '5 EUR' })?.balance, { amount: '5', currency: 'EUR' });
    assert.deepEqual(wallet({ balance: 5, credits: 7 })?.balance, { amount: '5' });
    assert.deepEqual(wallet({ balance: 5, available: 3 })?.balance, { amount: '3' });
    assert.deepEqual(wallet({ data: { balance: 5, status: 'inner' }, status: 'outer' })?.status, 'inner');
    assert.equal(wallet({ data: { data: { balance: 5 } } }), undefined);
  });

  it('takes the unit and the currency from the name, from beside the amount and from around it', () => {
    const cases: [object, string, string?][] = [
      [{ cost: 1250, unit: 'cent' }, '12.50'],
      [{ cost_cents: 500, currency: 'JPY' }, '5.00', 'JPY'],
      [{ cost: 5, unit: 'micros', currency: 'JPY' }, '0.000005', 'JPY'],
      [{ currency: 'EUR', billing: { amount: '3', currency: 'CHF' } }, '3', 'CHF'],
      [{ currency: 'x'.repeat(24), cost: 3 }, '3', 'x'.repeat(24)],
      [{ currency: 'x'.repeat(25), cost: 3 }, '3'],
      [{ cost: 1250, unit: 'image' }, '1250'],
      [{ cost: { value: 3, currency: 'EUR' }, currency: 'USD' }, '3', 'EUR'],
      [{ cost: '3 EUR', currency: 'USD' }, '3', 'EUR'],
      [{ cost: { units: 3, nanos: 250_000_000 } }, '3.25'],
      [{ cost: { nanos: 5 } }, '0.000000005'],
      [{ cost: { units: '-1', nanos: -500_000_000 } }, '-1.5'],
    ];
    for (const [record, amount, currency] of cases)
      assert.deepEqual(
        readSignedCost(record as never),
        currency === undefined ? { amount } : { amount, currency },
        JSON.stringify(record),
      );
    // A unit or a scale that is not understood makes an amount not understood.
    for (const other of [
      { cost: 1250, unit: 'minor', currency: 'KWD' },
      { cost: 1250, currency: 'USD', exponent: 2 },
      { cost: 1250, currency: 'mUSD_cent' },
      { cost: 3, unit: 'widgets' },
    ])
      assert.equal(readSignedCost(other), undefined, JSON.stringify(other));
    for (const no of [
      { units: 'x', nanos: 5 },
      { units: 3, nanos: 1e9 },
      { units: 3, nanos: 0.5 },
      { units: 3 },
      { units: '1.5', nanos: 0 },
    ])
      assert.equal(readCost({ cost: no }), undefined, JSON.stringify(no));
  });

  it('never brings an absurd amount, currency or status into a status bar', () => {
    const wallet = (body: unknown) => readWallet(rawOf(body)).wallet;
    for (const amount of ['9'.repeat(300), 1e300, 1e-300, 'NaN', '0x10', '12,50', 'lots', true, {}, []])
      assert.equal(wallet({ balance: amount }), undefined, String(amount));
    assert.deepEqual(wallet({ balance: '-5.00' })?.balance, { amount: '-5.00' });
    assert.deepEqual(wallet({ balance: '0.000000000000000001', currency: 'ETH' })?.balance, {
      amount: '0.000000000000000001',
      currency: 'ETH',
    });
    for (const currency of ['x'.repeat(500), 'US\nD', ''])
      assert.deepEqual(wallet({ balance: 5, currency })?.balance, { amount: '5' });
    const status = wallet({ balance: 5, status: `active\n${'very '.repeat(1000)}` })?.status ?? '';
    assert.match(status, /^active very .{1,60}$/);
    assert.ok(status.length <= 60);
  });
});
