import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ShownContract } from '../../../src/domain/model';
import type { RunDraft } from '../../../src/domain/run';
import { toRunRequest } from '../../../src/forms/checkDraft';
import { draftOfRequest } from '../../../webview/run/json/requestText';

const anything = { schema: true, origin: 'unknown' } as const;
const modeOf = (name: string, vectorBacked: boolean) => ({
  ...{ name, vectorBacked, input: anything, params: anything, examples: [] },
});
const contract: ShownContract = {
  ...{ slug: 'try-me', id: 'm_1', name: 'Try Me', tags: [], modeNames: [], modesDeclared: true },
  modes: [modeOf('execute', false), modeOf('search', true)],
};
const before: RunDraft = { model: 'try-me', mode: 'execute', input: { kept: 1 }, params: {} };

describe('A whole request in the JSON tab', () => {
  it('becomes the draft of the same request', () => {
    const value = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.oneof(fc.string(), fc.integer()), {
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(fc.constantFrom('execute', 'search'), value, value, (mode, input, params) => {
        const request = {
          model: 'try-me',
          mode,
          ...(mode === 'search' && { scope: 'birds' }),
          input,
          params,
        };
        const draft = draftOfRequest(JSON.stringify(request), contract, before);
        assert.ok(draft);
        assert.deepEqual(toRunRequest({ ...contract, raw: undefined }, draft), request);
      }),
    );
  });

  it('stays unchanged when it is for another model or mode, or has a forbidden field', () => {
    for (const request of [
      { model: 'another', input: {} },
      { model: 'try-me', mode: 'train', input: {} },
      { model: 'try-me', input: {}, hardware_tier: 'gpu' },
      { model: 'try-me', input: 5 },
      { input: {} },
    ])
      assert.equal(draftOfRequest(JSON.stringify(request), contract, before), undefined);
    assert.equal(draftOfRequest('{"model": "try-me", "input": {', contract, before), undefined);
  });
});
