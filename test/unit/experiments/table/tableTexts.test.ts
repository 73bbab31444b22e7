import assert from 'node:assert/strict';
import type { Json } from '../../../../src/domain/json';
import type { ResultLine } from '../../../../src/experiments/results/resultLine';
import { columnTitles, tableTitles } from '../../../../src/experiments/table/columnHead';
import { fixedTexts } from '../../../../src/experiments/table/plot';
import { sizeText } from '../../../../src/experiments/table/sizeText';
import { strayTexts } from '../../../../src/experiments/table/strayTexts';

describe('The names of columns', () => {
  it('contain only the places that differ, or all of a single column', () => {
    const titles = (...variations: readonly Record<string, Json>[]) => {
      const { columns, common } = columnTitles({ variations });
      const text = (places: typeof common) => places.map(({ name, value }) => `${name} ${value}`).join(', ');
      return [...columns.map(text), `common: ${text(common)}`];
    };
    assert.deepEqual(titles({ '/model': 'a', '/params/k': 1 }, { '/model': 'b', '/params/k': 1 }), [
      'model a',
      'model b',
      'common: k 1',
    ]);
    assert.deepEqual(titles({ '/model': 'a' }), ['model a', 'common: ']);
    assert.deepEqual(titles({ '/model': 'a', '/input/b/c': 1 }, { '/model': 'a' }), [
      'b › c 1',
      '',
      'common: model a',
    ]);
  });

  it('name other results by their label, with the column that they are of', () => {
    const of = { label: 'before', file: '/a', read: { results: [], costs: new Map(), judgements: [] } };
    const all = ['a', 'b', 'a', 'c', 'd'].map((model) => ({ '/model': model }));
    const named = (...others: readonly { column: number; own?: number }[]) =>
      tableTitles(
        { variations: all.slice(0, 2) },
        others.map((one) => ({ ...one, of })),
        all,
      ).columns.map(({ name, other }) => [name, ...(other ? [other.label, other.own] : [])]);
    const own = [['a'], ['b']];
    assert.deepEqual(named({ column: 2, own: 0 }), [...own, ['a, before', 'before', 0]]);
    assert.deepEqual(named({ column: 3 }, { column: 4 }), [
      ...own,
      ['c, before', 'before', undefined],
      ['d, before', 'before', undefined],
    ]);
  });
});

describe('The size of an experiment in words', () => {
  const rows = { rows: 'a.csv', map: {} };
  const files = { files: '*.png', as: '/input/image' };
  const size = (experiment: object, all: number, sampled: number, runs: number) =>
    sizeText(experiment, { all, sampled }, runs, 'en');

  it('multiplies its factors', () => {
    const models = { '/model': ['a', 'b', 'c'] };
    assert.equal(size({}, 1, 1, 1), '1 run');
    assert.equal(size({ repeats: 3 }, 1, 1, 3), '3 repeats = 3 runs');
    assert.equal(size({ vary: { '/model': ['a'] }, over: rows }, 1, 1, 1), '1 model × 1 row = 1 run');
    assert.equal(
      size({ vary: { ...models, '/params/k': [1] }, over: files, repeats: 2 }, 500, 500, 3_000),
      '3 models × 1 value × 500 files × 2 repeats = 3,000 runs',
    );
    assert.equal(
      size({ vary: { '/params/k': [1, 2], '/params/a/b': [1, 2] } }, 1, 1, 4),
      '2 values of k × 2 values of b = 4 runs',
    );
    assert.equal(size({ vary: { '/params/k': [1, 2] }, over: files }, 1, 1, 2), '2 values × 1 file = 2 runs');
    assert.equal(size({ vary: models, over: rows }, 60, 10, 30), '3 models × 10 of 60 rows = 30 runs');
    assert.equal(size({ over: files }, 60, 10, 10), '10 of 60 files = 10 runs');
    assert.equal(size({ over: rows }, 60, 60, 60), '60 rows = 60 runs');
  });

  it('says that equal runs are sent once, and names a sample', () => {
    const vary = { '/model': ['a', 'b'] };
    assert.equal(
      size({ vary, over: rows }, 9, 9, 17),
      '2 models × 9 rows = 17 runs, since equal ones are run once',
    );
    assert.equal(size({ over: rows }, 9, 4, 4), '4 of 9 rows = 4 runs');
  });
});

describe('The results outside of the grid in words', () => {
  const lines = (count: number, amount?: string) =>
    Array.from({ length: count }, (_, at) => ({
      ...{ item: `row ${at + 2}`, ...(amount !== undefined && { cost: { amount, currency: 'USD' } }) },
    })) as unknown as ResultLine[];
  const of = (gone: readonly ResultLine[], others: readonly ResultLine[]) =>
    strayTexts({ ofGoneInputs: gone, ofOtherRuns: others }, 'en');

  it('count results with their cost, and name the first inputs', () => {
    assert.deepEqual(of([], []), []);
    assert.match(of(lines(1, '0.5'), [])[0]!, /^1 result .* gone: row 2 \(\$0\.50\)\. It is /);
    assert.match(of(lines(3), [])[0]!, /^3 results .* gone: row 2, row 3, row 4\. They are /);
    assert.match(
      of([...lines(4), ...lines(1)], [])[0]!,
      /^5 results .*: row 2, row 3, row 4 and 1 more\. They/,
    );
    assert.match(of([], lines(1))[0]!, /^1 result in the file is of .* the run, and not shown\.$/);
    assert.match(
      of([], lines(2, '0.5'))[0]!,
      /^2 results in the file are of .* the run \(\$1\.00\), and not shown\.$/,
    );
  });
});

describe('The texts that all runs of a plot send', () => {
  it('leave out varied places, media and blanks, and are at most four', () => {
    const input = {
      ...{ prompt: 'Draw', blank: ' ', options: { style: 'ink', k: 3 }, varied: 'x', variedToo: 'y' },
      image: { media_ref: 'a.png' },
    };
    const names = (varied: readonly string[], of: Json = input) =>
      fixedTexts(of, varied).map(({ name, text }) => `${name}: ${text}`);
    assert.deepEqual(names(['/input/varied']), ['prompt: Draw', 'options › style: ink', 'variedToo: y']);
    assert.deepEqual(names(['/input/options', '/input/varied']), ['prompt: Draw', 'variedToo: y']);
    assert.equal(names([], Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((one) => [one, one]))).length, 4);
    assert.deepEqual(fixedTexts(undefined, []), []);
  });
});
