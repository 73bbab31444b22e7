import assert from 'node:assert/strict';
import type { StoreProblemKind } from '../../../src/domain/storeProblem';
import { asProblem, StoreProblem } from '../../../src/store/storeProblem';
import { messageOf } from '../../../src/wording/errors';

const kinds: readonly StoreProblemKind[] = [
  ...(['missing', 'folder', 'readOnly', 'diskFull', 'damaged', 'locked', 'io'] as const),
  ...(['notOwner', 'closed', 'inFlight'] as const),
];

describe('A problem of the store', () => {
  for (const kind of kinds)
    it(`contains a message: ${kind}`, () => {
      const text = messageOf(asProblem(new StoreProblem(kind, 'SQLITE_TECHNICAL'), '/the/folder'));
      assert.match(text, /^[A-Z].*\.$/);
      assert.doesNotMatch(text, /undefined|TECHNICAL/);
    });

  it('names its folder if the user can do something there', () => {
    for (const kind of ['folder', 'readOnly', 'diskFull', 'damaged', 'locked', 'io'] as const)
      assert.match(messageOf(asProblem(new StoreProblem(kind, ''), '/the/folder')), /\/the\/folder/);
  });
});
