import assert from 'node:assert/strict';
import { rowsMode } from '../../../../src/experiments/setup/rowsMode';
import { modelOf } from '../../../support/runPage';

const media = {
  type: 'object',
  properties: { media_ref: { type: 'string' }, filename: { type: 'string' } },
  required: ['media_ref'],
};
const text = { type: 'string' };
const table = { columns: ['sentence', 'label'], rows: [] };
const inputOf = (properties: Record<string, object>, required: readonly string[]) => ({
  type: 'object',
  properties,
  required: [...required],
});
const fitOf = (input: Parameters<typeof modelOf>[0], params?: Parameters<typeof modelOf>[1]) =>
  rowsMode(modelOf(input, params), table)?.fit;

describe('A model for the rows of a table', () => {
  it('fits best where columns fill every required field', () => {
    assert.equal(fitOf(inputOf({ text }, ['text'])), 'columns');
    assert.equal(fitOf(inputOf({ text, top: { type: 'integer', default: 3 } }, ['text', 'top'])), 'columns');
    assert.equal(fitOf(inputOf({ Sentence: text }, [])), 'columns', 'a column of its name');
  });

  it('runs in the mode that fits best, “execute” before others', () => {
    const { modes } = modelOf(inputOf({ text }, ['text']));
    const [taking] = modes;
    const ofImage = modelOf(inputOf({ image: media, count: { type: 'integer' } }, ['image'])).modes[0]!;
    const modeIn = (...some: readonly (typeof ofImage)[]) =>
      rowsMode({ ...modelOf(true), modes: [...some] }, table)?.mode.name;
    assert.equal(modeIn(ofImage, { ...taking!, name: 'classify' }), 'classify');
    assert.equal(modeIn({ ...taking!, name: 'classify' }, taking!), 'execute');
    assert.equal(modeIn({ ...taking!, vectorBacked: true }), undefined, 'a dataset');
  });
});
