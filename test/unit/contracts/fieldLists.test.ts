import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readModel } from '../../../src/contracts/model';
import { readShape } from '../../../src/contracts/shape';

type Properties = Record<string, Record<string, unknown>>;

function propertiesOf(contract: unknown): Properties {
  const shape = readShape(contract);
  assert.equal(shape?.origin, 'fields', JSON.stringify(contract));
  return (shape.schema as { properties: Properties }).properties;
}

describe('A table of fields', () => {
  it('contains fields that combine other schemas, even a single one', () => {
    const size = { allOf: [{ $ref: '#/components/schemas/size' }], default: 'small', description: 'Of it.' };
    for (const table of [
      { size },
      { size, style: { anyOf: [{ type: 'string' }, { type: 'null' }], title: 'S' } },
    ])
      assert.deepEqual(Object.keys(propertiesOf(table)), Object.keys(table));
    assert.deepEqual(propertiesOf({ size }).size, size);
  });
});

describe('A table of fields under “schema”', () => {
  it('counts as the input, with any names of its fields', () => {
    const name = fc.constantFrom(
      'model',
      'data',
      'value',
      'content',
      'item',
      'body',
      'prompt',
      'seed',
      'title',
      'x',
    );
    const field = fc.record({
      type: fc.constantFrom('string', 'integer', 'boolean'),
      description: fc.string(),
    });
    fc.assert(
      fc.property(fc.dictionary(name, field, { minKeys: 2, noNullPrototype: true }), (table) => {
        const input = readModel({ slug: 'm', schema: table }, 'm')?.modes[0]?.input;
        assert.equal(input?.at, '/schema', JSON.stringify(table));
        const { properties } = input.schema as { properties: Properties };
        assert.deepEqual(Object.keys(properties).sort(), Object.keys(table).sort());
      }),
    );
  });
});

describe('A table of types', () => {
  const known = fc.constantFrom<unknown>(
    'string',
    'int',
    { type: 'integer', default: 3 },
    { type: 'string', description: 'What to say' },
    { type: ['number', 'null'] },
  );
  const odd = fc.constantFrom<unknown>(
    'Scheduler',
    { type: 'Tensor', description: 'A file' },
    { description: 'Anything' },
    { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  );

  it('stays one when some entries are odd: those are open, the others typed', () => {
    fc.assert(
      fc.property(
        fc.array(known, { minLength: 1, maxLength: 5 }),
        fc.array(odd, { maxLength: 4 }),
        (ones, odds) => {
          fc.pre(odds.length < ones.length);
          const table = Object.fromEntries([
            ...odds.map((entry, index) => [`odd${index}`, entry]),
            ...ones.map((entry, index) => [`known${index}`, entry]),
          ]);
          const properties = propertiesOf(table);
          assert.deepEqual(Object.keys(properties), Object.keys(table));
          for (const [name, schema] of Object.entries(properties))
            assert.equal('type' in schema, name.startsWith('known'), JSON.stringify([name, schema]));
        },
      ),
    );
  });

  it('excludes an example, even one with members such as type', () => {
    for (const example of [
      { text: 'A nice day', n: 3 },
      { type: 'text', text: 'hi' },
      { kind: 'image', format: 'file', title: 'My cat' },
      { image: { media_ref: 'x', type: 'image' }, text: 'What is this?' },
      { image: { media_ref: 'x', type: 'image' } },
    ])
      assert.equal(readShape(example)?.origin, 'example', JSON.stringify(example));
  });
});
