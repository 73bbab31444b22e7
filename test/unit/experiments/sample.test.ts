import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ExperimentItem } from '../../../src/experiments/items';
import { sampledItems, sampleIn } from '../../../src/experiments/sample';

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

  it('differs from a sample of single runs, as earlier versions wrote it', () => {
    assert.deepEqual(sampleIn({ sample: { inputs: 3 } }), { inputs: 3 });
    assert.deepEqual(sampleIn({ sample: 3 }), { runs: 3 });
    assert.deepEqual(sampleIn({}), {});
  });
});
