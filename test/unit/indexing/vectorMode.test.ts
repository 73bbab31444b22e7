import assert from 'node:assert/strict';
import type { JsonSchema } from '../../../src/domain/json';
import type { ModeContract, ModelContract } from '../../../src/domain/model';
import {
  isNamedFor,
  isOfOtherKind,
  requiredMode,
  type VectorUse,
  vectorMode,
  withUndeclaredModes,
} from '../../../src/indexing/vectorMode';

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
const found = (use: VectorUse, ...modes: ModeContract[]) => vectorMode(model(modes), use)?.mode.name;

describe('The mode that takes files', () => {
  it('prefers a mode with the exact name, then one with a similar name', () => {
    assert.equal(found('index', mode('ingest'), mode('index', false)), 'index');
    assert.equal(found('search', mode('find_similar'), mode('search')), 'search');
    for (const name of ['index_text', 'bulk_Insert', 'upsert', 'ingest'])
      assert.equal(found('index', mode('x'), mode(name)), name);
    for (const name of ['search_image', 'Query', 'similar', 'find'])
      assert.equal(found('search', mode('x'), mode(name)), name);
  });

  it('skips modes without a dataset, for another use, or without files', () => {
    assert.equal(found('index', mode('upsert', false)), undefined);
    assert.equal(found('index', mode('search'), mode('x')), undefined);
    assert.equal(found('search', mode('index'), mode('x')), undefined);
    assert.equal(found('index', mode('index', true, TEXT)), undefined);
    assert.deepEqual([isNamedFor('search', 'index'), isNamedFor('index', 'search')], [false, false]);
  });

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

  it('appears as missing, with its intended use', () => {
    const none = model([mode('execute')]);
    assert.throws(() => requiredMode(none, 'index'), /Model M no longer has a mode that indexes/);
    assert.throws(() => requiredMode(none, 'search'), /Model M no longer has a mode that searches/);
    assert.equal(requiredMode(model([mode('index')]), 'index').mode.name, 'index');
  });

  it('takes files that may be of its kind', () => {
    const images = requiredMode(model([mode('index')]), 'index').shape;
    const texts = { ...images, carries: 'text', accept: ['text/*'] } as const;
    assert.deepEqual(images.accept, ['image/*']);
    const pngs = { ...images, accept: ['.png', '.ora'] };
    for (const [contentType, shape, other, filename = 'a'] of [
      ['image/png', images, false],
      ['video/mp4', images, true],
      ['application/json', images, true],
      ['', images, false],
      ['text/plain', texts, false],
      ['application/json', texts, false],
      ['image/png', texts, true],
      ['image/png', pngs, false, 'a.PNG'],
      ['', pngs, false, 'a.ora'],
      ['', pngs, true, 'a.psd'],
      ['image/jpeg', pngs, true, 'a.jpg'],
    ] as const)
      assert.equal(isOfOtherKind({ contentType, filename }, shape), other, `${contentType} ${shape.carries}`);
  });
});
