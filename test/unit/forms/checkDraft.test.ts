import assert from 'node:assert/strict';
import fc from 'fast-check';
import { documentedShape } from '../../../src/contracts/documentedShapes';
import { readModel } from '../../../src/contracts/model';
import type { ModeContract, ModelContract, Shape } from '../../../src/domain/model';
import type { RunDraft } from '../../../src/domain/run';
import { checkDraft, toRunRequest } from '../../../src/forms/checkDraft';

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
  it('accepts a valid draft, with files that are not uploaded yet', () => assert.deepEqual(pointers({}), []));

  it('says what to do about each problem, in the order of the request', () => {
    const said = (draft: object, declared: ModelContract = contract) =>
      checkDraft(declared, { ...index, ...draft } as RunDraft).map(
        ({ pointer, message }) => `${pointer} ${message}`,
      );
    const choose = 'Choose a mode: execute, index.';
    assert.deepEqual(said({ mode: 'search' }), [
      '/mode M has no mode search. Choose one of: execute, index.',
    ]);
    assert.deepEqual(said({ mode: '' }), [`/mode ${choose}`]);
    assert.deepEqual(said({ mode: 5 }), [`/mode ${choose}`]);
    assert.deepEqual(said({ model: 'other' }), [
      '/model This request is for other, but the model shown is m.',
    ]);
    assert.deepEqual(said({ model: 'an-id' }, { ...contract, id: 'an-id' }), []);
    assert.deepEqual(said({ model: ' ' }).length, 1);
    assert.deepEqual(said({ input: { images, image_ids: ['a'] } }), [
      '/input/image_ids Enter one ID per item: there are 2 items and 1 IDs.',
    ]);
    assert.deepEqual(said({ input: { images, image_ids: ['a', 'a'] } }), [
      '/input/image_ids/1 Two items have the ID a. Give each item its own ID.',
    ]);
    const all = {
      zzz: 1,
      params: { k: 'x' },
      input: { images: [{}], image_ids: ['a'] },
      mode: 'no',
      model: 'other',
    };
    const pointersOf = (draft: object) => said(draft).map((line) => line.split(' ')[0]);
    assert.deepEqual(pointersOf(all), ['/model', '/mode', '/zzz']);
    assert.deepEqual(pointersOf({ ...all, mode: 'index', scope: '-' }), [
      ...['/model', '/scope', '/input/images/0', '/params/k', '/zzz'],
    ]);
  });

  it('skips the schema where the user chose that, and where it is only an example', () => {
    const wrong: RunDraft = { ...index, params: { k: 'x' } };
    const problems = (declared: ModelContract, schema: 'check' | 'skip' = 'check') =>
      checkDraft(declared, wrong, { schema }).map(({ pointer }) => pointer);
    const withOrigin = (origin: Shape['origin']) => ({
      ...contract,
      modes: modes.map((mode) => ({ ...mode, params: { ...params, origin } })),
    });
    assert.deepEqual(problems(contract), ['/params/k']);
    assert.deepEqual(problems(contract, 'skip'), []);
    assert.deepEqual(problems(withOrigin('example')), []);
    assert.deepEqual(problems(withOrigin('unknown')), []);
    const noScope = checkDraft(contract, { ...wrong, scope: undefined } as RunDraft, { schema: 'skip' });
    assert.deepEqual(
      noScope.map(({ pointer }) => pointer),
      ['/scope'],
      'what holds for every model is checked',
    );
  });

  it('never throws, for any draft', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (draft) => {
        if (typeof draft === 'object' && draft !== null) checkDraft(contract, draft as unknown as RunDraft);
      }),
    );
  });
});

describe('The run request', () => {
  it('contains a scope only for modes that use one, and params always', () => {
    const draft: RunDraft = { ...index, mode: 'execute', input: { a: 1 } };
    assert.deepEqual(toRunRequest(contract, draft), {
      model: 'm',
      mode: 'execute',
      input: { a: 1 },
      params: {},
    });
    assert.equal(toRunRequest(contract, index).scope, 'playground');
  });

  it('accepts a mode in any case, and sends it as the contract spells it', () => {
    const contract = readModel({ slug: 'm', modes: ['EXECUTE', 'Search'] }, 'm')!;
    for (const [mode, sent] of [
      ['execute', 'EXECUTE'],
      ['EXECUTE', 'EXECUTE'],
      ['search', 'Search'],
    ] as const) {
      const draft = { model: 'm', mode, scope: 's', input: { image: { media_ref: 'x' } }, params: {} };
      assert.deepEqual(checkDraft(contract, draft), [], mode);
      assert.equal(toRunRequest(contract, draft).mode, sent);
    }
  });
});
