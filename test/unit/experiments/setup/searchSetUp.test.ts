import assert from 'node:assert/strict';
import { readModel } from '../../../../src/contracts/model';
import type { ExperimentFile } from '../../../../src/experiments/file/format';
import { fewHits } from '../../../../src/experiments/setup/searchSetUp';

/** The warnings about a search whose contract has this parameter. */
const said = (param: object, experiment: object, params: object = {}) => {
  const contract = readModel(
    {
      ...{ slug: 'a', name: 'Model A' },
      modes: {
        search: {
          input_schema: { type: 'object', properties: { text: { type: 'string' } } },
          params_schema: { type: 'object', properties: param },
        },
      },
    },
    'a',
  )!;
  const draft = { model: 'a', mode: 'search', input: {}, params: params as Record<string, never> };
  return fewHits(experiment as unknown as ExperimentFile, draft, new Map([['a', contract]])).map(
    ({ message }) => message,
  );
};

describe('A search that is measured', () => {
  const top = (more: object) => ({ top_k: { type: 'integer', ...more } });
  const files = { over: { files: '*.png', map: {} }, metrics: ['hit@1', 'precision@10'] };

  it('leads to a warning where it asks for fewer hits than are measured, of files one more', () => {
    const wanted = ['Model A is not asked for the 11 hits that are measured: add "top_k": 11 to "params".'];
    assert.deepEqual(said(top({ default: 10 }), files), wanted);
    assert.deepEqual(said(top({ default: 50 }), files, { top_k: 10 }), wanted);
    assert.deepEqual(said(top({ default: 11 }), files), []);
    assert.deepEqual(said(top({ default: 5 }), files, { top_k: 11 }), []);
    assert.deepEqual(said(top({ default: 10 }), { ...files, over: { rows: 'a.csv', map: {} } }), []);
  });

  it('says nothing where the contract does not allow more, the parameter is varied, or no hits are measured', () => {
    assert.deepEqual(said(top({ maximum: 10, default: 10 }), files), []);
    assert.deepEqual(said(top({}), { ...files, vary: { '/params/top_k': [5, 20] } }), []);
    assert.deepEqual(said({ style: { type: 'string' } }, files), []);
    assert.deepEqual(said(top({}), { ...files, metrics: ['accuracy'] }), []);
  });
});
