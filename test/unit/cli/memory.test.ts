import assert from 'node:assert/strict';
import { Memory, rememberedUploads } from '../../../src/commands/memory';
import { runNamed } from '../../support/store/samples';

describe('The memory of one call', () => {
  it('returns the recorded runs of a model, and calls its listeners', async () => {
    const memory = new Memory();
    let told = 0;
    memory.onDidChange(() => {
      told += 1;
    });
    const run = runNamed('a');
    await memory.put(run);
    assert.equal(told, 1);
    assert.equal(memory.get('a')?.id, 'a');
    assert.equal(memory.past('', run.draft.model).length, 1);
    assert.equal(memory.past('', run.draft.model, 'no such mode').length, 0);
    assert.equal(memory.past('', 'another model').length, 0);
  });

  it('keeps each uploaded content once, until it is forgotten', async () => {
    const uploads = rememberedUploads();
    const key = { baseUrl: 'https://s.test', sha256: 'abc', mediaType: 'image' } as const;
    await uploads.remember(key, 'm-1');
    assert.equal(await uploads.find(key), 'm-1');
    for (const other of [{ mediaType: 'file' }, { sha256: 'def' }, { baseUrl: 'https://t.test' }] as const)
      assert.equal(await uploads.find({ ...key, ...other }), undefined);
    await uploads.forget(key);
    assert.equal(await uploads.find(key), undefined);
  });
});
