import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json, JsonSchema } from '../../../src/domain/json';
import { matches } from '../../../src/forms/evaluation/matches';
import { initialObject, initialValue, parsedAs, schemaDefault } from '../../../src/forms/initialValue';
import { compileSchema } from '../../../src/forms/schema/compile';

const of = (schema: JsonSchema): Json => {
  const compiled = compileSchema(schema);
  return initialValue(compiled, compiled.root);
};
const fits = (schema: JsonSchema, value: Json): boolean => {
  const compiled = compileSchema(schema);
  return matches(compiled, compiled.root, value);
};

describe('The value that a place begins with', () => {
  it('equals the schema’s constant, valid default or only value', () => {
    assert.equal(of({ const: 7 }), 7);
    assert.equal(of({ type: 'string', default: 'red' }), 'red');
    assert.equal(of({ type: 'integer', default: '1024' }), 1024, 'as a generator wrote it');
    assert.equal(
      of({ type: 'integer', minimum: 5, default: 1 }),
      5,
      'a default that breaks its own schema is none',
    );
    assert.equal(of({ type: 'string', default: null }), '');
    assert.equal(of({ enum: ['only'] }), 'only');
  });

  it('falls back to the empty value of the type', () => {
    assert.equal(of({ type: 'string' }), '');
    assert.equal(of({ type: 'boolean' }), false);
    assert.equal(of({ type: 'number' }), 0);
    assert.deepEqual(of({ type: 'object' }), {});
    assert.deepEqual(of({ type: 'array' }), []);
    assert.equal(of({ enum: ['a', 'b'] }), 'a');
    assert.equal(of({}), null);
  });

  it('contains the required members of an object with known values, at any depth', () => {
    const schema: JsonSchema = {
      type: 'object',
      required: ['kind', 'size', 'text', 'inner', 'constructor'],
      properties: {
        kind: { const: 'circle' },
        size: { type: 'integer', default: 3 },
        text: { type: 'string' },
        inner: {
          type: 'object',
          required: ['on'],
          properties: { on: { type: 'boolean' }, off: { const: 1 } },
        },
        other: { const: 'left out' },
      },
    };
    assert.deepEqual(of(schema), { kind: 'circle', size: 3, inner: { on: false } });
    const compiled = compileSchema(schema);
    assert.deepEqual(initialObject(compiled, compiled.root), {
      kind: 'circle',
      size: 3,
      inner: { on: false },
    });
    const text = compileSchema({ type: 'string', default: 'no object' });
    assert.deepEqual(initialObject(text, text.root), {});
  });

  it('equals that of a choice’s first variant, or null where null is allowed', () => {
    const round = { type: 'object', required: ['kind'], properties: { kind: { const: 'round' } } };
    const square = { type: 'object', required: ['kind'], properties: { kind: { const: 'square' } } };
    assert.deepEqual(of({ oneOf: [round, square] }), { kind: 'round' });
    assert.deepEqual(of({ anyOf: [square, round] }), { kind: 'square' });
    const common = { type: 'object', required: ['id'], properties: { id: { const: 1 } } };
    assert.deepEqual(of({ ...common, oneOf: [round, square] }), { kind: 'round', id: 1 });
  });

  it('contains the minimum of a list’s items, and one for each named place', () => {
    assert.deepEqual(of({ type: 'array', minItems: 2, items: { type: 'string' } }), ['', '']);
    assert.deepEqual(of({ type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }] }), [0, '']);
    assert.equal((of({ type: 'array', minItems: 1e9, items: {} }) as Json[]).length, 20);
    const image = { type: 'object', required: ['media_ref'], properties: { media_ref: { type: 'string' } } };
    assert.deepEqual(of({ type: 'array', minItems: 2, items: image }), [], 'files are for the user to add');
  });

  it('lies within the bounds of a number, if any number does', () => {
    const bound = fc.option(
      fc.oneof(fc.integer({ min: -20, max: 20 }), fc.constantFrom(0.5, -0.5, 0.25, 7.5)),
      {
        nil: undefined,
      },
    );
    const bounds = fc.record({
      type: fc.constantFrom('number', 'integer'),
      minimum: bound,
      exclusiveMinimum: bound,
      maximum: bound,
      exclusiveMaximum: bound,
      multipleOf: fc.constantFrom(undefined, undefined, 1, 2, 5, 0.5, 1.5),
    });
    const grid = Array.from({ length: 161 }, (_, at) => (at - 80) / 4);
    fc.assert(
      fc.property(bounds, (all) => {
        const schema = Object.fromEntries(
          Object.entries(all).filter(([, value]) => value !== undefined),
        ) as JsonSchema;
        const value = of(schema);
        const possible = grid.filter((number) => fits(schema, number));
        if (possible.length > 0)
          assert.ok(fits(schema, value), `${JSON.stringify(schema)}: ${JSON.stringify(value)}`);
        if (possible.includes(0)) assert.equal(value, 0);
      }),
      { numRuns: 600 },
    );
    assert.equal(of({ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }), 0.5);
    assert.equal(of({ type: 'integer', exclusiveMinimum: 0 }), 1);
    assert.equal(of({ type: 'number', minimum: 1, multipleOf: 1e-320 }), 1);
    assert.equal(of({ type: 'integer', minimum: 1, maximum: 0 }), 0, 'where nothing fits, the form says so');
  });

  it('equals the nearest valid number, whole before others', () => {
    for (const [bounds, expected] of [
      [{ minimum: 3 }, 3],
      [{ minimum: 2.5 }, 3],
      [{ exclusiveMinimum: 3 }, 4],
      [{ maximum: -3 }, -3],
      [{ maximum: -2.5 }, -3],
      [{ exclusiveMaximum: -3 }, -4],
      [{ minimum: -5, maximum: 5 }, 0],
      [{ minimum: 1, multipleOf: 4 }, 4],
      [{ exclusiveMinimum: 4, multipleOf: 4 }, 8],
      [{ maximum: -1, multipleOf: 5 }, -5],
      [{ exclusiveMaximum: -5, multipleOf: 5 }, -10],
      [{ type: 'integer', minimum: 1, multipleOf: 1.5 }, 3],
      [{ type: 'integer', exclusiveMinimum: 1, multipleOf: 0.5 }, 2],
      [{ type: 'integer', minimum: 1, multipleOf: 0.4 }, 2],
      [{ type: 'integer', minimum: 3, multipleOf: 0.3 }, 3],
      [{ type: 'integer', minimum: 1, multipleOf: 0.75 }, 3],
      [{ minimum: 0.1, maximum: 0.2 }, 0.1],
      [{ exclusiveMinimum: 0.125, maximum: 0.5 }, 0.5],
      [{ exclusiveMinimum: 1, exclusiveMaximum: 2 }, 1.5],
      [{ minimum: 0, exclusiveMinimum: 1, exclusiveMaximum: 1.5, maximum: 9 }, 1.25],
      [{ minimum: 1, multipleOf: -2 }, 1],
      [{ minimum: '1', exclusiveMinimum: 1, multipleOf: '2' }, 2],
    ] as const)
      assert.equal(of({ type: 'number', ...bounds } as JsonSchema), expected, JSON.stringify(bounds));
  });

  it('leaves a file for the user to choose', () => {
    const image: JsonSchema = {
      type: 'object',
      required: ['media_ref'],
      properties: { media_ref: { type: 'string' } },
    };
    assert.deepEqual(of(image), { media_ref: '' });
    assert.deepEqual(
      of({ type: 'object', required: ['image'], properties: { image } }),
      {},
      'left to the user',
    );
    assert.deepEqual(
      of({
        type: 'array',
        minItems: 2,
        items: { type: 'object', required: ['a'], properties: { a: { const: 1 } } },
      }),
      [{ a: 1 }, { a: 1 }],
    );
  });

  it('prefers null in a choice, and the first of listed values', () => {
    assert.equal(of({ oneOf: [{ type: 'string' }, { type: 'array' }, { type: 'null' }] }), null);
    assert.equal(of({ type: ['string', 'boolean'] }), '');
    assert.equal(of({ enum: ['only'], default: 'other' }), 'only', 'a default that is not listed is none');
  });

  it('ends for a schema that requires itself', () => {
    const loop: JsonSchema = {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          required: ['next', 'on'],
          properties: { next: { $ref: '#/$defs/node' }, on: { const: 1 } },
        },
      },
    };
    let depth = 0;
    for (let at = of(loop) as { next?: typeof at } | undefined; at?.next; at = at.next) depth++;
    assert.ok(depth > 2 && depth < 12, String(depth));
    const both = {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { $ref: '#/$defs/n' }, b: { $ref: '#/$defs/n' } },
    };
    assert.ok(JSON.stringify(of({ $ref: '#/$defs/n', $defs: { n: both } })).length < 100_000);
  });
});

describe('A default that is text where another type belongs', () => {
  it('returns a value of that type, or the unchanged text when it cannot', () => {
    assert.equal(parsedAs('number', '2.5'), 2.5);
    assert.equal(parsedAs('boolean', 'true'), true);
    assert.equal(parsedAs('object', 'null'), null);
    assert.equal(parsedAs('integer', 'many'), 'many');
    assert.equal(parsedAs('string', '2.5'), '2.5');
    assert.equal(parsedAs(undefined, '2.5'), '2.5');
    assert.equal(parsedAs('number', true), true);
    assert.equal(schemaDefault({ type: 'integer', default: '7' }), 7);
    assert.equal(schemaDefault({ type: 'integer', default: undefined }), undefined);
    assert.equal(schemaDefault({ type: 'integer' }), undefined);
  });
});
