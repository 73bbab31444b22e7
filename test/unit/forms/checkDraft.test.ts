import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ModeContract, ModelContract, Shape } from '../../../src/domain/model';
import type { RunDraft } from '../../../src/domain/run';
import { checkDraft, KnownParts, toRunRequest } from '../../../src/forms/checkDraft';
import { documentedShape } from '../../../src/service/reading/documentedShapes';

const params = {
  origin: 'declared',
  schema: { type: 'object', properties: { k: { type: 'integer' } } },
} as const;
const unknownShape: Shape = { schema: true, origin: 'unknown' };
const modes: ModeContract[] = [
  { name: 'execute', vectorBacked: false, input: unknownShape, params, examples: [] },
  {
    name: 'index',
    vectorBacked: true,
    input: documentedShape('index') ?? unknownShape,
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

  it('points at each problem', () => {
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

  it('says of many drafts what it says of each', () => {
    const part = fc.dictionary(fc.constantFrom('k', 'images', 'image_ids'), fc.jsonValue());
    const drafts = fc.array(
      fc.record({ mode: fc.constantFrom('execute', 'index'), input: part, params: part }),
    );
    fc.assert(
      fc.property(drafts, (some) => {
        const known = new KnownParts();
        for (const draft of [...some, ...some].map((one) => ({ ...index, ...one }) as RunDraft))
          assert.deepEqual(checkDraft(contract, draft, { known }), checkDraft(contract, draft));
      }),
    );
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
