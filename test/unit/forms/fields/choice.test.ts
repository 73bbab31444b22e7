import assert from 'node:assert/strict';
import type { Json, JsonSchema } from '../../../../src/domain/json';
import { member } from '../../../support/forms/fieldCases';

describe('A field for a choice', () => {
  const labels = (schema: JsonSchema, value?: Json) => {
    const field = member('a', schema, value);
    return field.kind === 'choice' ? field.variants.map(({ label }) => label) : field.kind;
  };

  it('names each variant by its title, its tag, its type or its first own member', () => {
    assert.deepEqual(labels({ type: ['string', 'number', 'boolean', 'array', 'object'] }), [
      ...['Text', 'Number', 'True or false', 'List', 'Object'],
    ]);
    assert.deepEqual(labels({ type: ['integer', 'boolean'] }), ['Whole number', 'True or false']);
    assert.deepEqual(labels({ oneOf: [{ title: 'One', type: 'string' }, { type: 'array' }] }), [
      'One',
      'List',
    ]);
    const tagged = (kind: string) => ({ properties: { kind: { const: kind }, size: {} } });
    assert.deepEqual(labels({ oneOf: [tagged('round'), tagged('square')] }), ['round', 'square']);
    const single = { properties: { kind: { enum: ['only'] } } };
    const several = { type: 'object', properties: { how: { enum: ['x', 'y'] } } };
    assert.deepEqual(labels({ oneOf: [single, several] }), ['only', 'how']);
    const object = (...required: string[]) => ({
      ...{ type: 'object', required },
      properties: { id: {}, first: {}, second: {} },
    });
    assert.deepEqual(labels({ required: ['id'], oneOf: [object('second'), object('id', 'first')] }), [
      ...['second', 'first'],
    ]);
    assert.deepEqual(labels({ oneOf: [{ description: 'Any' }, { type: 'object' }] }), [
      'Variant 1',
      'Object',
    ]);
    assert.deepEqual(labels({ title: 'Both', oneOf: [{ $ref: '#/x' }, { type: 'array' }] }), [
      'Variant 1',
      'List',
    ]);
  });

  it('begins a variant with the members that it shares with the value', () => {
    const shape = (kind: string, members: { [name: string]: JsonSchema }): JsonSchema => ({
      type: 'object',
      required: ['kind', ...Object.keys(members)],
      properties: { kind: { const: kind }, ...members },
    });
    const schema: JsonSchema = {
      oneOf: [
        shape('round', { colour: { type: 'string' }, size: { type: 'integer' }, radius: { type: 'number' } }),
        shape('square', { colour: { type: 'string' }, size: { type: 'string' }, side: { type: 'number' } }),
      ],
    };
    const entered = { kind: 'round', colour: 'red', size: 3, radius: 2 };
    const field = member('a', schema, entered);
    assert.ok(field.kind === 'choice');
    const square = field.variants[1]!.initial(entered) as { [name: string]: Json };
    assert.deepEqual([square.kind, square.colour, square.radius], ['square', 'red', undefined]);
    assert.notEqual(square.size, 3);
    const round = field.variants[0]!.initial(square) as { [name: string]: Json };
    assert.deepEqual([round.kind, round.colour], ['round', 'red']);
    assert.deepEqual(field.variants[1]!.initial('text'), field.variants[1]!.initial());
  });

  it('tells options apart that read alike', () => {
    const optionLabels = (schema: JsonSchema) => {
      const field = member('a', schema);
      return field.kind === 'enum' ? field.options.map(({ label }) => label) : field.kind;
    };
    assert.deepEqual(optionLabels({ enum: [1, '1', 2] }), ['1', '"1"', '2']);
    assert.deepEqual(
      optionLabels({ oneOf: [{ const: 'a', title: 'Same' }, { const: 'b', title: 'Same' }, { const: 'c' }] }),
      ['Same ("a")', 'Same ("b")', 'c'],
    );
  });

  it('describes each variant, with a valid initial value and its own content', () => {
    const field = member(
      'a',
      {
        title: 'Shape',
        required: ['id'],
        properties: { id: { const: 7 } },
        oneOf: [
          {
            title: 'Round',
            description: 'Has a radius',
            type: 'object',
            properties: { r: { type: 'number' } },
          },
          { title: 'List', type: 'array', minItems: 1, items: { type: 'boolean' } },
        ],
      },
      [true],
    );
    assert.ok(field.kind === 'choice');
    assert.equal(field.label, 'Shape');
    assert.deepEqual(
      field.variants.map((variant) => [variant.description, variant.initial()]),
      [
        ['Has a radius', { id: 7 }],
        [undefined, [false]],
      ],
    );
    assert.equal(field.selected, 1);
    assert.equal(field.content()?.kind, 'array');
    assert.equal(field.content()?.label, 'Shape');
    assert.equal(field.content()?.pointer, '/input/a');
    assert.equal(field.content(), field.content());
  });

  it('selects no variant while it is unset, or null', () => {
    const schema = { oneOf: [{ type: 'object' }, { type: 'array' }, { type: 'null' }] };
    for (const value of [undefined, null]) {
      const field = member('a', schema, value);
      assert.ok(field.kind === 'choice');
      assert.deepEqual([field.selected, field.content()], [-1, undefined]);
    }
  });

  it('takes oneOf before anyOf, and one variant for no choice', () => {
    const two = [
      { title: 'A', type: 'string' },
      { title: 'B', type: 'array' },
    ];
    assert.deepEqual(
      labels({
        oneOf: two,
        anyOf: [
          { title: 'C', type: 'string' },
          { title: 'D', type: 'array' },
        ],
      }),
      ['A', 'B'],
    );
    assert.deepEqual(labels({ oneOf: [{ title: 'C', type: 'string' }], anyOf: two }), ['A', 'B']);
    assert.equal(labels({ oneOf: [{ title: 'C', type: 'string' }] }), 'text');
  });
});
