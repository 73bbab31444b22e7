import assert from 'node:assert/strict';
import type { JsonSchema } from '../../../src/domain/json';
import { classifyResult } from '../../../src/results/classify';
import { schemaViews } from '../../../src/results/schemaViews';

const share = { type: 'number', minimum: 0, maximum: 1 };
const list = (items: JsonSchema, more: object = {}): JsonSchema => ({ type: 'array', items, ...more });
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({ type: 'object', properties });
const viewsOf = (schema: JsonSchema) => Object.fromEntries(schemaViews(schema));

describe('Views by an output schema', () => {
  it('shows pieces of a text as a text, and leaves other lists of strings to their values', () => {
    const pieces = list({ type: 'string' }, { 'x-cog-array-display': 'concatenate' });
    assert.deepEqual(viewsOf(pieces), { '': 'text' });
    assert.deepEqual(viewsOf(list({ type: 'string' })), {});
  });

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

  it('shows shares as bars, even where a result has only 0 and 1', () => {
    const parts = object({ positive: share, neutral: share, negative: share });
    const schema = object({ parts });
    assert.deepEqual(viewsOf(schema), { '/parts': 'labels' });
    const kinds = (value: object) =>
      classifyResult(value, { views: schemaViews(schema) }).sections.map(({ part }) => part.kind);
    assert.deepEqual(kinds({ parts: { positive: 0.4, neutral: 0.35, negative: 0.25 } }), ['labels']);
    assert.deepEqual(kinds({ parts: { positive: 0, neutral: 1, negative: 0 } }), ['labels']);
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
