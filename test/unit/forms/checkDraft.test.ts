import assert from 'node:assert/strict';
import fc from 'fast-check';
import { documentedShape } from '../../../src/contracts/documentedShapes';
import type { JsonObject } from '../../../src/domain/json';
import type { ModeContract, ModelContract, Shape } from '../../../src/domain/model';
import type { RunDraft } from '../../../src/domain/run';
import { checkDraft, checkInFull, KnownParts, toRunRequest } from '../../../src/forms/checkDraft';

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

  it('asks for a scope where the mode uses one, and accepts any scope for an unknown mode', () => {
    assert.deepEqual(pointers({ mode: 'execute', input: {}, scope: '-a' }), []);
    assert.deepEqual(pointers({ mode: 'execute', input: {}, scope: undefined }), []);
    assert.deepEqual(pointers({ mode: 'other', scope: undefined }), ['/mode']);
    assert.deepEqual(pointers({ mode: 'other', scope: '-a' }), ['/mode', '/scope']);
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

  it('notes once the rules that only the service can check', () => {
    const open: Shape = { origin: 'declared', schema: { $ref: 'https://elsewhere.example/x.json' } };
    const declared = { ...contract, modes: [{ ...modes[0]!, input: open, params: open }] };
    const { problems, notes } = checkInFull(declared, { model: 'm', mode: 'execute', input: {}, params: {} });
    assert.deepEqual([problems, notes.length], [[], 1]);
    assert.match(notes[0] ?? '', /elsewhere\.example/);
  });

  it('rejects managed fields from a JSON editor', () => {
    for (const key of ['resources', 'alias', 'collection', 'namespace', 'hardware_tier']) {
      assert.deepEqual(pointers({ [key]: 'x' }), [`/${key}`]);
      assert.deepEqual(pointers({ options: { [key]: 'x' } }), [`/options/${key}`]);
    }
  });

  it('reports the same for many drafts as for each', () => {
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

  it('checks each part of many drafts once, except parts too long to keep', () => {
    const known = new KnownParts();
    let checks = 0;
    const check = (shape: Shape, value: JsonObject) =>
      known.of(shape, value, () => {
        checks += 1;
        return { problems: [], notes: [String(checks)] };
      }).notes[0];
    const other: Shape = { schema: {}, origin: 'declared' };
    assert.deepEqual(
      [check(params, { k: 1 }), check(params, { k: 1 }), check(params, { k: 2 }), check(other, { k: 1 })],
      ['1', '1', '2', '3'],
    );
    const long = (letters: number) => ({ k: 'x'.repeat(letters - '{"k":""}'.length) });
    assert.deepEqual([check(params, long(2000)), check(params, long(2000))], ['4', '4']);
    assert.deepEqual([check(params, long(2001)), check(params, long(2001))], ['5', '6']);
    const before = checks;
    for (let at = 0; at < 2600; at += 1) check(params, { at });
    assert.equal(check(params, { at: 2599 }), String(checks));
    assert.equal(checks, before + 2600);
    check(params, { k: 1 });
    assert.equal(checks, before + 2601, 'the oldest were let go');
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

  it('leaves mode out where the contract declares none', () => {
    const request = toRunRequest({ ...contract, modesDeclared: false }, { ...index, mode: 'execute' });
    assert.equal('mode' in request, false);
  });

  it('contains options only if some are set', () => {
    const of = (options?: JsonObject) => toRunRequest(contract, { ...index, ...(options && { options }) });
    assert.deepEqual(of({ debug: true }).options, { debug: true });
    assert.equal('options' in of({}), false);
    assert.equal('options' in of(), false);
  });

  it('keeps a mode that the contract does not have, without a scope', () => {
    const request = toRunRequest({ ...contract, modesDeclared: false }, { ...index, mode: 'other' });
    assert.deepEqual([request.mode, 'scope' in request], ['other', false]);
  });

  it('contains no managed field, even if a draft has one', () => {
    const request = toRunRequest(contract, { ...index, namespace: 'x' } as RunDraft);
    assert.deepEqual(Object.keys(request), ['model', 'mode', 'scope', 'input', 'params']);
  });
});
