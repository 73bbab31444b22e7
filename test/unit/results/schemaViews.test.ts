import assert from 'node:assert/strict';
import type { JsonSchema } from '../../../src/domain/json';
import { schemaViews } from '../../../src/results/schemaViews';

const list = (items: JsonSchema, more: object = {}): JsonSchema => ({ type: 'array', items, ...more });
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({ type: 'object', properties });
const viewsOf = (schema: JsonSchema) => Object.fromEntries(schemaViews(schema));

describe('Views by an output schema', () => {
  it('shows labels with scores as bars, hits as a ranked list and records as a table', () => {
    const label = object({ label: { type: 'string' }, score: { type: 'number' } });
    const hit = object({ id: { type: 'string' }, score: { type: 'number' }, text: { type: 'string' } });
    const record = object({ name: { type: 'string' }, count: { type: 'integer' } });
    assert.deepEqual(viewsOf(object({ labels: list(label), hits: list(hit), rows: list(record) })), {
      '/labels': 'labels',
      '/hits': 'hits',
      '/rows': 'table',
    });
  });

  it('finds the result in the schema of a response, by references and variants too', () => {
    const schema: JsonSchema = {
      ...(object({ result: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/out' }] } }) as object),
      $defs: { out: object({ tokens: list({ type: 'string' }, { 'x-cog-array-display': 'concatenate' }) }) },
    };
    assert.deepEqual(viewsOf(schema), { '/result/tokens': 'text', '/tokens': 'text' });
  });

  it('ends for a schema that contains itself, and for none', () => {
    const tree: JsonSchema = { ...(object({ below: list({ $ref: '#' }) }) as object) };
    assert.doesNotThrow(() => schemaViews(tree));
    for (const schema of [true, false, {}]) assert.deepEqual(viewsOf(schema), {});
  });
});
