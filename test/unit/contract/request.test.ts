import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/domain/json';
import { isAccepted, mediaPositions, mediaTypeOf } from '../../../src/domain/media';
import type { ModeContract, ModelContract } from '../../../src/domain/model';
import type { RunDraft } from '../../../src/domain/run';
import { scopeProblem } from '../../../src/domain/scope';
import { checkDraft, toRunRequest } from '../../../src/forms/checkDraft';
import { documentedShape, UNKNOWN_SHAPE } from '../../../src/forms/infer';

const params = {
  origin: 'declared',
  schema: { type: 'object', properties: { k: { type: 'integer' } } },
} as const;
const modes: ModeContract[] = [
  { name: 'execute', vectorBacked: false, input: UNKNOWN_SHAPE, params, examples: [] },
  {
    name: 'index',
    vectorBacked: true,
    input: documentedShape('index') ?? UNKNOWN_SHAPE,
    params,
    examples: [],
  },
];
const contract: ModelContract = {
  slug: 'm',
  name: 'M',
  tags: [],
  modeNames: [],
  raw: {},
  modes,
  modesDeclared: true,
};
const images = [{ media_ref: 'file:///a.png' }, { media_ref: 'media_2' }];
const index: RunDraft = {
  model: 'm',
  mode: 'index',
  scope: 'playground',
  input: { images, image_ids: ['a', 'b'] },
  params: {},
};
const pointers = (draft: object) =>
  checkDraft(contract, { ...index, ...draft } as RunDraft).map((problem) => problem.pointer);

describe('The run validation checklist', () => {
  it('lets a right draft pass, with files that are not uploaded yet', () =>
    assert.deepEqual(pointers({}), []));

  it('points at each thing to mend', () => {
    assert.deepEqual(pointers({ model: '' }), ['/model']);
    assert.deepEqual(pointers({ mode: 'search' }).slice(0, 1), ['/mode']);
    assert.deepEqual(pointers({ scope: undefined }), ['/scope']);
    assert.deepEqual(pointers({ scope: '-a' }), ['/scope']);
    assert.deepEqual(pointers({ params: [] }), ['/params']);
    assert.deepEqual(pointers({ params: { k: 'x' } }), ['/params/k']);
    assert.deepEqual(pointers({ input: 'text' }), ['/input']);
    assert.deepEqual(pointers({ input: { images, image_ids: ['a'] } }), ['/input/image_ids']);
    assert.deepEqual(pointers({ input: { images, image_ids: ['a', 'a'] } }), ['/input/image_ids/1']);
    assert.deepEqual(pointers({ input: { images: [{ media_ref: '' }], image_ids: ['a'] } }), [
      '/input/images/0',
    ]);
  });

  it('refuses what the platform manages, where it arrives from a JSON editor', () => {
    for (const key of ['resources', 'alias', 'collection', 'namespace', 'hardware_tier']) {
      assert.deepEqual(pointers({ [key]: 'x' }), [`/${key}`]);
      assert.deepEqual(pointers({ options: { [key]: 'x' } }), [`/options/${key}`]);
    }
  });

  it('never throws, whatever a draft is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (draft) => {
        if (typeof draft === 'object' && draft !== null) checkDraft(contract, draft as unknown as RunDraft);
      }),
    );
  });
});

describe('The run request', () => {
  it('has a scope only for modes that use one, and params always', () => {
    const draft: RunDraft = { ...index, mode: 'execute', input: { a: 1 } };
    assert.deepEqual(toRunRequest(contract, draft), {
      model: 'm',
      mode: 'execute',
      input: { a: 1 },
      params: {},
    });
    assert.equal(toRunRequest(contract, index).scope, 'playground');
  });

  it('leaves mode out where the contract declares none', () => {
    const request = toRunRequest({ ...contract, modesDeclared: false }, { ...index, mode: 'execute' });
    assert.equal('mode' in request, false);
  });

  it('holds no managed field, whatever a draft brought along', () => {
    const request = toRunRequest(contract, { ...index, namespace: 'x' } as RunDraft);
    assert.deepEqual(Object.keys(request), ['model', 'mode', 'scope', 'input', 'params']);
  });
});

describe('A scope', () => {
  it('is right exactly when the interface says so', () => {
    const near = fc.string({
      unit: fc.constantFrom('a', 'Z', '0', '.', '_', '-', ' ', 'é', '\n'),
      maxLength: 70,
    });
    fc.assert(
      fc.property(fc.oneof(near, fc.string()), (text) => {
        assert.equal(
          scopeProblem(text) === undefined,
          /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text) && !text.endsWith('\n'),
        );
      }),
      { numRuns: 1000 },
    );
  });
});

describe('Media', () => {
  it('has a media_type that follows from the MIME type, and none where that says nothing', () => {
    const types = ['image/png', 'Audio/mpeg; x=1', 'video/mp4', 'application/pdf', 'text/csv'].map(
      mediaTypeOf,
    );
    assert.deepEqual(types, ['image', 'audio', 'video', 'file', 'file']);
    const unknown = ['', undefined, 'application/octet-stream', 'nonsense'].map(mediaTypeOf);
    assert.deepEqual(unknown, [undefined, undefined, undefined, undefined]);
  });

  it('is found where it stands', () => {
    const value: JsonObject = { 'a/b': [{ media_ref: 'x' }], image: { media_ref: 'y', filename: 'f' } };
    assert.deepEqual(
      mediaPositions(value, '/input').map((place) => place.pointer),
      ['/input/a~1b/0', '/input/image'],
    );
    assert.equal(isAccepted('image/png', ['image/*']), true);
    assert.equal(isAccepted('audio/mpeg', ['image/*', 'video/mp4']), false);
  });
});
