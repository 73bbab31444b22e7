import assert from 'node:assert/strict';
import { fileField } from '../../../src/experiments/file/fileField';
import { runOver } from '../../../src/experiments/file/newExperiment';
import { modelOf } from '../../support/runPage';

describe('A new experiment over files', () => {
  const images = { type: 'array', items: { type: 'object', properties: { media_ref: { type: 'string' } } } };

  it('uses an empty list when a list takes the files, under any name', () => {
    for (const name of ['images', '__proto__', 'constructor', 'toString']) {
      const schema = JSON.parse(
        JSON.stringify({ type: 'object', properties: { images } }).replace('"images"', `"${name}"`),
      );
      const contract = modelOf(schema);
      const field = fileField(contract, ['image/png']);
      assert.deepEqual(Object.keys(field?.map ?? {}), [`/input/${name}/0`]);
      const { input } = runOver(contract, field!.mode, Object.keys(field!.map)) as { input: object };
      assert.deepEqual(Object.entries(input), [[name, []]]);
    }
  });
});
