import assert from 'node:assert/strict';
import { readDetail, readModel } from '../../../src/contracts/model';
import type { RunExample } from '../../../src/domain/model';
import { readSummary } from '../../../src/readers/catalog';
import { rawOf } from '../../support/rawOf';
import { of } from '../../support/toldContracts';

// The facts of a model beside its schemas: names, texts, examples, prices, and whether there is a model at all.

const model = (body: unknown, asked = 'm') => readModel(structuredClone(body), asked);
const summary = (row: unknown) => readSummary(structuredClone(row));

describe('A row of the catalog', () => {
  it('reads a text as slug and name', () => {
    assert.deepEqual(summary('a/b'), { slug: 'a/b', name: 'a/b', tags: [], modeNames: [], raw: 'a/b' });
    for (const row of [' ', '', 3, null, [], {}]) assert.equal(summary(row), undefined);
  });

  for (const [field, names, value, expected] of [
    ['slug', 'slug modelSlug endpoint_id model model_id modelName', 'x', 'x'],
    ['slug', 'id identifier key name', 'x', 'x'],
    ['id', 'id model_id uuid', 'x', 'x'],
    ['name', 'display_name title name label', 'x', 'x'],
    ['description', 'description short_description summary tagline', 'x', 'x'],
    ['group', 'category categories group task owner publisher organisation vendor author', 'x, y', 'x'],
    ['tags', 'tags keywords labels topics', 'x, y', ['x', 'y']],
  ] as const)
    for (const name of names.split(' '))
      it(`reads the ${field} under ${name}`, () => {
        const row = field === 'slug' ? { [name]: value } : { slug: 's', [name]: value };
        assert.deepEqual(summary(row)?.[field], expected);
      });

  it('reads modes from names, a table or text', () => {
    for (const [modes, expected] of [
      [{ execute: {}, index: true }, ['execute', 'index']],
      ['execute, index', ['execute', 'index']],
      [
        ['execute', 'index', 'execute'],
        ['execute', 'index'],
      ],
      [[{}, null, 'execute'], ['execute']],
      [3, []],
      [true, []],
      ...['mode', 'name', 'slug', 'key', 'id', 'operation'].map(
        (name) => [[{ [name]: 'execute' }], ['execute']] as const,
      ),
    ] as const)
      assert.deepEqual(summary({ slug: 's', modes })?.modeNames, expected, JSON.stringify(modes));
    assert.deepEqual(summary({ slug: 's' })?.modeNames, []);
  });

  it('counts before records in it, the first of these before others, and after its own model', () => {
    const row = {
      slug: 's',
      title: 'own',
      attributes: { title: 'attributes', tagline: 'first' },
      metadata: { tagline: 'second' },
    };
    assert.deepEqual([summary(row)?.name, summary(row)?.description], ['own', 'first']);
    assert.equal(summary({ ...row, model: { title: 'model' } })?.name, 'model');
    assert.equal(summary({ slug: 's', title: 'own', entry: { title: 'entry' } })?.name, 'own');
    assert.equal(summary({ slug: 's', model: 'x', title: 'own' })?.slug, 's');
  });

  it('reads a slug in a record of any name, but not that of an owner or of a distant record', () => {
    assert.equal(summary({ moon: { slug: 'x' } })?.slug, 'x');
    assert.equal(
      summary({ moon: { slug: 'x', title: 'T' }, attributes: { tagline: 'D' } })?.description,
      'D',
    );
    assert.equal(summary({ owner: { slug: 'x' } }), undefined);
    assert.equal(summary({ id: 'own', owner: { slug: 'x' } })?.slug, 'own');
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, index]));
    assert.equal(summary({ ...many, moon: { slug: 'x' } }), undefined);
    assert.equal(summary({ attributes: { name: 'x' } })?.slug, 'x');
  });
});

describe('A model', () => {
  it('takes the slug from the body, else from the request', () => {
    assert.equal(model({ slug: 'own' })?.slug, 'own');
    assert.equal(model({ name: 'Shown' })?.slug, 'm');
    assert.equal(model({ name: 'Shown' })?.name, 'Shown');
    assert.equal(model({ slug: null, name: 'Shown' })?.slug, 'm');
    assert.equal(model({ slug: ' ', name: 'Shown' })?.slug, 'm');
    assert.deepEqual(model({ moons: 3 })?.tags, []);
    assert.equal(model({ slug: 'm', raw: 1 })?.name, 'm');
  });

  for (const name of ['version', 'release_version', 'modelVersion', 'release'])
    it(`reads the version under ${name}`, () =>
      assert.equal(model({ slug: 'm', [name]: '2' })?.version, '2'));

  it('takes the version from the outermost record with one', () => {
    assert.equal(model({ slug: 'm', contract: { version: '2' } })?.version, '2');
    assert.equal(model({ slug: 'm', contract: { version: '2' }, version: '1' })?.version, '1');
    assert.equal(model({ slug: 'm' })?.version, undefined);
  });

  it('takes the price from the detail, else from any record in the body', () => {
    const amount = (body: object) => model(body)?.price?.money?.amount;
    assert.equal(amount({ slug: 'm', price: '1 USD', contract: { price: '2 USD' } }), '1');
    assert.equal(amount({ slug: 'm', contract: { price: '2 USD' } }), '2');
    assert.equal(amount({ slug: 'm' }), undefined);
  });

  it('takes its texts from the record about it', () => {
    const name = (body: object) => model(body)?.name;
    for (const own of ['slug', 'model_slug', 'endpoint_id'])
      assert.equal(name({ title: 'Page', data: { [own]: 'm', title: 'Model' } }), 'Model', own);
    assert.equal(name({ title: 'Page', data: { modes: ['execute'], title: 'Model' } }), 'Model');
    assert.equal(name({ title: 'Page', data: { x: 1, input_schema: of('a'), title: 'Model' } }), 'Model');
    assert.equal(name({ title: 'Page', data: { title: 'Model' } }), 'Page');
    assert.equal(name({ message: 'Hello', title: 'Page', data: { title: 'Model' } }), 'Model');
    assert.equal(name({ total: 3, data: { title: 'Model' } }), 'Model');
  });

  it('returns undefined for an error, a list without models, or a plain value', () => {
    for (const body of [
      { error: 'x' },
      { errors: ['x'] },
      { message: 'x' },
      { detail: 'x' },
      { message: 'x', name: 'y' },
      [{ moons: 3 }],
      [3],
      'x',
      null,
    ])
      assert.equal(model(body), undefined, JSON.stringify(body));
    for (const body of [
      { moons: 3 },
      { message: 'x', slug: 'm' },
      { detail: 'x', modes: ['execute'] },
      { error: null, moons: 3 },
      { message: 'x', contract: { schema: of('a') } },
      [{ slug: 'm' }],
    ])
      assert.ok(model(body), JSON.stringify(body));
  });

  it('ignores the members of a mode’s own records', () => {
    const body = {
      slug: 'm',
      modes: { execute: { version: '9', price: '9 USD', x: { input_schema: of('a') } } },
      search: { input_schema: of('b'), version: '8' },
    };
    assert.deepEqual([model(body)?.version, model(body)?.price], [undefined, undefined]);
    assert.deepEqual(model(body)?.modeNames, ['execute', 'search']);
  });

  it('says whether modes are declared, and which', () => {
    const declared = (body: object) => [model(body)?.modesDeclared, model(body)?.modeNames];
    assert.deepEqual(declared({ slug: 'm' }), [false, []]);
    assert.deepEqual(declared({ slug: 'm', search_input_schema: of('a') }), [true, ['search']]);
    assert.deepEqual(declared({ slug: 'm', operations: ['read'] }), [true, ['read']]);
    assert.deepEqual(declared({ slug: 'm', operations: ['read'], input_schema: of('a') }), [false, []]);
    assert.deepEqual(declared({ slug: 'm', operations: ['read'], input: { a: 'x' } }), [true, ['read']]);
    assert.deepEqual(declared({ slug: 'm', operations: ['read'], params_schema: of('a') }), [true, ['read']]);
  });
});

describe('A detail', () => {
  it('reads a body up to the limit of values, but not a larger one', async () => {
    const commas = (count: number) => ({ slug: 'm', input_schema: of('a'), data: Array(count - 1).fill(1) });
    for (const [body, isTooLarge] of [
      [commas(29_995), undefined],
      [commas(30_200), true],
    ] as const) {
      const read = readDetail(rawOf(body), 'm');
      assert.equal(read?.tooLargeToRead, isTooLarge);
      assert.equal(read?.modes[0]?.input.origin, isTooLarge ? 'unknown' : 'declared');
      assert.deepEqual(read?.raw, body);
    }
    const limit =
      '{"slug":"m","input_schema":{"type":"object","properties":{"a":{"maximum":12345678901234567890}}}}';
    const { schema } = readDetail(rawOf(limit), 'm')!.modes[0]!.input;
    assert.deepEqual(schema, { type: 'object', properties: { a: { maximum: 12345678901234567000 } } });
    assert.equal(readDetail(rawOf({ error: 'x' }), 'm'), undefined);
  });
});

describe('The examples of a mode are', () => {
  const input_schema = { type: 'object', properties: { a: { type: 'string' } } };
  const examplesOf = (examples: unknown, more: object = {}) =>
    model({ slug: 'm', modes: { execute: { input_schema, examples, ...more } } })?.modes[0]?.examples;
  const one = (title: string | undefined, a = 'x', params: object = {}) => [
    { title, input: { a }, params } as RunExample,
  ];
  const input = { a: 'x' };
  for (const [what, examples, expected] of [
    ['one', { input }, one(undefined)],
    ['one of an input alone', { a: 'x' }, one(undefined)],
    ['a list', [{ input }], one(undefined)],
    ['a list without its plain values', ['x', 3, null, { input }], one(undefined)],
    ['none of a text', 'x', []],
    ['a table', { 'A cat': { input } }, one('A cat')],
    ['a table of bodies', { 'A cat': { body: input } }, one('A cat')],
    ['a table of values', { 'A cat': { value: input } }, one('A cat')],
    [
      'no table, where one is no example',
      { a: { input }, b: 3 },
      [{ title: undefined, input: { a: { input }, b: 3 }, params: {} }],
    ],
    [
      'no table, where one has no input',
      { a: { x: 1 } },
      [{ title: undefined, input: { a: { x: 1 } }, params: {} }],
    ],
    ['with params', { input, params: { n: 1 } }, one(undefined, 'x', { n: 1 })],
    ['with parameters', { inputs: input, parameters: { n: 1 } }, one(undefined, 'x', { n: 1 })],
    ['without params that are no record', { input, params: 'n' }, one(undefined)],
    ['in a request', { name: 'T', request: { input, params: { n: 1 } } }, one('T', 'x', { n: 1 })],
    ['in a body', { label: 'T', body: { input } }, one('T')],
    ['in a value that is the input', { summary: 'T', value: input }, one('T')],
    [
      'the input with a title of its own',
      { title: 'T', a: 'x' },
      [{ title: undefined, input: { title: 'T', a: 'x' }, params: {} }],
    ],
    ['the input with the title of an example', { example_title: 'T', a: 'x' }, one('T')],
    ['the input beside its output', { output: 'o', a: 'x' }, one(undefined)],
    ['with the title before the name', { title: 'T', name: 'N', input }, one('T')],
    ['with the title of an example', { example_title: 'T', input }, one('T')],
    ['fifty of more', Array(60).fill({ input }), Array(50).fill(one(undefined)[0])],
    ['those that have a field of the input', [{ input: { b: 'x' } }, { input }], one(undefined)],
    ['also an empty one', [{ input: {} }], [{ title: undefined, input: {}, params: {} }]],
  ] as const)
    it(what, () => assert.deepEqual(examplesOf(examples), expected));

  it('the first that a record has any under', () => {
    assert.deepEqual(examplesOf([], { samples: [{ input }] }), one(undefined));
    assert.deepEqual(examplesOf([{ input }], { samples: [{ input: { a: 'y' } }] }), one(undefined));
  });

  it('the model’s, where it has none of its own and shares its schema', () => {
    const body = { slug: 'm', input_schema, examples: [{ input }] };
    assert.deepEqual(model(body)?.modes[0]?.examples, one(undefined));
    const [execute, search] =
      model({ ...body, modes: ['execute', 'search'], contract: { examples: [{ input: { a: 'y' } }] } })
        ?.modes ?? [];
    assert.deepEqual([execute?.examples, search?.examples], [one(undefined), []]);
    assert.deepEqual(
      model({ ...body, modes: [{ name: 'execute', examples: [{ input: { a: 'z' } }] }] })?.modes[0]?.examples,
      one(undefined, 'z'),
    );
    assert.deepEqual(
      model({ slug: 'm', modes: ['execute'], contract: { examples: [] }, spec: { examples: [{ input }] } })
        ?.modes[0]?.examples,
      one(undefined),
    );
  });

  it('those in the schema, where there are no others', () => {
    assert.deepEqual(
      model({ slug: 'm', input_schema: { ...input_schema, examples: [input] } })?.modes[0]?.examples,
      one(undefined),
    );
    assert.deepEqual(
      model({ slug: 'm', input_schema: { ...input_schema, examples: 'x' } })?.modes[0]?.examples,
      [],
    );
    assert.deepEqual(model({ slug: 'm', input: { a: 'x' } })?.modes[0]?.examples, one(undefined));
    assert.deepEqual(model({ slug: 'm' })?.modes[0]?.examples, []);
    assert.deepEqual(
      model({
        slug: 'm',
        input_schema: { ...input_schema, examples: [input] },
        examples: [{ input: { b: 1 } }],
      })?.modes[0]?.examples,
      one(undefined),
    );
  });

  it('any, of an input with open fields, without fields, or that is but an example', () => {
    for (const schema of [
      { ...input_schema, additionalProperties: { type: 'string' } },
      { type: 'object', additionalProperties: { type: 'string' } },
    ])
      assert.deepEqual(
        model({ slug: 'm', input_schema: schema, examples: [{ input: { b: 1 } }] })?.modes[0]?.examples,
        [{ title: undefined, input: { b: 1 }, params: {} }],
      );
    assert.equal(
      model({ slug: 'm', input: { a: 'x' }, examples: [{ input: { b: 1 } }] })?.modes[0]?.examples[0]?.input
        .b,
      1,
    );
    assert.equal(
      model({
        slug: 'm',
        input_schema: { type: 'object', properties: { theText: {} } },
        examples: [{ input: { the_text: 1, b: 2 } }],
      })?.modes[0]?.examples.length,
      1,
    );
  });
});

describe('A mode', () => {
  const modes = (body: object) => model({ slug: 'm', ...body })?.modes;
  const first = (mode: object, more: object = {}) =>
    modes({ modes: [{ name: 'chat', ...mode }], ...more })?.[0];

  it('reads its own title, description and price', () => {
    for (const name of ['title', 'display_name', 'label']) assert.equal(first({ [name]: 'T' })?.title, 'T');
    for (const name of ['description', 'summary']) assert.equal(first({ [name]: 'D' })?.description, 'D');
    assert.equal(first({ price: '1 USD' }, { pricing: { chat: '2 USD' } })?.price?.money?.amount, '1');
    for (const name of ['pricing', 'prices', 'price'])
      assert.equal(first({}, { [name]: { chat: '2 USD' } })?.price?.money?.amount, '2', name);
    assert.equal(first({}, { pricing: { chat: '2', currency: 'EUR' } })?.price?.money?.currency, 'EUR');
    assert.equal(
      first({}, { pricing: { other: '2 USD' }, contract: { pricing: { chat: '3 USD' } } })?.price?.money
        ?.amount,
      '3',
    );
    assert.equal(first({})?.price, undefined);
  });

  it('takes each of these from the first place that has it', () => {
    const mode = modes({
      modes: [{ name: 'chat', title: null, summary: 'first' }],
      contract: { modes: [{ name: 'chat', Title: 'second', summary: 'second' }] },
    })?.[0];
    assert.deepEqual([mode?.title, mode?.description], ['second', 'first']);
  });

  it('asks for a scope if it says so', () => {
    for (const flag of [
      { vector_backed: true },
      { requiresScope: true },
      { needs_scope: {} },
      { scope: true },
      { scope: 'required' },
      { scope: { required: true } },
      { required: ['scope'] },
      { required_fields: ['input', 'scope'] },
    ])
      assert.equal(first(flag)?.vectorBacked, true, JSON.stringify(flag));
    for (const flag of [
      {},
      { vector_backed: false },
      { vector: 'no' },
      { scope: 'optional' },
      { scope: { required: false } },
      { scope: {} },
      { required: ['input'] },
      { required: 'scope' },
    ])
      assert.equal(first(flag)?.vectorBacked, false, JSON.stringify(flag));
    assert.deepEqual(
      modes({ modes: ['execute', 'INDEX', 'search'] })?.map(({ vectorBacked }) => vectorBacked),
      [false, true, true],
    );
  });

  it('uses the interface’s documented input, unless the model takes no images', () => {
    const origin = (more: object) => modes({ modes: ['search'], ...more })?.[0]?.input.origin;
    for (const more of [
      {},
      { modalities: ['text', 'image'] },
      { tags: 'text, photos' },
      { task: 'texture' },
      { category: 'visual search', tags: 'documents' },
      { moons: 'text' },
      { input_types: [] },
      { base: { deep: { task: 'text' } } },
    ])
      assert.equal(origin(more), 'documented', JSON.stringify(more));
    for (const more of [
      { modality: 'text' },
      { modalities: ['audio'] },
      { inputModalities: [{ name: 'videos' }] },
      { input_types: 'speech' },
      { media_type: 'document' },
      { task: 'text-search' },
      { category: 'Audio' },
      { tags: ['fast', 'text'] },
    ])
      assert.equal(origin(more), 'unknown', JSON.stringify(more));
  });

  it('shares the one schema of a model: execute, or the others without it', () => {
    const origins = (...names: string[]) =>
      modes({ modes: names, input_schema: of('a') })?.map(({ input }) => input.origin);
    assert.deepEqual(origins('execute'), ['declared']);
    assert.deepEqual(origins('search'), ['declared']);
    assert.deepEqual(origins('Execute', 'search'), ['declared', 'documented']);
    assert.deepEqual(origins('execute', 'chat'), ['declared', 'unknown']);
    assert.deepEqual(origins('chat', 'talk'), ['declared', 'declared']);
    assert.deepEqual(origins('chat', 'search'), ['declared', 'documented']);
    assert.deepEqual(origins('chat', 'executes'), ['declared', 'declared']);
    assert.deepEqual(origins('chat', 'reexecute'), ['declared', 'declared']);
    assert.deepEqual(origins('executes', 'execute'), ['unknown', 'declared']);
  });
});
