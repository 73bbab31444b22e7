import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json, JsonSchema } from '../../../src/domain/json';
import { hoverAt, nameCompletions, valueCompletions } from '../../../src/forms/completion';
import { anySchema } from '../../support/forms/anySchema';

const SCHEMA: JsonSchema = {
  type: 'object',
  required: ['text'],
  properties: {
    size: { enum: ['s', 'm'], default: 'm', description: 'How large' },
    text: { type: 'string', title: 'Text', examples: ['hello'] },
    list: { type: 'array', items: { type: 'object', properties: { flag: { type: 'boolean' } } } },
    score: { type: ['number', 'null'], minimum: 0, maximum: 1 },
  },
};
const labels = (items: readonly { label: string }[]) => items.map((item) => item.label);

describe('Completion in the JSON tab', () => {
  it('offers missing names, required ones first, with an initial value', () => {
    assert.deepEqual(labels(nameCompletions(SCHEMA, {}, '')), ['text', 'size', 'list', 'score']);
    assert.deepEqual(labels(nameCompletions(SCHEMA, { text: 'a', list: [] }, '')), ['size', 'score']);
    const [size] = nameCompletions(SCHEMA, { text: 'a', list: [] }, '');
    assert.deepEqual([size?.insert, size?.documentation], ['"size": "m"', 'How large']);
    assert.deepEqual(labels(nameCompletions(SCHEMA, { list: [{}] }, '/list/0')), ['flag']);
  });

  it('inserts only valid JSON, for any schema and value', () => {
    fc.assert(
      fc.property(
        anySchema,
        fc.jsonValue({ maxDepth: 2 }),
        fc.constantFrom('', '/a', '/0', '/image/media_ref'),
        (schema, json, at) => {
          const value = json as Json;
          hoverAt(schema, value, at);
          for (const { insert } of nameCompletions(schema, value, at)) JSON.parse(`{${insert}}`);
          for (const { insert } of valueCompletions(schema, value, at)) JSON.parse(insert);
        },
      ),
    );
  });
});
