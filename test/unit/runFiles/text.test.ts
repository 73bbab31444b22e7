import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json, JsonObject } from '../../../src/domain/json';
import { pointerOf } from '../../../src/domain/pointer';
import type { RunDraft } from '../../../src/domain/run';
import { sameJson } from '../../../src/domain/value';
import { draftIn, readRunFile } from '../../../src/runFiles/read';
import { markAt, nodeAt, parseText } from '../../../src/runFiles/text';
import { changeBetween, newRunFileText, withDraft } from '../../../src/runFiles/write';

const anyJson = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;
const anyObject = fc.dictionary(
  fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'a/b', 'media_ref')),
  anyJson,
  { maxKeys: 5 },
) as fc.Arbitrary<JsonObject>;
const plain = (object: JsonObject) => JSON.parse(JSON.stringify(object)) as JsonObject;
const anyDraft: fc.Arbitrary<RunDraft> = fc.record(
  {
    model: fc.string({ minLength: 1 }),
    mode: fc.constantFrom('execute', 'index'),
    scope: fc.string({ minLength: 1 }),
    input: anyObject.map(plain),
    params: anyObject.map(plain),
  },
  { requiredKeys: ['model', 'mode', 'input', 'params'], noNullPrototype: true },
);

describe('The text of a run file', () => {
  it('parses as JSON, with comments and trailing commas', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = JSON.stringify(value, null, 1);
        assert.ok(sameJson(parseText(text).value, JSON.parse(text) as Json));
      }),
    );
    const commented = parseText('// a\n{ "a": [1, /* b */ 2,], "b": "// no comment", }');
    assert.deepEqual(commented.errors, []);
    assert.deepEqual(commented.value, { a: [1, 2], b: '// no comment' });
  });

  it('stays unread when it is endless or endlessly deep', () => {
    assert.match(parseText(`"${'a'.repeat(2_000_000)}"`).errors[0]!.message, /too long/);
    assert.match(parseText('['.repeat(900_000)).errors[0]!.message, /nested/);
    assert.match(parseText(`{"a":`.repeat(150_000)).errors[0]!.message, /nested/);
  });

  it('keeps a member named __proto__ a member', () => {
    const { value } = parseText('{ "__proto__": { "polluted": true } }');
    assert.deepEqual(Object.keys(value as object), ['__proto__']);
    assert.equal((value as { polluted?: unknown }).polluted, undefined);
  });

  it('gives the place of every value, and of missing ones', () => {
    fc.assert(
      fc.property(anyObject, fc.nat(), (object, at) => {
        const text = JSON.stringify(object, null, 2);
        const { root, value } = parseText(text);
        const pointers = allPointers(value as Json);
        const [pointer, wanted] = pointers[at % pointers.length]!;
        const node = nodeAt(root, pointer)!;
        assert.ok(sameJson(JSON.parse(text.slice(node.offset, node.offset + node.length)) as Json, wanted));
      }),
    );
    const { root } = parseText('{ "input": { "a": 1 } }');
    assert.deepEqual(markAt(root, '/input/b/c'), { place: { offset: 11, length: 1 }, missing: 'b' });
    assert.deepEqual(markAt(root, '/model'), { place: { offset: 0, length: 1 }, missing: 'model' });
  });
});

describe('Writing a run file', () => {
  it('puts any request into any file, and keeps the rest', () => {
    fc.assert(
      fc.property(anyDraft, anyDraft, anyJson, (before, after, extra) => {
        const text = newRunFileText(before).replace(
          '{',
          () => `{ // kept\n  "x-extra": ${JSON.stringify(extra)},`,
        );
        const written = withDraft(text, after);
        const read = readRunFile(written);
        assert.deepEqual(read.errors, []);
        assert.deepEqual(draftIn(read), after);
        assert.match(written, /\/\/ kept/);
        assert.ok(sameJson(read.members?.['x-extra'], extra));
      }),
    );
  });

  it('finds the one change between two texts', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (start, a, b) => {
        const [before, after] = [`${start}${a}${start}`, `${start}${b}${start}`];
        const { offset, length, text } = changeBetween(before, after);
        assert.equal(before.slice(0, offset) + text + before.slice(offset + length), after);
      }),
    );
  });
});

function allPointers(value: Json, path: (string | number)[] = []): [string, Json][] {
  const inside = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [[pointerOf(path), value], ...inside.flatMap(([key, item]) => allPointers(item, [...path, key]))];
}
