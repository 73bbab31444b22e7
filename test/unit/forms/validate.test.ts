import assert from 'node:assert/strict';
import type { Json, JsonSchema } from '../../../src/domain/json';
import { formOf } from '../../../src/forms/buildForm';
import { validateValue } from '../../../src/forms/validate';
import { walk } from '../../support/forms/driveForm';
import { HARD } from '../../support/forms/hardSchemas';

const said = (schema: JsonSchema, value: Json) =>
  validateValue(schema, value, '/input').issues.map(({ pointer, message }) => `${pointer} ${message}`);

describe('Validation', () => {
  it('says one thing for each wrong place, in words, in the order of the form', () => {
    const schema: JsonSchema = {
      type: 'object',
      required: ['text', 'n'],
      additionalProperties: false,
      properties: {
        n: { allOf: [{ $ref: '#/$defs/n' }] },
        list: { type: 'array', items: { type: 'string', minLength: 1 }, maxItems: 2 },
        text: { type: 'string' },
      },
      $defs: { n: { type: 'integer', minimum: 1 } },
    };
    assert.deepEqual(said(schema, { n: 0, list: ['a', '', 'c'], extra: 1 }), [
      '/input/n Enter 1 or more.',
      '/input/list At most 2 items are allowed; there are 3.',
      '/input/list/1 Enter some text.',
      '/input/text This is required.',
      '/input/extra Remove this, or check its name and place: it is not accepted here.',
    ]);
  });

  it('reports only the problems of the nearest variant of a choice', () => {
    const schema = HARD['variants told apart by a tag, with members they share'] as JsonSchema;
    assert.deepEqual(said(schema, { name: 'n', type: 'size', size: 'large' }), [
      '/input/size Enter a whole number.',
    ]);
    const choice: JsonSchema = {
      anyOf: [
        { type: 'string', minLength: 3 },
        { type: 'array', items: { type: 'integer' } },
      ],
    };
    assert.deepEqual(said(choice, [1, 'x']), ['/input/1 Enter a whole number.']);
    assert.deepEqual(said(choice, 'ab'), ['/input Enter at least 3 characters.']);
  });

  it('ends with any schema: doubled references, and more than can be checked', () => {
    const doubled = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `d${n}`,
        n === 39
          ? { type: 'string', minLength: 2 }
          : { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
      ]),
    );
    assert.deepEqual(said({ $ref: '#/$defs/d0', $defs: doubled }, 'x'), [
      '/input Enter at least 2 characters.',
    ]);
    const choices = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `d${n}`,
        { anyOf: [{ $ref: `#/$defs/d${n + 1}` }, { properties: { x: { $ref: `#/$defs/d${n + 1}` } } }] },
      ]),
    );
    const schema = { $ref: '#/$defs/d0', $defs: { ...choices, d40: { type: 'object' } } };
    walk(formOf(schema, { x: { x: {} } }), 3);
    assert.equal(validateValue(schema, { x: { x: {} } }).verdict, 'valid');
    const { verdict, notes } = validateValue(
      { items: { type: 'object' } },
      Array.from({ length: 200_000 }, () => ({})),
    );
    assert.deepEqual([verdict, notes.length], ['unknown', 1]);
  });
});
