import assert from 'node:assert/strict';
import { checkedRunArgs } from '../../../src/features/runPanel/runArgs';
import { ServiceError } from '../../../src/service/errors';
import { messageOf } from '../../../src/wording/errors';

describe('Arguments of a keybinding or a script for “Run Model…”', () => {
  const refuses = (args: unknown, words: RegExp) =>
    assert.throws(
      () => checkedRunArgs(args),
      (error) =>
        error instanceof ServiceError && error.kind === 'invalidRequest' && words.test(messageOf(error)),
    );

  it('fail with a sentence when they name a field that the platform manages', () => {
    for (const field of ['resources', 'alias', 'collection', 'namespace', 'hardware_tier'])
      refuses({ model: 'm', [field]: 'x' }, new RegExp(`Remove ${field}`));
    refuses({ model: 'm', options: { hardware_tier: 'x' } }, /Remove hardware_tier/);
    refuses({ model: 'm', parameters: {} }, /Rename “parameters” to “params”/);
  });

  it('fail when a field would be dropped silently, or has another type', () => {
    refuses({ model: 'm', inputs: {} }, /Remove “inputs”/);
    refuses({ model: 'm', input: 'text' }, /“input” must be an object/);
    refuses({ model: 3 }, /“model” must be a string/);
    refuses('m', /takes an object/);
  });
});
