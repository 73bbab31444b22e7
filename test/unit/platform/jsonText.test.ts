import assert from 'node:assert/strict';
import fc from 'fast-check';
import { pointerOf } from '../../../src/domain/pointer';
import { formattedJson, jsonTextAt } from '../../../src/platform/jsonText';

/** A value of JSON and the pointers to everything in it. */
function pointersIn(value: unknown, way: readonly string[] = []): string[][] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [[...way], ...inner.flatMap(([key, member]) => pointersIn(member, [...way, key]))];
}

describe('JSON as text', () => {
  it('gives the place of every value in it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        for (const way of pointersIn(value).slice(0, 50)) {
          const { text, from, to } = jsonTextAt(value, pointerOf(way));
          const found = way.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], value);
          assert.equal(text, JSON.stringify(value, null, 2));
          assert.deepEqual(JSON.parse(text.slice(from, to)), JSON.parse(JSON.stringify(found)));
        }
      }),
      { numRuns: 300 },
    );
    assert.deepEqual(jsonTextAt({ a: 1 }, '/nowhere'), { text: '{\n  "a": 1\n}', from: 0, to: 0 });
  });
});

describe('A laid out body', () => {
  it('equals JSON.stringify line by line, for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.equal(formattedJson(JSON.stringify(value)), JSON.stringify(value, null, 2));
      }),
    );
  });
});
