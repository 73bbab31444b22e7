import assert from 'node:assert/strict';
import type { RawResponse } from '../../../src/service/client';
import { path } from '../../../src/service/paths';
import { rawResponse } from '../../../src/service/rawResponse';
import { readError } from '../../../src/service/reading/error';
import { readList } from '../../../src/service/reading/list';
import { readModel } from '../../../src/service/reading/model';
import { readCost, readMoney, readPrice } from '../../../src/service/reading/money';
import { readRunResponse } from '../../../src/service/reading/run';
import { readShape } from '../../../src/service/reading/shape';
import { readMediaRef, readUploadTicket } from '../../../src/service/reading/upload';
import { readWallet } from '../../../src/service/reading/wallet';

const rawOf = (body: unknown, status = 200, headers: Record<string, string> = {}): RawResponse => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return rawResponse(status, { 'content-type': 'application/json', ...headers }, Buffer.from(text), {
    maxBytes: 1e6,
  });
};

describe('reading a list', () => {
  it('takes bare arrays, envelopes, nested envelopes and tables by slug', () => {
    for (const body of [
      ['a', 'b'],
      { results: ['a', 'b'] },
      { data: { items: ['a', 'b'] } },
      { models: ['a', 'b'], total: 2 },
      { response: { models: ['a', 'b'] } },
    ])
      assert.deepEqual(readList(body)?.items, ['a', 'b'], JSON.stringify(body));
    assert.deepEqual(readList({ models: { a: { name: 'A' } } })?.items, [{ slug: 'a', name: 'A' }]);
    for (const body of [null, 1, 'a', {}, { message: 'hello' }]) assert.equal(readList(body), undefined);
  });

  it('finds the next page in the body or the Link header, and takes no cursor for an address', () => {
    for (const body of [
      { items: [], next: '/p2' },
      { items: [], links: { next: { href: '/p2' } } },
      { items: [], _links: { next: { href: '/p2' } } },
      { data: [], meta: { next_page_url: '/p2' } },
      { items: [], pagination: { next: '/p2' } },
    ])
      assert.equal(readList(body)?.next, '/p2', JSON.stringify(body));
    assert.equal(readList([], { link: '</p1>; rel="prev", </p2>; rel="next"' })?.next, '/p2');
    const cursor = readList({ items: [], next_cursor: 'abc' });
    assert.deepEqual([cursor?.next, cursor?.goesOn], [undefined, true]);
    assert.equal(readList({ items: [], next: null })?.goesOn, false);
  });
});

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

  it('finds what a run cost, and takes no token count for money', () => {
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

  it('reads wallets in every usual spelling, and leaves the others unrecognised', () => {
    const balance = (body: unknown) => readWallet(rawOf(body)).value?.balance;
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
    assert.equal(readWallet(rawOf({ balance: 0, status: 'suspended' })).value?.status, 'suspended');
    for (const body of [{}, { hello: 1 }, [{ balance: 1 }, { balance: 2 }], 'x'])
      assert.equal(balance(body), undefined);
  });

  it('takes no absurd amount, currency or status into a status bar', () => {
    const wallet = (body: unknown) => readWallet(rawOf(body)).value;
    for (const amount of [
      '9'.repeat(300),
      1e300,
      1e-300,
      '1e5',
      'NaN',
      '0x10',
      '12,50',
      'lots',
      true,
      {},
      [],
    ])
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

describe('reading a model', () => {
  const input_schema = { type: 'object', properties: { text: { type: 'string' } } };
  const modesOf = (body: unknown) =>
    readModel(body, 'm')?.modes.map(({ name, vectorBacked, input }) => [name, vectorBacked, input.origin]);

  it('takes modes as an object, an array, a list of names, or missing', () => {
    assert.deepEqual(
      modesOf({ slug: 'm', modes: { execute: { input_schema }, index: { inputSchema: input_schema } } }),
      [
        ['execute', false, 'declared'],
        ['index', true, 'declared'],
      ],
    );
    assert.deepEqual(
      modesOf({ data: { slug: 'm', modes: [{ name: 'execute', schema: { input: input_schema } }] } }),
      [['execute', false, 'declared']],
    );
    assert.deepEqual(modesOf({ slug: 'm', modes: ['index', 'search'] }), [
      ['index', true, 'documented'],
      ['search', true, 'documented'],
    ]);
    assert.deepEqual(modesOf({ slug: 'm', input_schema }), [['execute', false, 'declared']]);
    assert.deepEqual(modesOf({ slug: 'm', contract: { modes: { classify: { requires_scope: true } } } }), [
      ['classify', true, 'unknown'],
    ]);
    assert.deepEqual(modesOf({ slug: 'm', task: 'text-search', modes: ['search'] }), [
      ['search', true, 'unknown'],
    ]);
    assert.deepEqual(
      [
        readModel({ slug: 'm' }, 'm')?.modesDeclared,
        readModel({ slug: 'm', modes: ['execute'] }, 'm')?.modesDeclared,
      ],
      [false, true],
    );
  });

  it('does not give index and search the one schema of a model that also executes', () => {
    assert.deepEqual(modesOf({ slug: 'm', input_schema, modes: ['execute', 'search'] }), [
      ['execute', false, 'declared'],
      ['search', true, 'documented'],
    ]);
    assert.deepEqual(
      modesOf({
        slug: 'm',
        modes: ['index', 'search'],
        input_schema: { index: input_schema, search: input_schema },
      }),
      [
        ['index', true, 'declared'],
        ['search', true, 'declared'],
      ],
    );
  });

  it('takes what nobody knows when the body tells nothing', () => {
    for (const body of [{}, { moons: 3 }]) {
      const model = readModel(body, 'm');
      assert.equal(model?.slug, 'm');
      assert.deepEqual(
        model?.modes.map(({ name, input }) => [name, input.origin]),
        [['execute', 'unknown']],
      );
      assert.deepEqual(model?.raw, body);
    }
  });

  it('is undefined for an error, a list or a page', () => {
    for (const body of [{ error: 'x' }, [], 'x', null, { message: 'no' }])
      assert.equal(readModel(body, 'm'), undefined, JSON.stringify(body));
  });

  it('keeps examples with input and params, and those that are the input alone', () => {
    const model = readModel(
      {
        slug: 'm',
        modes: {
          execute: { examples: [{ title: 'A', input: { text: 'x' }, params: { n: 1 } }, { text: 'y' }] },
        },
      },
      'm',
    );
    assert.deepEqual(model?.modes[0]?.examples, [
      { title: 'A', input: { text: 'x' }, params: { n: 1 } },
      { title: undefined, input: { text: 'y' }, params: {} },
    ]);
  });

  it('turns field lists, tables of types and bare examples into JSON Schema, and says from what', () => {
    const list = readShape([
      { name: 'text', type: 'string', required: true, label: 'Text' },
      { name: 'n', type: 'int', min: 1, default: 3 },
      { name: 'pic', type: 'image' },
    ]);
    assert.equal(list?.origin, 'fields');
    const schema = list?.schema as {
      properties: Record<string, Record<string, unknown>>;
      required: string[];
    };
    assert.deepEqual(schema.required, ['text']);
    assert.deepEqual(schema.properties.n, { type: 'integer', minimum: 1, default: 3 });
    assert.equal(schema.properties.pic?.['x-media-type'], 'image');
    assert.deepEqual(readShape({ text: 'string', tags: 'string[]' })?.schema, {
      type: 'object',
      properties: { text: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
    });
    assert.equal(readShape({ text: 'A nice day', n: 3 })?.origin, 'example');
    assert.equal(readShape({ type: 'text', text: 'hi' })?.origin, 'example');
    assert.equal(readShape(JSON.stringify(input_schema))?.origin, 'declared');
    assert.equal(readShape({ schema: input_schema })?.schema, input_schema);
    assert.equal(readShape({}), undefined);
  });
});

describe('reading a run’s response', () => {
  const asked = new URL('https://a.example/api/runs');
  const read = (body: unknown, status = 200, headers = {}) =>
    readRunResponse(rawOf(body, status, headers), asked);

  it('takes envelopes and bare results, and says what it did not recognise', () => {
    assert.deepEqual(
      [read({ status: 'succeeded', output: 1 }).output, read({ data: { status: 'done', result: 2 } }).output],
      [1, 2],
    );
    const hits = [{ id: 'a', score: 1 }];
    assert.deepEqual(read({ results: hits, run_id: 'r' }).output, hits);
    assert.deepEqual(read(hits).output, hits);
    assert.deepEqual(
      [read({ label: 'cat', score: 1 }).recognised, read({ foo: 1 }).recognised],
      [true, false],
    );
    assert.deepEqual(read({ foo: 1 }).output, { foo: 1 });
  });

  it('tells finished, accepted and failed apart', () => {
    assert.equal(read({ id: 'x', status: 'IN_PROGRESS' }).state, 'accepted');
    assert.equal(read({ id: 'x' }, 202).state, 'accepted');
    const failed = read({ status: 'failed', error: { message: 'too dark' } });
    assert.deepEqual([failed.state, failed.message], ['failed', 'too dark']);
    assert.deepEqual(
      [read({ success: false, message: 'no' }).state, read({ error: null, output: 1 }).state],
      ['failed', 'finished'],
    );
  });

  it('names an address to ask at only when it is of the same origin', () => {
    assert.equal(
      read({ status: 'queued', status_url: '/api/runs/1' }, 202).followUrl,
      'https://a.example/api/runs/1',
    );
    assert.equal(
      read({ status: 'queued', urls: { get: 'https://a.example/r/1' } }).followUrl,
      'https://a.example/r/1',
    );
    assert.equal(read({ status: 'queued' }, 202, { location: '/r/2' }).followUrl, 'https://a.example/r/2');
    for (const status_url of [
      'https://b.example/r',
      '//b.example/r',
      'http://a.example/r',
      'javascript:1',
      'file:///x',
    ])
      assert.equal(read({ status: 'queued', status_url }, 202).followUrl, undefined, status_url);
  });
});

describe('reading uploads and errors', () => {
  it('takes identifiers and references in the usual spellings', () => {
    for (const body of [
      { upload_url: 'u', upload_id: 'i' },
      { uploadUrl: 'u', uploadId: 'i' },
      { data: { upload_url: 'u', id: 'i' } },
      { upload: { url: 'u' }, id: 'i' },
    ]) {
      const ticket = readUploadTicket(body);
      assert.deepEqual(
        [ticket?.uploadUrl, ticket?.uploadId, ticket?.method],
        ['u', 'i', 'PUT'],
        JSON.stringify(body),
      );
    }
    assert.equal(readUploadTicket({ upload_url: 'u' }), undefined);
    for (const body of [
      { media_ref: 'r' },
      { mediaRef: 'r' },
      { data: { media_ref: 'r' } },
      { media: { ref: 'r' } },
    ])
      assert.equal(readMediaRef(body), 'r');
  });

  it('finds the sentence in JSON of the common shapes, text and HTML', () => {
    const said = (body: unknown, type = 'application/json') =>
      readError(rawOf(body, 400, { 'content-type': type })).said;
    assert.equal(said({ error: 'a' }), 'a');
    assert.equal(said({ error: { message: 'a', code: 'b' } }), 'a');
    assert.equal(
      said({ detail: [{ loc: ['body', 'scope'], msg: 'is too long' }] }),
      'body.scope: is too long',
    );
    assert.equal(said({ errors: { scope: ['is bad'] } }), 'scope: is bad');
    assert.equal(said({ title: 'Bad', detail: 'very bad' }), 'very bad');
    assert.equal(said('just\ntext', 'text/plain'), 'just text');
    assert.equal(
      said(
        '<html><head><title>502 Bad Gateway</title><style>x{}</style></head><body><h1>502 Bad Gateway</h1><hr>nginx</body></html>',
        'text/html',
      ),
      '502 Bad Gateway nginx',
    );
    assert.equal(said('', 'text/plain'), undefined);
  });
});

describe('a path', () => {
  it('encodes its parameters and refuses what could leave the segment', () => {
    assert.equal(path`/api/models/${'a b/ü?#%'}`, '/api/models/a%20b%2F%C3%BC%3F%23%25');
    for (const bad of ['', '.', '..', 'a/../b', '..\\x', '%2e%2e', '.%2E', 'a%2f..', '\ud800'])
      assert.throws(() => path`/x/${bad}`, { name: 'ServiceError' }, bad);
  });
});
