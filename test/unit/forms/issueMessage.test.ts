import assert from 'node:assert/strict';
import type { Json, JsonSchema } from '../../../src/domain/json';
import { validateValue } from '../../../src/forms/validate';

/** The messages for a value that breaks a schema, each as `pointer message`. */
const said = (schema: JsonSchema, value: Json) =>
  validateValue(schema, value).issues.map(({ pointer, message }) => `${pointer} ${message}`.trim());

const REF = { type: 'object', properties: { media_ref: { type: 'string' } }, required: ['media_ref'] };

describe('A problem of the schema reads as a next step', () => {
  const cases: readonly (readonly [schema: JsonSchema, value: Json, message: string])[] = [
    [{ type: 'integer' }, 'a', 'Enter a whole number.'],
    [{ type: 'number' }, 'a', 'Enter a number.'],
    [{ type: 'boolean' }, 'a', 'Choose true or false.'],
    [{ type: 'string' }, 1, 'Enter text.'],
    [{ type: 'array' }, 1, 'This must be a list.'],
    [{ type: 'object' }, 1, 'This must be an object with named values.'],
    [{ type: 'string' }, null, 'This must not be null.'],
    [{ type: 'null' }, 1, 'Only null is allowed here.'],
    [{ type: ['string', 'null'] }, 1, 'Enter text.'],
    [{ type: ['integer', 'boolean', 'null'] }, 'a', 'Enter one of: a whole number, true or false.'],
    [{ type: ['string', 'number'] }, null, 'This must not be null.'],
    [{ type: ['string', 'number'] }, true, 'Enter one of: text, a number.'],
    [{ type: ['array', 'object'] }, true, 'Enter one of: a list, an object.'],
    [{ enum: ['a', 2, ''] }, 'b', 'Choose one of: a, 2, "".'],
    [{ enum: [1, 2, 3, 4, 5, 6, 7, 8] }, 0, 'Choose one of: 1, 2, 3, 4, 5, 6, 7, 8.'],
    [
      { enum: [1, 2, 3, 4, 5, 6, 7, 8, 9] },
      0,
      'Choose one of the 9 allowed values: 1, 2, 3, 4, 5, 6, 7, 8, …',
    ],
    [{ enum: ['x'.repeat(60)] }, '', `Choose one of: ${'x'.repeat(60)}.`],
    [{ enum: ['x'.repeat(61)] }, '', `Choose one of: ${'x'.repeat(59)}….`],
    [{ const: 'x' }, 1, 'This must be x.'],
    [{ const: { a: 1 } }, 1, 'This must be {"a":1}.'],
    [{ minimum: 2 }, 1, 'Enter 2 or more.'],
    [{ maximum: 2 }, 3, 'Enter 2 or less.'],
    [{ exclusiveMinimum: 2 }, 2, 'Enter more than 2.'],
    [{ exclusiveMaximum: 2 }, 2, 'Enter less than 2.'],
    [{ multipleOf: 3 }, 4, 'Enter a multiple of 3.'],
    [{ minLength: 1 }, '', 'Enter some text.'],
    [{ minLength: 3 }, '', 'Enter some text.'],
    [{ minLength: 3 }, 'ab', 'Enter at least 3 characters.'],
    [{ maxLength: 2 }, 'a😀b', 'Enter at most 2 characters; there are 3.'],
    [{ pattern: '^a' }, 'b', 'This must match the pattern ^a.'],
    [{ minItems: 1 }, [], 'Add at least one item.'],
    [{ minItems: 2 }, [1], 'Add at least 2 items.'],
    [{ maxItems: 1 }, [1, 2], 'At most 1 items are allowed; there are 2.'],
    [{ uniqueItems: true }, [1, 1], 'Two items are the same. Remove one of them.'],
    [{ contains: { const: 1 } }, [2], 'A required item is missing from this list.'],
    [{ contains: { const: 1 }, minContains: 2 }, [1], 'This list has too few items of a required kind.'],
    [{ contains: { const: 1 }, maxContains: 1 }, [1, 1], 'This list has too many items of one kind.'],
    [{ minProperties: 1 }, {}, 'Add at least one entry.'],
    [{ minProperties: 2 }, { a: 1 }, 'Add at least 2 entries.'],
    [{ maxProperties: 1 }, { a: 1, b: 2 }, 'At most 1 entries are allowed.'],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, '/ab The name of an entry is not allowed here.'],
    [{ properties: { a: false } }, { a: 1 }, '/a Remove this: the model accepts nothing with this name.'],
    [
      { oneOf: [{ type: 'string' }, { minLength: 1 }] },
      'ab',
      "This must match exactly one of the schema's variants.",
    ],
    [{ not: { type: 'string' } }, 'a', 'This value is not allowed.'],
    [{ required: ['a'] }, {}, '/a This is required.'],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, '/b This is required because a is set.'],
    [{ required: ['a', 'b'] }, { a: 1 }, '/b This is required.'],
  ];
  for (const [schema, value, message] of cases)
    it(`${JSON.stringify(schema).slice(0, 80)} of ${JSON.stringify(value)}`, () =>
      assert.deepEqual(said(schema, value), [message]));

  it('asks for a missing file, not for the name of its member', () => {
    const ask = 'Choose a file or enter a file reference.';
    const schema = { properties: { image: REF } };
    assert.deepEqual(said(schema, { image: {} }), [`/image ${ask}`]);
    assert.deepEqual(said(schema, { image: { filename: 'a.png' } }), [`/image ${ask}`]);
    assert.deepEqual(said(schema, { image: { media_ref: '' } }), []);
    const notEmpty = { ...REF, properties: { media_ref: { type: 'string', minLength: 1 } } };
    assert.deepEqual(said({ properties: { image: notEmpty } }, { image: { media_ref: '' } }), [
      `/image ${ask}`,
    ]);
    assert.deepEqual(said(schema, { image: { other: 1 } }), ['/image/media_ref This is required.']);
  });

  it('names at most 200 problems', () => {
    const wrong = Array.from({ length: 1000 }, (_, at) => `${at}`);
    assert.equal(said({ items: { type: 'integer' } }, wrong).length, 200);
  });

  it('names a place once that breaks one rule twice', () =>
    assert.deepEqual(
      said({ allOf: [{ type: 'string' }, { $ref: '#/$defs/a' }], $defs: { a: { type: 'string' } } }, 1),
      ['Enter text.'],
    ));
});
