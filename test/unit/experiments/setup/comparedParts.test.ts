import assert from 'node:assert/strict';
import type { Json } from '../../../../src/domain/json';
import { withGrid } from '../../../../src/experiments/file/editGrid';
import { readExperiment } from '../../../../src/experiments/file/read';
import { comparingOf } from '../../../../src/experiments/results/measuredValue';
import type { ResultLine } from '../../../../src/experiments/results/resultLine';
import { comparedParts, comparedPartText } from '../../../../src/experiments/setup/comparedParts';

const lineOf = (result: Json, model?: string): ResultLine => ({
  ...{ custom_id: 'a', item: 'row 2', repeat: 0, request_sha256: 'a', state: 'finished' },
  ...{ variation: model === undefined ? {} : { '/model': model }, result },
});

const experimentOf = (at: unknown, models?: readonly string[]) => ({
  run: { model: 'a', input: {} },
  ...(models && { vary: { '/model': models } }),
  over: { rows: 'rows.csv', map: { '/input/text': 'text' } },
  expected: { column: 'label', ...(at !== undefined && { at }) },
});

const partsOf = (at: unknown, lines: readonly ResultLine[], expected: Json[] = ['cat'], models?: string[]) =>
  comparedParts(lines, comparingOf(experimentOf(at, models) as never), expected);

const animal = { id: 'x1', label: 'cat', scores: { cat: 0.9 } };

describe('The parts of results that can be compared', () => {
  const said = (...args: Parameters<typeof partsOf>) => partsOf(...args).map(comparedPartText);

  it('differ by model, and so may the place that is compared', () => {
    const lines = [lineOf(animal, 'a'), lineOf({ class: 'cat' }, 'b')];
    assert.deepEqual(said('/label', lines, ['cat'], ['a', 'b']), [
      undefined,
      'The result of b has no value at /label. Compare one of its parts: /class.',
    ]);
    assert.deepEqual(said({ a: '/label', b: '/class' }, lines, ['cat'], ['a', 'b']), [undefined, undefined]);
  });
});

describe('Choosing the compared part', () => {
  const edited = (at: unknown, models: readonly string[] | undefined, chosen: object) => {
    const text = JSON.stringify(experimentOf(at, models), null, 2);
    const { experiment, problems } = readExperiment(withGrid(text, { compared: chosen as never }));
    assert.deepEqual(problems, []);
    return experiment?.expected;
  };

  it('writes one place for all models, or one for each where they differ', () => {
    assert.deepEqual(edited(undefined, undefined, { at: '/label' }), { column: 'label', at: '/label' });
    assert.deepEqual(edited('/label', ['a', 'b'], { model: 'b', at: '/class' }), {
      column: 'label',
      at: { a: '/label', b: '/class' },
    });
    assert.deepEqual(edited({ a: '/label', b: '/class' }, ['a', 'b'], { model: 'b', at: '/label' }), {
      column: 'label',
      at: '/label',
    });
    assert.deepEqual(edited('/label', undefined, { at: '' }), { column: 'label' });
  });
});
