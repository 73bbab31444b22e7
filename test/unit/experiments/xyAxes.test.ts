import assert from 'node:assert/strict';
import fc from 'fast-check';
import { variationsOf } from '../../../src/experiments/plan/grid';
import { fixedTexts, plotAxes } from '../../../src/experiments/table/plot';
import {
  axesOf,
  INPUTS,
  layoutOf,
  type PlotView,
  REPEATS,
  transposed,
  turned,
  withAxis,
} from '../../../webview/experiment/xy/axes';
import { plotMove, plotSize, plotWindow } from '../../../webview/experiment/xy/geometry';

/** Lists of values, some of them equal, for up to four places. */
const vary = fc.dictionary(
  fc.constantFrom('/params/a', '/params/b', '/input/c', '/model'),
  fc.array(fc.constantFrom('x', 'y', '1', 1, null, true), { minLength: 1, maxLength: 4 }),
  { maxKeys: 4 },
);
const experiment = fc.record({
  vary,
  rows: fc.integer({ min: 1, max: 4 }),
  repeats: fc.integer({ min: 1, max: 3 }),
});
const axesFor = ({ vary: varied, rows, repeats }: { vary: object; rows: number; repeats: number }) => {
  const variations = variationsOf(varied as never);
  const { places, columns } = plotAxes({ variations });
  const axes = {
    places: places.map((place) => ({ ...place, values: [...place.values] })),
    columns: columns.map((values) => [...values]),
    ...{ rows, repeats, fixed: [] },
  };
  return { axes, variations };
};

describe('The axes of the X/Y plot', () => {
  it('lead each place of the plot to the run with exactly those values, on every page', () => {
    fc.assert(
      fc.property(experiment, fc.nat(), fc.nat(), (of, seedX, seedY) => {
        const { axes, variations } = axesFor(of);
        const all = axesOf(axes);
        const keys = ['', ...all.map(({ key }) => key)];
        let view: PlotView | undefined = {
          isShown: true,
          x: keys[seedX % keys.length]!,
          y: keys[seedY % keys.length]!,
        };
        const seen = new Set<string>();
        while (view) {
          const layout = layoutOf(axes, view);
          for (let x = 0; x < (layout.x?.length ?? 1); x++)
            for (let y = 0; y < (layout.y?.length ?? 1); y++) {
              const place = layout.cellAt(x, y)!;
              const variation = variations[place.column]!;
              for (const [axis, at] of [
                [layout.x, x],
                [layout.y, y],
                ...layout.pages.map((page) => [page.axis, page.at]),
              ] as [(typeof all)[number] | undefined, number][]) {
                if (!axis) continue;
                if (axis.key === INPUTS) assert.equal(place.row, at);
                else if (axis.key === REPEATS) assert.equal(place.repeat, at);
                else {
                  const value = variation[axis.key]!;
                  assert.equal(axis.values![at], typeof value === 'string' ? value : JSON.stringify(value));
                }
              }
              const key = JSON.stringify([variation, place.row, place.repeat]);
              assert.ok(!seen.has(key), `${key} is shown twice`);
              seen.add(key);
            }
          view = turned(view, layout, 1);
        }
        const different = new Set(variations.map((variation) => JSON.stringify(variation))).size;
        assert.equal(seen.size, different * of.rows * of.repeats, 'all runs are on some page');
      }),
    );
  });

  it('come back after two transpositions, and exchange when one is chosen twice', () => {
    fc.assert(
      fc.property(experiment, (of) => {
        const { axes } = axesFor(of);
        const layout = layoutOf(axes, { isShown: true });
        const turnedOnce = transposed({ isShown: true }, layout);
        const once = layoutOf(axes, turnedOnce);
        assert.deepEqual([once.x?.key, once.y?.key], [layout.y?.key, layout.x?.key]);
        const twice = layoutOf(axes, transposed(turnedOnce, once));
        assert.deepEqual([twice.x?.key, twice.y?.key], [layout.x?.key, layout.y?.key]);
        if (!layout.y) return;
        const exchanged = layoutOf(axes, withAxis({ isShown: true }, layout, 'x', layout.y.key));
        assert.deepEqual([exchanged.x?.key, exchanged.y?.key], [layout.y.key, layout.x?.key]);
      }),
    );
  });

  it('show no cell where no variation has the values', () => {
    const { axes } = axesFor({ vary: { '/params/a': [1, 2], '/params/b': [1, 2] }, rows: 1, repeats: 1 });
    const layout = layoutOf({ ...axes, columns: axes.columns.slice(0, 3) }, { isShown: true });
    assert.deepEqual(layout.cellAt(1, 0), { row: 0, column: 2 });
    assert.equal(layout.cellAt(1, 1), undefined);
  });

  it('keep an axis that the file no longer has out of the plot', () => {
    const { axes } = axesFor({ vary: { '/params/a': [1, 2] }, rows: 3, repeats: 1 });
    const layout = layoutOf(axes, { isShown: true, x: '/params/gone', y: INPUTS, pages: { '/params/a': 9 } });
    assert.deepEqual([layout.x?.key, layout.y?.key], ['/params/a', INPUTS]);
  });
});

describe('The texts above the X/Y plot', () => {
  it('name the texts of all runs, without media and without places that vary', () => {
    const input = {
      prompt: 'a fox',
      style: { name: 'oil', negative: 'blurry' },
      image: { media_ref: 'file:///home/someone/fox.png', filename: 'fox.png' },
      steps: 4,
    };
    assert.deepEqual(fixedTexts(input, ['/input/style/name', '/params/x']), [
      { name: 'prompt', text: 'a fox' },
      { name: 'style › negative', text: 'blurry' },
    ]);
    assert.deepEqual(fixedTexts(input, ['/input']), []);
  });
});

describe('The geometry of the X/Y plot', () => {
  const box = fc.record({
    width: fc.integer({ min: 200, max: 2000 }),
    height: fc.integer({ min: 150, max: 1500 }),
  });
  const counts = fc.record({
    x: fc.integer({ min: 1, max: 100 }),
    y: fc.integer({ min: 1, max: 100 }),
    hasY: fc.boolean(),
    hasPictures: fc.boolean(),
  });

  it('fits all cells into sight unless they would be too small', () => {
    fc.assert(
      fc.property(box, counts, (at, of) => {
        const size = plotSize(at, of);
        const least = of.hasPictures ? 72 : 34;
        if (size.height > least) assert.ok(size.headHeight + of.y * size.height <= at.height + of.y);
        if (size.width > 72) assert.ok(size.headWidth + of.x * size.width <= at.width + of.x);
      }),
    );
  });

  it('draws all cells in sight, and draws no other part while it does', () => {
    fc.assert(
      fc.property(box, counts, fc.double({ min: 0, max: 1, noNaN: true }), (at, of, share) => {
        const size = plotSize(at, of);
        const scrolled = (all: number, each: number) => Math.max(0, Math.round(share * (all - each)));
        const scroll = {
          ...at,
          top: scrolled(size.headHeight + of.y * size.height, at.height),
          left: scrolled(size.headWidth + of.x * size.width, at.width),
        };
        const window = plotWindow(scroll, size, of);
        const lastY = Math.min(of.y, Math.ceil((scroll.top + at.height - size.headHeight) / size.height));
        assert.ok(window.y.first <= scroll.top / size.height && window.y.last >= lastY);
        assert.equal(plotWindow(scroll, size, of, window), window);
      }),
    );
  });

  it('keeps every move of a key inside the plot', () => {
    const keys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'];
    fc.assert(
      fc.property(fc.constantFrom(...keys), fc.boolean(), counts, (key, ctrlKey, { x, y }) => {
        const to = plotMove({ key, ctrlKey, metaKey: false }, { x: x - 1, y: 0 }, { x, y })!;
        assert.ok(to.x >= 0 && to.x < x && to.y >= 0 && to.y < y);
      }),
    );
    assert.equal(
      plotMove({ key: 'a', ctrlKey: false, metaKey: false }, { x: 0, y: 0 }, { x: 1, y: 1 }),
      undefined,
    );
  });
});
