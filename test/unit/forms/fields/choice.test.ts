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
    const tagged = (kind: string) => ({ properties: { kind: { const: kind }, size: {} } });
    assert.deepEqual(labels({ oneOf: [tagged('round'), tagged('square')] }), ['round', 'square']);
    const object = (...required: string[]) => ({
      ...{ type: 'object', required },
      properties: { id: {}, first: {}, second: {} },
    });
    assert.deepEqual(labels({ required: ['id'], oneOf: [object('second'), object('id', 'first')] }), [
      ...['second', 'first'],
    ]);
  });
});
