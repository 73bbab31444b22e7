import assert from 'node:assert/strict';
import type { NextStep } from '../../../src/domain/problems';
import type { StoreProblemKind } from '../../../src/domain/storeProblem';
import { StoreProblem } from '../../../src/store/storeProblem';
import { messageOf, nextStepOf } from '../../../src/wording/errors';

/** The event, the act that helps, and the button that begins it. */
const SAYS: Readonly<Record<StoreProblemKind, readonly [event: RegExp, act: RegExp, NextStep]>> = {
  missing: [/without SQLite/, /Update the editor/, 'none'],
  folder: [/\/the\/folder cannot be written/, /Check its permissions and who owns it/, 'reloadWindow'],
  diskFull: [/disk of \/the\/folder is full.*not saved/, /Free some space and try again/, 'retry'],
  damaged: [
    /in \/the\/folder is damaged.*Nothing was deleted/,
    /restore the folder from a backup/,
    'showLog',
  ],
  locked: [/Another program holds .*\/the\/folder/, /Close that program.* try again/, 'retry'],
  io: [/disk of \/the\/folder reported an error/, /Check the disk/, 'reloadWindow'],
  replaced: [/deleted or replaced .*\/the\/folder/, /Check Usage before running again/, 'showUsage'],
  notOwner: [/Another window works on this/, /Nothing was sent from here/, 'none'],
  closed: [/window is being closed/, /not saved/, 'none'],
  inFlight: [/no outcome yet/, /not sent again/, 'none'],
};

describe('A problem of the store', () => {
  for (const [kind, [event, act, step]] of Object.entries(SAYS))
    it(`names the event, the act that helps and its button: ${kind}`, () => {
      const problem = new StoreProblem(kind as StoreProblemKind, 'SQLITE_TECHNICAL', {
        folder: '/the/folder',
      });
      const text = messageOf(problem);
      for (const part of [event, act]) assert.match(text, part);
      assert.doesNotMatch(text, /undefined|TECHNICAL/);
      assert.equal(nextStepOf(problem), step);
    });
});
