import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ExperimentItem } from '../../../src/experiments/file/items';
import { randomOrder, sampledItems } from '../../../src/experiments/file/sample';

const itemsOf = (texts: readonly string[]): ExperimentItem[] =>
  texts.map((text, at) => ({ name: `row ${at + 2}`, values: { '/input/text': text }, files: [] }));
const textsOf = (items: readonly ExperimentItem[]) => items.map(({ values }) => values['/input/text']);
const texts = fc.array(fc.string({ maxLength: 3 }), { maxLength: 40 });
const count = fc.integer({ min: 1, max: 45 });

describe('A sample of inputs', () => {
  it('keeps its earlier inputs when it grows, and their order', () => {
    fc.assert(
      fc.property(texts, count, count, fc.integer(), (all, one, more, seed) => {
        const items = itemsOf(all);
        const [small, large] = [sampledItems(items, one, seed), sampledItems(items, one + more, seed)];
        assert.deepEqual(
          small,
          large.filter((item) => small.includes(item)),
        );
        assert.equal(new Set(textsOf(small)).size, Math.min(one, new Set(all).size));
        assert.deepEqual(sampledItems(items, undefined, seed), items);
      }),
    );
  });

  it('changes by at most one input when one is inserted, deleted or moved', () => {
    fc.assert(
      fc.property(texts, fc.string({ maxLength: 3 }), fc.nat(40), count, (all, added, place, size) => {
        const before = new Set(textsOf(sampledItems(itemsOf(all), size, 7)));
        const after = new Set(textsOf(sampledItems(itemsOf(all.toSpliced(place, 0, added)), size, 7)));
        const without = (a: Set<unknown>, b: Set<unknown>) => [...a].filter((one) => !b.has(one)).length;
        assert.ok(without(before, after) <= 1 && without(after, before) <= 1);
        const moved = sampledItems(itemsOf(all.toReversed()), size, 7);
        assert.deepEqual(new Set(textsOf(moved)), before);
      }),
    );
  });

  it('follows from the seed', () => {
    const items = itemsOf(Array.from({ length: 100 }, (_, at) => `text ${at}`));
    assert.notDeepEqual(textsOf(sampledItems(items, 10, 1)), textsOf(sampledItems(items, 10, 2)));
    assert.deepEqual(textsOf(sampledItems(items, 10, 1)), textsOf(sampledItems(items, 10, 1)));
  });

  it('holds each expected value in its share, in any beginning of tables that are sorted by it', () => {
    const classes = fc.uniqueArray(fc.tuple(fc.string({ maxLength: 3 }), fc.integer({ min: 1, max: 30 })), {
      ...{ minLength: 1, maxLength: 5 },
      selector: ([label]) => label.trim().normalize('NFC'),
    });
    fc.assert(
      fc.property(classes, fc.integer(), fc.nat(150), (all, seed, some) => {
        const items = all.flatMap(([expected, rows]) =>
          Array.from({ length: rows }, (_, at) => ({
            ...{ name: `${at}`, values: { '/input/text': `${expected} ${at}` }, files: [], expected },
          })),
        );
        const order = randomOrder(items, seed);
        assert.deepEqual(new Set(order), new Set(items.keys()));
        const count = Math.min(some, items.length);
        for (const [label, rows] of all) {
          const chosen = order.slice(0, count).filter((at) => items[at]!.expected === label).length;
          // The rounding of the other strata shifts the number that is left for this one.
          assert.ok(Math.abs(chosen - (count * rows) / items.length) < all.length, `${chosen} of ${label}`);
        }
      }),
    );
    const folders = ['animal', 'flag', 'food', 'plant'].flatMap((expected) =>
      Array.from({ length: 15 }, (_, at) => ({ ...itemsOf([`${expected} ${at}`])[0]!, expected })),
    );
    const first = randomOrder(folders, 0).slice(0, 10);
    const classesIn = first.map((at) => folders[at]!.expected);
    for (const expected of new Set(folders.map((item) => item.expected)))
      assert.ok([2, 3].includes(classesIn.filter((one) => one === expected).length), classesIn.join());
  });
});
