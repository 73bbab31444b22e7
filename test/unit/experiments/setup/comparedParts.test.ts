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
  it('warn of a place in a hit of a search, whose first may be the query', () => {
    const hits = lineOf({ results: [{ id: 'cat', score: 1 }] });
    const [text] = partsOf('/results/0/id', [hits]).map(comparedPartText);
    assert.match(text ?? '', /is in one of the hits of this model: the first may be the query itself/);
  });

  const said = (...args: Parameters<typeof partsOf>) => partsOf(...args).map(comparedPartText);

  it('replace a compared part that is an object, a list or missing', () => {
    const lines = [lineOf(animal), lineOf(animal)];
    assert.deepEqual(said(undefined, lines), [
      'The compared part, the whole result, is an object in every result of this model. Compare one of its parts: /label, /id, /scores/cat.',
    ]);
    assert.deepEqual(said('/lable', lines), [
      'None of the 2 results of this model has a value at /lable. Did you mean /label?',
    ]);
    assert.deepEqual(said('/typo', [lineOf('cat')]), [
      'The result of this model has no value at /typo. Correct "at".',
    ]);
    assert.deepEqual(said('', [lineOf(['cat'])]), [
      'The compared part, the whole result, is a list in every result of this model. Compare one of its parts: /0.',
    ]);
  });

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
