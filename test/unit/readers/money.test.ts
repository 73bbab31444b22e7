import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bodyJson } from '../../../src/readers/bodyContent';
import { readCost } from '../../../src/readers/cost';
import { readMoney } from '../../../src/readers/money';
import { readPrice } from '../../../src/readers/price';
import { readRunResponse } from '../../../src/readers/run';
import { readWallet } from '../../../src/readers/wallet';
import { rawOf } from '../../support/rawOf';

describe('reading money', () => {
  it('takes decimal text, numbers, cents, minor units and nanos exactly', () => {
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
      [{ amount_minor: 500, currency: 'JPY' }, '500', 'JPY'],
      [{ amount: 1250, unit: 'cents' }, '12.50'],
      [{ units: '1', nanos: 750_000_000, currency_code: 'EUR' }, '1.75', 'EUR'],
      [{ value: '7', currency: { code: 'CHF' } }, '7', 'CHF'],
      [{ micros: 12_500 }, '0.0125'],
    ];
    for (const [value, amount, currency] of cases)
      assert.deepEqual(
        readMoney(value),
        currency === undefined ? { amount } : { amount, currency },
        JSON.stringify(value),
      );
    for (const no of ['free', '', 'EUR 12,50', null, true, [], {}, Number.NaN])
      assert.equal(readMoney(no), undefined, String(no));
  });

  it('takes the signs of books and typesetters as minus', () => {
    const cases: [string, string, string?][] = [
      ['−5.00', '-5.00'],
      ['－5.00', '-5.00'],
      ['(5.00)', '-5.00'],
      ['($5.00)', '-5.00', 'USD'],
      ['$(5.00)', '-5.00', 'USD'],
      ['(5.00 EUR)', '-5.00', 'EUR'],
      ['EUR (1,234.50)', '-1234.50', 'EUR'],
      ['−$1,234,567', '-1234567', 'USD'],
      ['€ −5', '-5', 'EUR'],
      ['+5', '5'],
      ['1 234 567.5 CHF', '1234567.5', 'CHF'],
      ["1'234.50", '1234.50'],
    ];
    for (const [text, amount, currency] of cases)
      assert.deepEqual(readMoney(text), currency === undefined ? { amount } : { amount, currency }, text);
  });

  it('rejects ambiguous amounts', () => {
    for (const text of [
      ...['1,234', '$1,234', '12,50', '1,5', '1.234,56', '1,234.5,0', '1,234 567', '1,23,456'],
      ...['~5', '<5', '5-', '(5', '5)', '(-5)', '((5))', '- -5', '5 / 6', '5%', '0x10', '5;6'],
    ])
      assert.equal(readMoney(text), undefined, text);
  });

  it('keeps the written sign and amount', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 20n }),
        fc.nat({ max: 99 }),
        fc.constantFrom('-', '−', '(', ''),
        fc.constantFrom('', '$', '€', 'USD '),
        (whole, cents, sign, currency) => {
          const grouped = whole.toLocaleString('en-US');
          const fraction = `.${String(cents).padStart(2, '0')}`;
          const text = `${sign}${currency}${grouped}${fraction}${sign === '(' ? ')' : ''}`;
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
    assert.deepEqual(readMoney({ units: '9007199254740993', nanos: 5, currency_code: 'USD' }), {
      amount: '9007199254740993.000000005',
      currency: 'USD',
    });
  });

  it('finds the cost of a run, and takes no token count for money', () => {
    assert.deepEqual(readCost({ cost: '0.01', currency: 'USD' }), { amount: '0.01', currency: 'USD' });
    assert.deepEqual(readCost({ billing: { amount: 2 }, currency: 'EUR' }), { amount: '2', currency: 'EUR' });
    assert.deepEqual(readCost({ meta: { billing: { charged_cents: 3 } } }), { amount: '0.03' });
    assert.deepEqual(readCost({ usage: { cost_usd: 0.5 } }), { amount: '0.5', currency: 'USD' });
    assert.equal(readCost({ usage: { total: 812, total_tokens: 812 } }), undefined);
  });

  it('reads published prices, and keeps words it cannot read', () => {
    assert.deepEqual(readPrice({ price: { amount: '0.002', currency: 'USD', unit: 'image' } }), {
      money: { amount: '0.002', currency: 'USD' },
      per: 'image',
    });
    assert.deepEqual(readPrice({ price_per_run: 0.5 })?.per, 'run');
    assert.deepEqual(readPrice({ price: '$0.02 per second' }), {
      money: { amount: '0.02', currency: 'USD' },
      per: 'second',
      text: '$0.02 per second',
    });
    assert.deepEqual(readPrice({ pricing: 'free in preview' }), { text: 'free in preview' });
  });

  it('reads a price under each name and for each unit, at any usual place', () => {
    const usd = (amount: string) => ({ amount, currency: 'USD' });
    const cases: [object, object][] = [
      ...['price_per_run', 'costPerRun', 'price_per_call'].map((name): [object, object] => [
        { [name]: '2' },
        { money: { amount: '2' }, per: 'run' },
      ]),
      ...['request', 'image', 'second'].map((per): [object, object] => [
        { [`price_per_${per}`]: '2' },
        { money: { amount: '2' }, per },
      ]),
      ...['price', 'pricing', 'cost', 'unit_price'].map((name): [object, object] => [
        { [name]: '$2' },
        { money: usd('2'), per: undefined },
      ]),
      ...['per', 'price_unit', 'pricingUnit', 'billing_unit'].map((name): [object, object] => [
        { price: 2, [name]: 'page' },
        { money: { amount: '2' }, per: 'page' },
      ]),
      ...['per', 'unit', 'billing_unit', 'unitName', 'basis'].map((name): [object, object] => [
        { price: { amount: 2, [name]: 'page' } },
        { money: { amount: '2' }, per: 'page' },
      ]),
      ...['run', 'request', 'image', 'second', 'item', 'call'].flatMap((per): [object, object][] => [
        [{ pricing: { [`per_${per}`]: '2' } }, { money: { amount: '2' }, per }],
        [{ pricing: { [per]: '2' } }, { money: { amount: '2' }, per }],
      ]),
      [{ price: '2 USD / image' }, { money: usd('2'), per: 'image', text: '2 USD / image' }],
      [{ price: ' $2 PER image ' }, { money: usd('2'), per: 'image', text: '$2 PER image' }],
      [{ price: 'a lot per image' }, { text: 'a lot per image' }],
      [{ price: '2 persimmons' }, { money: { amount: '2', currency: 'persimmons' }, per: undefined }],
      [{ pricing: { price_per_run: '2' } }, { money: { amount: '2' }, per: 'run' }],
      [{ pricing: { price: '2', unit: 'x' } }, { money: { amount: '2' }, per: 'x' }],
    ];
    for (const [record, price] of cases)
      assert.deepEqual(readPrice(record as never), price, JSON.stringify(record));
    for (const no of [{}, { amount: 2 }, { price: ' ' }, { price: true }, { price: {} }, { price: null }])
      assert.equal(readPrice(no), undefined, JSON.stringify(no));
  });

  it('finds a wallet under each name, with its currency and its state', () => {
    const wallet = (body: unknown) => readWallet(rawOf(body)).wallet;
    for (const name of [
      ...[
        'available_balance',
        'available',
        'balance',
        'currentBalance',
        'remaining',
        'remaining_balance',
        'amount',
        'funds',
      ],
      'credit',
    ])
      assert.deepEqual(wallet({ [name]: '5' })?.balance, { amount: '5' }, name);
    assert.deepEqual(wallet({ credits: 5 })?.balance, { amount: '5', currency: 'credits' });
    assert.deepEqual(wallet({ credits: '5 EUR' })?.balance, { amount: '5', currency: 'EUR' });
    assert.deepEqual(wallet({ balance: 5, credits: 7 })?.balance, { amount: '5' });
    assert.deepEqual(wallet({ balance: 5, available: 3 })?.balance, { amount: '3' });
    for (const name of ['wallet', 'data', 'result', 'workspace', 'account', 'billing'])
      assert.deepEqual(
        wallet({ currency: 'EUR', state: 'ok', [name]: { balance: 5 } }),
        { balance: { amount: '5', currency: 'EUR' }, status: 'ok' },
        name,
      );
    assert.deepEqual(wallet({ data: { balance: 5, status: 'inner' }, status: 'outer' })?.status, 'inner');
    for (const name of ['suspended', 'is_suspended', 'frozen', 'blocked'])
      assert.deepEqual(
        [wallet({ balance: 5, [name]: true })?.status, wallet({ balance: 5, [name]: false })?.status],
        ['suspended', undefined],
        name,
      );
    const deep = (levels: number): unknown => (levels === 0 ? { balance: 5 } : { data: deep(levels - 1) });
    assert.deepEqual([wallet(deep(3))?.balance.amount, wallet(deep(4))], ['5', undefined]);
    assert.equal(wallet([[[[[{ balance: 5 }]]]]]), undefined);
  });

  it('finds the cost of a run in each possible place', () => {
    for (const name of [
      'cost',
      'total_cost',
      'charge',
      'charged',
      'chargedAmount',
      'amount_charged',
      'price',
    ])
      assert.deepEqual(readCost({ [name]: '2' }), { amount: '2' }, name);
    for (const place of ['billing', 'cost', 'receipt', 'charge'])
      for (const name of ['cost', 'price', 'amount', 'total', 'fee', 'charged'])
        assert.deepEqual(
          readCost({ currency: 'EUR', [place]: { [name]: '2' } }),
          { amount: '2', currency: 'EUR' },
          place + name,
        );
    for (const place of ['usage', 'pricing', 'meta', 'metadata', 'metrics']) {
      assert.deepEqual(readCost({ [place]: { charge: '2' } }), { amount: '2' }, place);
      assert.equal(readCost({ [place]: { total: '2', amount: 3, fee: 4, price: 5 } }), undefined, place);
      for (const inner of ['billing', 'cost', 'receipt'])
        assert.deepEqual(readCost({ [place]: { [inner]: { total: '2' } } }), { amount: '2' }, place + inner);
    }
    assert.deepEqual(readCost({ cost: '1', billing: { total: '2' } }), { amount: '1' });
    assert.equal(readCost({ billing: 'monthly', output: { cost: '2' } }), undefined);
  });

  it('takes the unit and the currency from the name, from beside the amount and from around it', () => {
    const cases: [object, string, string?][] = [
      ...['cost_cents', 'cost_in_cents'].map((name): [object, string] => [{ [name]: 1250 }, '12.50']),
      ...['minor', 'minorUnits', 'in_minor_units', 'minor_unit'].map((name): [object, string, string] => [
        { [`cost_${name}`]: 500, currency: 'JPY' },
        '500',
        'JPY',
      ]),
      ...['micros', 'in_micros', 'microUnits'].map((name): [object, string] => [
        { [`cost_${name}`]: 12_500 },
        '0.0125',
      ]),
      ...['usd', 'eur', 'gbp', 'chf', 'inr', 'jpy', 'cad', 'aud', 'cny'].map(
        (code): [object, string, string] => [
          { [`cost_${code}`]: 3, currency: 'XXX' },
          '3',
          code.toUpperCase(),
        ],
      ),
      ...['unit', 'units', 'amount_unit', 'currency_unit'].map((name): [object, string] => [
        { cost: 1250, [name]: 'cents' },
        '12.50',
      ]),
      [{ cost: 1250, unit: 'cent' }, '12.50'],
      [{ cost_cents: 500, currency: 'JPY' }, '5.00', 'JPY'],
      [{ cost: 5, unit: 'micros', currency: 'JPY' }, '0.000005', 'JPY'],
      [{ cost: 1250, unit: 'minor', currency: 'KWDs' }, '12.50', 'KWDs'],
      [{ currency: 'EUR', billing: { amount: '3', currency: 'CHF' } }, '3', 'CHF'],
      [{ currency: 'x'.repeat(24), cost: 3 }, '3', 'x'.repeat(24)],
      [{ currency: 'x'.repeat(25), cost: 3 }, '3'],
      [{ cost: 1250, unit: 'Minor Units', currency: 'usd' }, '12.50', 'USD'],
      [{ cost: 1250, unit: 'minor', currency: 'KWD' }, '1.25', 'KWD'],
      [{ cost: 1250, unit: 'minor', currency: 'points' }, '12.50', 'points'],
      [{ cost: 1250, unit: 'image' }, '1250'],
      ...['currency', 'currency_code', 'ccy', 'currencyIso'].map((name): [object, string, string] => [
        { cost: 3, [name]: 'chf' },
        '3',
        'CHF',
      ]),
      ...['code', 'iso', 'iso_code', 'id', 'name', 'symbol'].map((name): [object, string, string] => [
        { cost: 3, currency: { [name]: '€' } },
        '3',
        'EUR',
      ]),
      ...(
        [
          ['£', 'GBP'],
          ['₹', 'INR'],
          ['$', 'USD'],
          ['US$', 'USD'],
        ] as const
      ).map(([symbol, code]): [object, string, string] => [{ cost: 3, currency: symbol }, '3', code]),
      ...['amount', 'value', 'total', 'price', 'decimal'].map((name): [object, string] => [
        { cost: { [name]: '3' } },
        '3',
      ]),
      [{ cost: { value: 3, currency: 'EUR' }, currency: 'USD' }, '3', 'EUR'],
      [{ cost: '3 EUR', currency: 'USD' }, '3', 'EUR'],
      [{ cost: { units: 3, nanos: 250_000_000 } }, '3.25'],
      [{ cost: { nanos: 5 } }, '0.000000005'],
      [{ cost: { units: '-1', nanos: -500_000_000 } }, '-1.5'],
      [{ cost: { units: 3, currencyCode: 'EUR' } }, '3', 'EUR'],
    ];
    for (const [record, amount, currency] of cases)
      assert.deepEqual(
        readCost(record as never),
        currency === undefined ? { amount } : { amount, currency },
        JSON.stringify(record),
      );
    for (const no of [
      { units: 'x', nanos: 5 },
      { units: 3, nanos: 1e9 },
      { units: 3, nanos: 0.5 },
      { units: 3 },
      { units: '1.5', nanos: 0 },
    ])
      assert.equal(readCost({ cost: no }), undefined, JSON.stringify(no));
    assert.deepEqual(readMoney('1'.repeat(36)), { amount: '1'.repeat(36) });
    assert.equal(readMoney('1'.repeat(37)), undefined);
    assert.equal(readMoney(`${' '.repeat(100)}1`), undefined);
    assert.deepEqual(readMoney(`${' '.repeat(99)}1`), { amount: '1' });
    assert.deepEqual(readMoney('.5'), { amount: '0.5' });
  });

  it('reads wallets in every usual spelling, and leaves the others unrecognised', () => {
    const balance = (body: unknown) => readWallet(rawOf(body)).wallet?.balance;
    assert.deepEqual(balance({ balance: '9.90', currency: 'USD' }), { amount: '9.90', currency: 'USD' });
    assert.deepEqual(balance({ wallet: { balance_cents: 990, currency: 'usd' } }), {
      amount: '9.90',
      currency: 'USD',
    });
    assert.deepEqual(balance({ data: { available: { amount: 3, currency: 'EUR' }, balance: 5 } }), {
      amount: '3',
      currency: 'EUR',
    });
    assert.deepEqual(balance([{ balance: 1 }]), { amount: '1' });
    assert.equal(readWallet(rawOf({ balance: 0, status: 'suspended' })).wallet?.status, 'suspended');
    for (const body of [{}, { hello: 1 }, [{ balance: 1 }, { balance: 2 }], 'x'])
      assert.equal(balance(body), undefined);
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
