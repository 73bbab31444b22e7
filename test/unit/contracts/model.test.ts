import assert from 'node:assert/strict';
import { readModel } from '../../../src/contracts/model';
import { readShape } from '../../../src/contracts/shape';

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

  it('leaves the input unknown when the body has no contract', () => {
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

  it('returns undefined for an error, a list or a page', () => {
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

  it('turns field lists, tables of types and bare examples into JSON Schema, and names the source', () => {
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
