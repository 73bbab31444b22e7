import assert from 'node:assert/strict';
import { readModel } from '../../../../src/contracts/model';
import type { ExperimentFile } from '../../../../src/experiments/file/format';
import { missingOutputs } from '../../../../src/experiments/setup/outputPlaces';

const closed = (properties: object, more: object = {}) => ({
  ...{ type: 'object', properties, additionalProperties: false },
  ...more,
});
const label = closed({ label: { type: 'string' }, box: { type: 'array', items: { type: 'number' } } });

/** The warnings about a compared place when the model publishes this beside its input. */
const said = (at: unknown, published: object, more: object = {}) => {
  const input_schema = { type: 'object', properties: { text: { type: 'string' } } };
  const contract = readModel({ slug: 'a', name: 'Model A', input_schema, ...published }, 'a')!;
  const experiment = { run: { model: 'a' }, expected: { column: 'want', at }, ...more };
  return missingOutputs(experiment as unknown as ExperimentFile, 'execute', new Map([['a', contract]])).map(
    ({ pointer, message }) => `${pointer}: ${message}`,
  );
};

describe('A compared place that the output schema of a model does not have', () => {
  it('leads to a warning with the closest name, under the usual names of such a schema', () => {
    for (const name of 'output_schema outputSchema output outputs response_schema resultSchema'.split(' '))
      assert.deepEqual(
        said('/labl', { [name]: label }),
        ['/expected/at: By its output schema, the result of Model A has no /labl. Did you mean “label”?'],
        name,
      );
    assert.deepEqual(said('/box/width', { output_schema: label }), [
      '/expected/at: By its output schema, the result of Model A has no /box/width.',
    ]);
  });

  it('appears through references, in the mode’s own schema, and by model', () => {
    const output_schema = { $ref: '#/$defs/Out', $defs: { Out: label } };
    assert.equal(said('/labl', { output_schema }).length, 1);
    assert.equal(said('/labl', { modes: { execute: { input_schema: {}, output_schema } } }).length, 1);
    assert.equal(said({ a: '/labl', b: '/label' }, { output_schema }).length, 1);
    assert.deepEqual(said({ a: '/label', b: '/labl' }, { output_schema }), []);
  });
});
