import assert from 'node:assert/strict';
import { readModel } from '../../../src/contracts/model';
import type { Json, JsonObject } from '../../../src/domain/json';
import type { ModelContract } from '../../../src/domain/model';
import { undeclaredMembers } from '../../../src/forms/undeclared';

const contractOf = (input: object, params: object = {}): ModelContract =>
  readModel({ slug: 'm', name: 'Model', input_schema: input as Json, params_schema: params as Json }, 'm')!;

const said = (contract: ModelContract, input: JsonObject, params: JsonObject = {}) =>
  undeclaredMembers(contract, { model: 'm', mode: 'execute', input, params }).map(
    ({ pointer, message }) => `${pointer}: ${message}`,
  );

const text = { type: 'object', properties: { text: { type: 'string' } } };

describe('The check for members that a model does not declare', () => {
  it('names the field that a member may mean', () => {
    const params = {
      type: 'object',
      properties: { temperature: { type: 'number' }, top_k: { type: 'integer' } },
    };
    assert.deepEqual(said(contractOf(text, params), { txet: 'x' }, { temprature: 1, top_k: 2 }), [
      '/input/txet: Model declares no field “txet”: it may have no effect. Did you mean /input/text?',
      '/params/temprature: Model declares no field “temprature”: it may have no effect. Did you mean /params/temperature?',
    ]);
    assert.deepEqual(said(contractOf(text), { text: 'x', other: 1 }), [
      '/input/other: Model declares no field “other”: it may have no effect.',
    ]);
  });

  it('looks into objects, lists and variants', () => {
    const nested = {
      type: 'object',
      properties: {
        options: { type: 'object', properties: { style: {} } },
        list: { type: 'array', items: { type: 'object', properties: { name: {} } } },
        source: {
          oneOf: [
            { type: 'object', properties: { url: { type: 'string' } } },
            { type: 'object', properties: { path: { type: 'string' } } },
          ],
        },
      },
    };
    const input: JsonObject = {
      options: { stile: 1 },
      list: [{ name: 1 }, { nmae: 1 }],
      source: { path: 'a', ulr: 'b' },
    };
    assert.deepEqual(
      said(contractOf(nested), input).map((line) => line.split(':')[0]),
      ['/input/options/stile', '/input/list/1/nmae', '/input/source/ulr'],
    );
  });
});
