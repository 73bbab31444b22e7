import assert from 'node:assert/strict';
import type { Json, JsonSchema } from '../../../src/domain/json';
import { validateValue } from '../../../src/forms/validate';

// The demands of schemas, draft by draft, and the parts that cannot be known.

/** A copy for each value: results for a schema are remembered for it. */
const verdict = (schema: JsonSchema, value: Json) => validateValue(structuredClone(schema), value).verdict;

describe('A schema that allows null', () => {
  const defs = { $defs: { a: { type: 'string' } } };

  it('accepts null, and every other value as without it', () => {
    for (const schema of [
      { type: 'string', minLength: 2 },
      { type: ['string', 'number'] },
      { type: 'string', enum: ['a'] },
      { const: 'a' },
      { $ref: '#/$defs/a', ...defs },
      { type: 'string', allOf: [{ minLength: 2 }] },
      { minimum: 1 },
    ])
      for (const value of ['a', 'ab', 'b', 0, 1, true, null]) {
        const alone = verdict(schema, value);
        const expected = value === null ? 'valid' : alone;
        assert.equal(
          verdict({ ...schema, nullable: true }, value),
          expected,
          JSON.stringify([schema, value]),
        );
        assert.equal(verdict({ ...schema, nullable: false }, value), alone);
        assert.equal(verdict({ ...schema, nullable: 'true' }, value), alone);
      }
  });
});
