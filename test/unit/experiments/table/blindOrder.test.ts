import assert from 'node:assert/strict';
import fc from 'fast-check';
import { blindOrder } from '../../../../src/experiments/table/blindOrder';

const columns = [0, 1, 2, 3];
const seed = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });

describe('The order in which a row is judged blind', () => {
  it('contains every column once, and stays the same when the row is shown again', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(99)), seed, fc.nat(), (some, one, row) => {
        const order = blindOrder(some, one, row);
        assert.deepEqual(order.toSorted(), some.toSorted());
        assert.deepEqual(blindOrder(some, one, row), order);
      }),
    );
  });

  it('reveals no column: each is at each position, and beside each other, equally often', () => {
    const rows = 4_000;
    for (const one of [0, 1, -1, 20_261_123]) {
      const orders = Array.from({ length: rows }, (_, row) => String(blindOrder(columns, one, row)));
      const counts = new Map<string, number>();
      for (const order of orders) counts.set(order, (counts.get(order) ?? 0) + 1);
      assert.equal(counts.size, 24);
      // Pearson's chi-square with 23 degrees of freedom is above 60 once in 30,000 times.
      const expected = rows / 24;
      const chiSquare = [...counts.values()].reduce(
        (sum, count) => sum + (count - expected) ** 2 / expected,
        0,
      );
      assert.ok(chiSquare < 60, String(chiSquare));
      // Nor does a row tell the order of the next one: of 24 orders one is the same.
      const same = orders.filter((order, row) => order === orders[row + 1]).length;
      assert.ok(Math.abs(same - expected) < 5 * Math.sqrt(expected), String(same));
    }
  });

  it('changes each time judging begins', () => {
    const orders = new Set(
      Array.from({ length: 40 }, (_, one) =>
        String(Array.from({ length: 20 }, (_, row) => blindOrder(columns, one, row))),
      ),
    );
    assert.equal(orders.size, 40);
  });
});
