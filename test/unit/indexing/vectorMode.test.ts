import assert from 'node:assert/strict';
import type { JsonSchema } from '../../../src/domain/json';
import type { ModeContract, ModelContract } from '../../../src/domain/model';
import { vectorMode, withUndeclaredModes } from '../../../src/indexing/vectorMode';

const FILES: JsonSchema = {
  type: 'object',
  properties: {
    images: { type: 'array', items: { type: 'object', properties: { media_ref: { type: 'string' } } } },
  },
};
const TEXT: JsonSchema = { type: 'object', properties: { n: { type: 'number' } } };

const mode = (name: string, vectorBacked = true, schema = FILES): ModeContract => ({
  ...{ name, vectorBacked, examples: [] },
  ...{ input: { schema, origin: 'declared' }, params: { schema: true, origin: 'unknown' } },
});
const model = (modes: readonly ModeContract[], modesDeclared = true): ModelContract =>
  ({
    slug: 'm',
    name: 'Model M',
    tags: [],
    modeNames: [],
    raw: {},
    modes,
    modesDeclared,
  }) as unknown as ModelContract;

describe('The mode that takes files', () => {
  it('includes the documented one of a model that publishes no modes, beside its own', () => {
    const open = model([mode('execute', false, TEXT), mode('index')], false);
    const known = withUndeclaredModes(open);
    assert.deepEqual(
      known.modes.map(({ name, vectorBacked, input, params, examples }) => [
        name,
        vectorBacked,
        input.origin,
        params,
        examples.length,
      ]),
      [
        ['execute', false, 'declared', { schema: true, origin: 'unknown' }, 0],
        ['index', true, 'declared', { schema: true, origin: 'unknown' }, 0],
        ['search', true, 'documented', { schema: true, origin: 'unknown' }, 0],
      ],
    );
    assert.deepEqual(
      [vectorMode(open, 'search')?.shape.property, vectorMode(open, 'search')?.contract.modes.length],
      ['image', 3],
    );
    const declared = model([mode('execute')]);
    assert.equal(withUndeclaredModes(declared), declared);
    assert.equal(vectorMode(declared, 'search'), undefined);
  });
});
