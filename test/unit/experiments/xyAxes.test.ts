import assert from 'node:assert/strict';
import fc from 'fast-check';
import { variationsOf } from '../../../src/experiments/plan/grid';
import { plotAxes } from '../../../src/experiments/table/plot';
import {
  axesOf,
  INPUTS,
  layoutOf,
  type PlotView,
  REPEATS,
  turned,
} from '../../../webview/experiment/xy/axes';

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
});
