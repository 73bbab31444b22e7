import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../src/domain/json';
import { pointerOf } from '../../../src/domain/pointer';
import { getAt } from '../../../src/domain/value';
import { jsonText } from '../../../src/service/jsonText';
import { laidOut } from '../../../src/service/laidOut';
import { LongText } from '../../../src/service/longText';

/** A place in a value: some way down it. */
function placeIn(value: unknown, choices: readonly number[]): (string | number)[] {
  const place: (string | number)[] = [];
  let at = value;
  for (const choice of choices) {
    if (typeof at !== 'object' || at === null || Object.keys(at).length === 0) break;
    const key = Object.keys(at)[choice % Object.keys(at).length]!;
    place.push(key);
    at = (at as Record<string, unknown>)[key];
  }
  return place;
}

const values = fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' });

describe('JSON that is written in turns', () => {
  it('is what the platform writes, with the place of any value in it', async () => {
    await fc.assert(
      fc.asyncProperty(values, fc.array(fc.nat()), async (value, choices) => {
        const at = pointerOf(placeIn(value, choices));
        const { text, from, to } = await jsonText(value, at);
        assert.equal(String(text), JSON.stringify(value, null, 2));
        assert.deepEqual(
          JSON.parse(text.slice(from, to)),
          JSON.parse(JSON.stringify(getAt(value as Json, at))),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('leaves out what has no value', async () => {
    const value = { a: undefined, b: [undefined, Number.NaN], c: JSON.parse('{"__proto__": 1}') };
    assert.equal(String((await jsonText(value)).text), JSON.stringify(value, null, 2));
  });

  it('is the same over the ends of pieces', async () => {
    for (const length of [65_535, 65_536, 65_537, 131_071]) {
      const value = [`${'x'.repeat(length - 1)}\u{1f600}\ud83d`];
      assert.equal(String((await jsonText(value)).text), JSON.stringify(value, null, 2));
    }
  });

  it('stays on one line where its indentation would be longer than it', async () => {
    let deep: unknown = Array.from({ length: 200_000 }, () => 0);
    for (let depth = 0; depth < 150; depth++) deep = [deep];
    const { text } = await jsonText(deep);
    assert.ok(String(text) === JSON.stringify(deep));
  });
});

describe('JSON that is laid out', () => {
  it('is indented as the platform does it, whatever white space it had', async () => {
    await fc.assert(
      fc.asyncProperty(values, fc.constantFrom(undefined, 1, '\t', '\r\n '), async (value, space) => {
        const text = JSON.stringify(value, null, space);
        // In pieces that end anywhere.
        const pieces = text.match(/.{1,7}/gs) ?? [];
        assert.equal(String(await laidOut(new LongText(pieces))), JSON.stringify(value, null, 2));
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps repeated names and the digits of numbers', async () => {
    const json = new LongText(['{"a":12345678901234567890.10,"a":[ ],"b":{}}']);
    assert.equal(String(await laidOut(json)), '{\n  "a": 12345678901234567890.10,\n  "a": [],\n  "b": {}\n}');
  });

  it('is nothing where the indentation would be endless', async () => {
    const json = new LongText(['['.repeat(190), '0,'.repeat(100_000), '0', ']'.repeat(190)]);
    assert.equal(await laidOut(json), undefined);
  });
});
