import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/domain/json';
import { initialInput } from '../../../src/forms/buildForm';
import { carriedInput } from '../../../src/forms/carriedInput';
import { validateValue } from '../../../src/forms/validate';

const mode = (properties: Readonly<Record<string, object>>, required: string[] = []) => ({
  input: { schema: { type: 'object', properties, required }, origin: 'declared' as const },
});

describe('The input of another mode', () => {
  it('takes a text into the field for texts of another name, and never over a value', () => {
    const from = mode({ query: { type: 'string' }, text: { type: 'string' } });
    const to = mode({ text: { type: 'string' } }, ['text']);
    assert.deepEqual(carriedInput(from, { query: 'bicycle repair' }, to), { text: 'bicycle repair' });
    assert.deepEqual(carriedInput(from, { query: 'a', text: 'b' }, to), { text: 'b' });
  });

  it('adds no problem to its defaults, for any entered values', () => {
    const kinds = [
      { type: 'string' },
      { type: 'string', maxLength: 3 },
      { type: 'integer', minimum: 2 },
      { type: 'boolean' },
      { enum: ['a', 'b'] },
      { type: 'array', items: { type: 'string' } },
    ];
    const properties = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(...kinds));
    fc.assert(
      fc.property(
        properties,
        properties,
        fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue()),
        (one, two, entered) => {
          const [from, to] = [mode(one), mode(two)];
          const input = carriedInput(from, entered as JsonObject, to);
          const problems = (value: JsonObject) => validateValue(to.input.schema, value).issues.length;
          assert.ok(problems(input) <= problems(initialInput(to.input.schema)), JSON.stringify(input));
        },
      ),
    );
  });
});
