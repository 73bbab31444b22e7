import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../src/domain/json';
import { metricsIn } from '../../../src/experiments/file/askedMetrics';
import type { BoxForms } from '../../../src/experiments/metrics/itemMetrics';
import { boxDoubts, type MetricName, measureItem } from '../../../src/experiments/metrics/metrics';

const iou = (got: Json | undefined, expected: Json, isText = false) =>
  measureItem({ name: 'iou', tolerance: 0 }, got, expected, isText);

/** Few values, so that boxes often touch, hold one another or are the same; and any others. */
const coordinate = fc.oneof(
  fc.integer({ min: -8, max: 8 }).map((value) => value / 4),
  fc.double({ min: -1e300, max: 1e300, noNaN: true }),
);
type Corners = [number, number, number, number];
const sorted = ([a, b, c, d]: Corners): Corners => [
  Math.min(a, c),
  Math.min(b, d),
  Math.max(a, c),
  Math.max(b, d),
];
const corners = fc.tuple(coordinate, coordinate, coordinate, coordinate).map(sorted);
const small = fc.integer({ min: -8, max: 8 }).map((value) => value / 4);
const smallCorners = fc.tuple(small, small, small, small).map(sorted);

describe('The overlap of two boxes', () => {
  it('lies between 0 and 1, and is the same in both directions', () => {
    fc.assert(
      fc.property(corners, corners, (a, b) => {
        const overlap = iou([...a], [...b]);
        // Shares beside pixels.
        fc.pre(overlap !== undefined);
        assert.ok(overlap >= 0 && overlap <= 1, String(overlap));
        assert.equal(iou([...b], [...a]), overlap);
      }),
      { numRuns: 1_000 },
    );
  });

  it('equals the cells of a grid that both cover, divided by the cells that either covers', () => {
    fc.assert(
      fc.property(smallCorners, smallCorners, (a, b) => {
        const quarters = Array.from({ length: 16 }, (_, at) => (at - 8) / 4 + 1 / 8);
        const cells = quarters.flatMap((x) => quarters.map((y) => [x, y] as const));
        const covers = ([x1, y1, x2, y2]: Corners) =>
          cells.map(([x, y]) => x1 < x && x < x2 && y1 < y && y < y2);
        const [ours, theirs] = [covers(a), covers(b)];
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
        const wanted = iou([x1, y1, x2, y2], other)!;
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
          { cx: x1 + width / 2, cy: y1 + height / 2, w: width, h: height },
          { bbox: [x1, y1, x2, y2] },
          { xywh: [x1, y1, width, height] },
          { cxcywh: [x1 + width / 2, y1 + height / 2, width, height] },
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

  it('reads lists in the form that the metric, the place or the column names', () => {
    const formsOf = (metric: object | string, expected: object) => {
      const [asked] = metricsIn({ metrics: [metric], expected } as unknown as Parameters<
        typeof metricsIn
      >[0]);
      return asked && 'boxes' in asked ? asked.boxes : undefined;
    };
    const plain = { column: 'want', at: '/box' };
    const cases: [BoxForms | undefined, Json, Json][] = [
      [formsOf('iou', { column: 'want', at: '/out/xywh' }), [10, 20, 40, 60], [10, 20, 50, 80]],
      [formsOf('iou', { column: 'cxcywh', at: '/box' }), [10, 20, 50, 80], [30, 50, 40, 60]],
      [
        formsOf({ metric: 'iou', boxes: 'xywh' }, plain),
        [10, 20, 40, 60],
        { x1: 10, y1: 20, x2: 50, y2: 80 },
      ],
      [formsOf({ metric: 'iou', boxes: { expected: 'xywh' } }, plain), [10, 20, 50, 80], [10, 20, 40, 60]],
      [formsOf({ metric: 'iou', boxes: 'cxcywh' }, plain), { x: 5, y: 5, width: 4, height: 4 }, [5, 5, 4, 4]],
    ];
    for (const [boxes, got, expected] of cases)
      assert.equal(measureItem({ name: 'iou', tolerance: 0, ...(boxes && { boxes }) }, got, expected), 1);
  });

  it('stays unmeasured, and is said to, where numbers cannot be corners or units differ', () => {
    const items = (got: Json, expected: Json) => [{ item: 'a', got: [got], expected }];
    const doubts = (got: Json, expected: Json) =>
      boxDoubts({ name: 'iou', tolerance: 0 }, items(got, expected));
    const cases: [Json, Json][] = [
      [
        [100, 100, 50, 40],
        [100, 100, 150, 140],
      ],
      [{ x1: 5, y1: 5, x2: 1, y2: 9 }, [0, 0, 1, 1]],
      [
        [0.1, 0.1, 0.5, 0.5],
        [10, 10, 50, 50],
      ],
    ];
    for (const [got, expected] of cases) {
      assert.equal(iou(got, expected), undefined, JSON.stringify(got));
      assert.deepEqual(doubts(got, expected), { guessed: 0, unclear: 1 });
    }
    assert.deepEqual(doubts([0, 0, 9, 9], [0, 0, 9, 9]), { guessed: 1, unclear: 0 });
    assert.equal(doubts({ xyxy: [0, 0, 9, 9] }, { x: 0, y: 0, w: 9, h: 9 }), undefined);
  });

  it('counts in lists the boxes that find an expected one of their label, best scores first', () => {
    const by = (name: MetricName, got: Json | undefined, expected: Json) =>
      measureItem({ name, tolerance: 0 }, got, expected, false);
    const wanted = [
      { bbox: [0, 0, 10, 10], label: 'cat' },
      { bbox: [50, 50, 60, 60], label: 'dog' },
    ];
    const got = [
      { box: { x: 0, y: 0, width: 10, height: 9 }, label: 'cat', score: 0.4 },
      { box: { x: 0, y: 0, width: 10, height: 10 }, label: 'cat', score: 0.9 },
      { box: { x: 50, y: 50, width: 10, height: 10 }, label: 'cat', score: 0.8 },
      { box: { x: 50, y: 50, width: 4, height: 10 }, label: 'dog', score: 0.7 },
    ];
    assert.equal(by('box_precision', got, wanted), 1 / 4);
    assert.equal(by('box_recall', got, wanted), 1 / 2);
    assert.equal(by('box_recall', [[0, 0, 10, 10]], [0, 0, 10, 10]), 1, 'a list beside one box');
    assert.equal(by('box_precision', [], wanted), undefined);
    assert.equal(by('box_recall', [], wanted), 0);
    assert.equal(by('box_precision', [[0, 0, 1, 1]], []), 0);
    assert.equal(by('box_recall', [[0, 0, 1, 1]], []), undefined);
    for (const none of [undefined, 'none', [1]]) assert.equal(by('box_precision', none, wanted), 0);
  });
});
