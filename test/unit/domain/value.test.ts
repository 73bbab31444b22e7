import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../src/domain/json';
import { pointerOf, segmentsOf } from '../../../src/domain/pointer';
import { getAt, insertAt, moveAt, removeAt, renameAt, sameJson, setAt } from '../../../src/domain/value';

const json = fc.jsonValue({ maxDepth: 3 }).map((value) => value as Json);
const keys = fc.array(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'a/b', '~1', '0', '')), {
  maxLength: 4,
});

describe('Edits of a value', () => {
  it('take pointers apart and put them together again', () => {
    fc.assert(fc.property(keys, (segments) => assert.deepEqual(segmentsOf(pointerOf(segments)), segments)));
  });

  it('put a value at its place, and leave the old value unchanged', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json), keys, json, (object, segments, next) => {
        const before = JSON.stringify(object);
        const pointer = pointerOf(segments);
        const after = setAt(object, pointer, next);
        // A name that is no index adds to the end of an array.
        const ways = segments.map((_, index) => getAt(object, pointerOf(segments.slice(0, index))));
        if (!ways.some(Array.isArray)) {
          assert.ok(sameJson(getAt(after, pointer), next));
        }
        assert.equal(JSON.stringify(object), before);
        assert.equal(
          Object.getPrototypeOf(Object(after)) === Object.prototype ||
            typeof after !== 'object' ||
            after === null ||
            Array.isArray(after),
          true,
        );
      }),
    );
  });

  it('share the unchanged parts', () => {
    const value: Json = { a: { b: 1 }, c: { d: 2 } };
    const next = setAt(value, '/a/b', 3) as { c: Json };
    assert.equal(next.c, value.c);
    assert.equal(setAt(value, '/a/b', 1), value);
  });

  it('take out, insert, move and rename', () => {
    assert.deepEqual(removeAt({ a: [1, 2, 3], b: 1 }, '/a/1'), { a: [1, 3], b: 1 });
    assert.deepEqual(removeAt({ a: 1 }, '/x/y'), { a: 1 });
    assert.deepEqual(insertAt({}, '/a', 'x'), { a: ['x'] });
    assert.deepEqual(insertAt({ a: [1, 2] }, '/a', 9, 1), { a: [1, 9, 2] });
    assert.deepEqual(moveAt({ a: [1, 2, 3] }, '/a', 0, 2), { a: [2, 3, 1] });
    assert.deepEqual(moveAt({ a: [1] }, '/a', 0, 5), { a: [1] });
    assert.deepEqual(Object.keys(renameAt({ a: 1, b: 2, c: 3 }, '', 'b', 'x') as object), ['a', 'x', 'c']);
    assert.deepEqual(renameAt({ a: 1, b: 2 }, '', 'a', 'b'), { a: 1, b: 2 });
  });
});
