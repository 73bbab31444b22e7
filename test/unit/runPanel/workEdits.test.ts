import assert from 'node:assert/strict';
import { removeAt } from '../../../src/domain/value';
import type { WorkInProgress } from '../../../src/protocol/run';
import { rearranged, withVariant } from '../../../webview/run/workEdits';

const work: WorkInProgress = {
  draft: { model: 'm', mode: 'execute', input: { a: { x: 1 }, list: [1, 2] }, params: {} },
  tab: 'form',
  choices: { '/input/a': 0, '/input/a/x': 1, '/input/list/1': 2, '/input/ab': 3 },
  brokenParts: { '/input/a/x': '{', '/input/b': '[' },
};

describe('An edit of the work', () => {
  it('keeps a chosen variant and texts elsewhere, and drops those inside', () => {
    const { draft, choices, brokenParts } = withVariant(work, '/input/a', 1, 'text');
    assert.deepEqual(draft.input, { a: 'text', list: [1, 2] });
    assert.deepEqual(Object.keys(draft.input), ['a', 'list']);
    assert.deepEqual(choices, { '/input/a': 1, '/input/list/1': 2, '/input/ab': 3 });
    assert.deepEqual(brokenParts, { '/input/b': '[' });
  });

  it('removes a member with its choices and texts', () => {
    const { draft, choices } = withVariant(work, '/input/a', undefined, undefined);
    assert.deepEqual([draft.input, choices], [{ list: [1, 2] }, { '/input/list/1': 2, '/input/ab': 3 }]);
  });

  it('forgets choices in a list whose items moved', () => {
    const { draft, choices } = rearranged(work, '/input/list', (value) => removeAt(value, '/input/list/0'));
    assert.deepEqual(draft.input.list, [2]);
    assert.deepEqual(choices, { '/input/a': 0, '/input/a/x': 1, '/input/ab': 3 });
  });
});
