import assert from 'node:assert/strict';
import type * as model from '../../../src/contracts/model';
import { useCounted } from '../../support/countedWork';
import { rawOf } from '../../support/rawOf';

/** Steps of reading a byte. A step for each pair of values would be a thousand times as many. */
const MOST_STEPS = 6;

function many(count: number, entry: (index: number) => unknown): unknown[] {
  return Array.from({ length: count }, (_, index) => entry(index));
}
function table(count: number, entry: (index: number) => unknown, prefix = 'k'): Record<string, unknown> {
  return Object.fromEntries(many(count, entry).map((value, index) => [`${prefix}${index}`, value]));
}
function nested(depth: number, inner: unknown, name: (level: number) => string): unknown {
  let body = inner;
  for (let level = 0; level < depth; level++) body = { [name(level)]: body };
  return body;
}
const schema = { type: 'object', properties: { text: { type: 'string' } } };
/** Each definition refers to the next one twice: 2^n when expanded. */
const doubling = (count: number) =>
  table(count, (index) => ({
    type: 'object',
    properties: { a: { $ref: `#/$defs/k${index + 1}` }, b: { $ref: `#/$defs/k${index + 1}` } },
  }));

/** Bodies with as many values as are read at all. */
const BODIES: Record<string, () => unknown> = {
  'a record of 29,000 members': () => table(29_000, (index) => index),
  'a list of 9,000 models': () => ({
    models: many(9_000, (index) => ({ slug: `m${index}`, input_schema: schema })),
  }),
  'doubling references inside the schema': () => ({
    input_schema: { $ref: '#/$defs/k0', $defs: doubling(5_000) },
  }),
  'doubling references beside the schema': () => ({
    input_schema: { $ref: '#/$defs/k0' },
    $defs: doubling(5_000),
  }),
  '3,000 references to nowhere': () => ({
    input_schema: { type: 'object', properties: table(3_000, (index) => ({ $ref: `#/nowhere/${index}` })) },
    deep: nested(
      150,
      table(20_000, () => ({})),
      () => 'x',
    ),
  }),
  'a table of 29,000 types': () => ({ inputs: table(29_000, () => 'string') }),
  'an example of 28,500 values': () => ({ input: { rows: many(95, () => table(300, (index) => index)) } }),
  '14,000 modes': () => ({ modes: table(14_000, () => ({ input_schema: schema })) }),
  'modes within modes': () => {
    let body: unknown = { input_schema: schema };
    for (let level = 0; level < 6; level++)
      body = { modes: { execute: body, index: body, search: body, other: body } };
    return body;
  },
  '8 MB of JSON text': () => ({ input_schema: JSON.stringify({ ...schema, x: 'y'.repeat(8_000_000) }) }),
  'an OpenAPI document of 9,000 paths': () => ({
    openapi: '3.0.0',
    paths: table(
      9_000,
      () => ({ post: { requestBody: { content: { 'application/json': { schema } } } } }),
      '/run',
    ),
  }),
  'names of 8 MB': () => ({ ['input'.repeat(1_600_000)]: schema, slug: 'm' }),
};

describe('A hostile body', () => {
  const counted = useCounted<typeof model>(['src/contracts/model.ts']);

  for (const [name, make] of Object.entries(BODIES))
    it(`takes steps that grow with its bytes: ${name}`, async () => {
      const raw = rawOf(make());
      const text = new TextDecoder().decode(raw.bytes);
      assert.ok(text.split(',').length <= 30_000, `${text.split(',').length} values`);
      const steps = await counted.steps(() => counted.code.readDetail(raw, 'm'));
      assert.ok(steps < MOST_STEPS * raw.bytes.length, `${steps} steps for ${raw.bytes.length} bytes`);
    });

  it('stays unread at 8 MB', () => {
    const raw = rawOf(table(600_000, (index) => index));
    assert.ok(raw.bytes.length > 8_000_000);
    const { readDetail } = counted.code;
    const model = readDetail(raw, 'm');
    assert.equal(model?.modes[0]?.input.origin, 'unknown');
    assert.equal(model?.raw, raw.json);
    assert.equal(model?.tooLargeToRead, true);
    const levels = rawOf(many(40, () => nested(900, 1, () => 'a')));
    assert.equal(readDetail(levels, 'm')?.tooLargeToRead, true);
    assert.equal(readDetail(rawOf({ slug: 'm' }), 'm')?.tooLargeToRead, undefined);
  });
});
