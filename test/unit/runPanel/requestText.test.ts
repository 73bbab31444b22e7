import assert from 'node:assert/strict';
import type { RunDraft } from '../../../src/domain/run';
import { checkDraft } from '../../../src/forms/checkDraft';
import { readText, requestText } from '../../../webview/run/json/requestText';
import { modelOf } from '../../support/runPage';

describe('The JSON of a request', () => {
  const problemOf = (value: unknown) => {
    const read = readText(JSON.stringify(value));
    assert.ok('problem' in read, 'it was taken');
    return read.problem;
  };

  it('reads like its source', () => {
    const parts = { input: { text: 'x', resources: ['a model may have its own'] }, params: { top: 3 } };
    assert.deepEqual(readText(requestText(parts)), { ...parts, options: undefined });
    const all = { ...parts, options: { priority: 'low' } };
    assert.deepEqual(readText(requestText(all)), all);
  });

  it('shows where it is invalid JSON, and why', () => {
    for (const [text, where] of [
      ['{\n  "input": {"a": 1,}\n}', /line 2, column 20\): a name in double quotes/],
      ['{"input": {"a": tru}}', /line 1, column 17\)/],
      ['{"input": {', /line 1, column 12\)/],
      ['', /line 1, column 1\)/],
      ['{"input": {"a": 1 // one\n}}', /JSON has no comments/],
    ] as const) {
      const read = readText(text);
      assert.ok('problem' in read);
      assert.match(read.problem, where);
    }
  });

  it('rejects a text whose value would differ from its look', () => {
    for (const [text, why] of [
      ['{"input": {"a": 1, "a": 2}}', /“a” appears twice. Remove one of them. \(line 1, column 20\)/],
      ['{"input": {"a": 12345678901234567890}}', /cannot be sent exactly/],
      ['{"input": {"a": 1e999}}', /too large for a number/],
      ['{"input": {"__proto__": {"x": 1}}}', /“__proto__” cannot be sent/],
    ] as const) {
      const read = readText(text);
      assert.ok('problem' in read, text);
      assert.match(read.problem, why);
    }
    assert.ok('input' in readText('{"input": {"a": 1.0, "b": {"a": 9007199254740992}, "c": 0.1}}'));
  });

  for (const field of ['resources', 'alias', 'collection', 'namespace'])
    it(`refuses ${field}, and says whose it is`, () => {
      const problem = problemOf({ input: {}, params: {}, [field]: 'x' });
      assert.match(problem, new RegExp(`Remove ${field}: it is managed by the platform`));
    });

  it('refuses hardware_tier and parameters with what to do instead', () => {
    assert.match(problemOf({ input: {}, hardware_tier: 'large' }), /release determines the hardware/);
    assert.match(problemOf({ input: {}, parameters: {} }), /Rename “parameters” to “params”/);
    assert.match(
      problemOf({ input: {}, mode: 'search' }),
      /Remove “mode”. Allowed here: input, params, options/,
    );
  });
});

describe('The checklist before a run', () => {
  const contract = {
    ...modelOf(
      { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      { type: 'object', properties: { top: { type: 'integer' } } },
      { name: 'search', vectorBacked: true },
    ),
    modeNames: ['search'],
  };
  const right = { model: 'try-me', mode: 'search', scope: 'playground', input: { text: 'x' }, params: {} };
  const pointers = (draft: object) =>
    checkDraft(contract, { ...right, ...draft } as RunDraft).map(({ pointer }) => pointer);

  it('passes a valid request', () => assert.deepEqual(pointers({}), []));

  const wrong: [string, object, string][] = [
    ['another model', { model: 'other' }, '/model'],
    ['a mode that the contract lacks', { mode: 'index' }, '/mode'],
    ['no scope', { scope: undefined }, '/scope'],
    ['a scope that breaks the format', { scope: '-x' }, '/scope'],
    ['a scope of 65 characters', { scope: 'x'.repeat(65) }, '/scope'],
    ['an input that is no object', { input: [] }, '/input'],
    ['an input of the wrong type', { input: { text: 3 } }, '/input/text'],
    ['params that are no object', { params: [] }, '/params'],
    ['params of the wrong type', { params: { top: 'x' } }, '/params/top'],
    ['options that are no object', { options: [] }, '/options'],
    ['hardware_tier', { options: { hardware_tier: 'x' } }, '/options/hardware_tier'],
    [
      'a name that JSON readers drop',
      { input: JSON.parse('{"text":"x","a":[{"__proto__":1}]}') },
      '/input/a/0/__proto__',
    ],
    ['a managed field', { namespace: 'x' }, '/namespace'],
  ];
  for (const [what, draft, pointer] of wrong)
    it(`points at ${pointer} for ${what}`, () => assert.deepEqual(pointers(draft), [pointer]));
});
