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

/** The schema of fields in any layout. */
function schemaIn(contract: unknown): { properties: Properties; required?: string[] } {
  propertiesOf(contract);
  return readShape(contract)?.schema as { properties: Properties; required?: string[] };
}

describe('The required fields of a table', () => {
  it('come from a list beside the fields, in any layout and spelling', () => {
    const table = { a: { type: 'string' }, b: { type: 'int' } };
    const list = Object.entries(table).map(([name, field]) => ({ name, ...field }));
    for (const contract of [
      { fields: table, required: ['a'] },
      { fields: list, required: ['a', 'unknown'] },
      { properties: list, required: ['a'] },
      { Type: 'object', Properties: { a: { Type: 'string' }, b: { Type: 'int' } }, Required: ['a'] },
      {
        fields: [
          { name: 'a', type: 'String!' },
          { name: 'b', type: 'Int' },
        ],
      },
    ])
      assert.deepEqual(schemaIn(contract).required, ['a'], JSON.stringify(contract));
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

describe('A list of fields', () => {
  it('makes a list of a field that takes several values', () => {
    const [photos, tags, styles] = Object.values(
      propertiesOf([
        { name: 'photos', type: 'image', multiple: true, max_items: 4, required: true },
        { name: 'tags', type: 'string', multiple: true, max_length: 10, label: 'Tags' },
        { name: 'styles', type: 'select', options: ['a', 'b'], multiple: true, default: ['a'] },
      ]),
    );
    assert.deepEqual([photos?.type, photos?.maxItems], ['array', 4]);
    const { image } = propertiesOf([{ name: 'image', type: 'image' }]);
    assert.deepEqual(photos?.items, image);
    assert.deepEqual(tags, { type: 'array', items: { type: 'string', maxLength: 10 }, title: 'Tags' });
    assert.deepEqual(styles, { type: 'array', items: { enum: ['a', 'b'] }, default: ['a'] });
  });

  it('repeats an item type once, in any spelling of the list', () => {
    const type = fc.constantFrom('string', 'int', 'image', 'file', 'float', 'bool', 'color', 'Optional[int]');
    fc.assert(
      fc.property(type, fc.boolean(), (name, multiple) => {
        const one = propertiesOf([{ name: 'a', type: name }]).a;
        for (const field of [
          { name: 'a', type: name, multiple: true },
          { name: 'a', type: `${name}[]` },
          { name: 'a', type: `${name}[]`, multiple },
          { name: 'a', type: `list[${name}]`, multiple },
        ])
          assert.deepEqual(propertiesOf([field]).a, { type: 'array', items: one }, JSON.stringify(field));
      }),
    );
  });

  it('keeps bounds, null, labels of options, accepted types and formats', () => {
    const fields = propertiesOf([
      { name: 'strength', type: 'float', exclusive_minimum: 0, exclusive_maximum: 1, advanced: true },
      { name: 'seed', type: 'Optional[int]' },
      {
        name: 'size',
        type: 'select',
        choices: [
          { value: 's', label: 'Small' },
          { value: 'l', label: 'Large' },
        ],
      },
      { name: 'cover', type: 'file', accept: 'image/png' },
      { name: 'day', type: 'date' },
      { name: 'tint', type: 'color', nullable: true },
    ]);
    assert.deepEqual(fields.strength, {
      type: 'number',
      exclusiveMinimum: 0,
      exclusiveMaximum: 1,
      'x-advanced': true,
    });
    assert.deepEqual(fields.seed, { type: 'integer', nullable: true });
    assert.deepEqual(fields.size, { enum: ['s', 'l'], enumNames: ['Small', 'Large'] });
    assert.equal(fields.cover?.accept, 'image/png');
    assert.deepEqual(fields.day, { type: 'string', format: 'date' });
    assert.deepEqual(fields.tint, { type: 'string', format: 'color', nullable: true });
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
