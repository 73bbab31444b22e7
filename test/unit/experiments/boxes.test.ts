import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../src/domain/json';
import { readBox } from '../../../src/experiments/metrics/boxes';
import { measureItem } from '../../../src/experiments/metrics/metrics';

const iou = (got: Json | undefined, expected: Json, isText = false) =>
  measureItem({ name: 'iou', tolerance: 0 }, got, expected, isText);

/** Few values, so that boxes often touch, hold one another or are the same; and any others. */
const coordinate = fc.oneof(
  fc.integer({ min: -8, max: 8 }).map((value) => value / 4),
  fc.double({ min: -1e300, max: 1e300, noNaN: true }),
);
const corners = fc.tuple(coordinate, coordinate, coordinate, coordinate);
const small = fc.integer({ min: -8, max: 8 }).map((value) => value / 4);
const smallCorners = fc.tuple(small, small, small, small);

describe('The overlap of two boxes', () => {
  it('lies between 0 and 1, and is the same in both directions', () => {
    fc.assert(
      fc.property(corners, corners, (a, b) => {
        const overlap = iou([...a], [...b])!;
        assert.ok(overlap >= 0 && overlap <= 1, String(overlap));
        assert.equal(iou([...b], [...a]), overlap);
      }),
      { numRuns: 1_000 },
    );
  });

  it('equals 1 for the same box, and for no other', () => {
    fc.assert(
      fc.property(smallCorners, smallCorners, (a, b) => {
        const isSame = JSON.stringify(readBox(a)) === JSON.stringify(readBox(b));
        assert.equal(iou([...a], [...b]) === 1, isSame);
        assert.equal(iou([...a], [...a]), 1);
      }),
      { numRuns: 2_000 },
    );
  });

  it('equals the cells of a grid that both cover, divided by the cells that either covers', () => {
    fc.assert(
      fc.property(smallCorners, smallCorners, (a, b) => {
        const [one, other] = [readBox(a)!, readBox(b)!];
        const quarters = Array.from({ length: 16 }, (_, at) => (at - 8) / 4 + 1 / 8);
        const cells = quarters.flatMap((x) => quarters.map((y) => [x, y] as const));
        const covers = ([x1, y1, x2, y2]: typeof one) =>
          cells.map(([x, y]) => x1 < x && x < x2 && y1 < y && y < y2);
        const [ours, theirs] = [covers(one), covers(other)];
        const both = ours.filter((is, at) => is && theirs[at]).length;
        const any = ours.filter((is, at) => is || theirs[at]).length;
        if (any > 0) assert.ok(Math.abs(iou([...a], [...b])! - both / any) < 1e-12);
      }),
      { numRuns: 500 },
    );
  });

  it('stays the same in every notation of boxes', () => {
    fc.assert(
      fc.property(smallCorners, smallCorners, ([x1, y1, x2, y2], other) => {
        const wanted = iou([x1, y1, x2, y2], [...other])!;
        const [width, height] = [x2 - x1, y2 - y1];
        const ways: Json[] = [
          [x1, y1, x2, y2],
          { x1, y1, x2, y2 },
          { xmin: x1, ymin: y1, xmax: x2, ymax: y2 },
          { x_min: x1, y_min: y1, x_max: x2, y_max: y2 },
          { left: x1, top: y1, right: x2, bottom: y2 },
          { x: x1, y: y1, width, height },
          { x: x1, y: y1, w: width, h: height },
          { left: x1, top: y1, width, height, label: 'cat' },
        ];
        for (const written of ways) {
          assert.equal(iou(written, [...other]), wanted, JSON.stringify(written));
          assert.equal(iou([...other], JSON.stringify(written), true), wanted, 'in a cell of a table');
        }
      }),
    );
  });

  it('equals 0 when the result has no box, and is unmeasured without an expected one', () => {
    const box = [0, 0, 1, 1];
    for (const none of [undefined, null, 'box', [0, 0, 1], { x: 0, y: 0, width: 1 }, ['0', '0', '1', '1']])
      assert.equal(iou(none, box), 0, JSON.stringify(none));
    for (const none of [null, '', 'box', [1, 2, 3]]) assert.equal(iou(box, none, true), undefined);
    assert.equal(iou(box, '[0,0,1,1]'), undefined, 'a text of JSONL is a text');
  });
});
