import assert from 'node:assert/strict';
import { callGuard } from '../../../src/commands/callRuns';
import { Memory, rememberedUploads } from '../../../src/commands/memory';
import { readLimit } from '../../../src/domain/amounts';
import { Estimates } from '../../../src/runs/estimates/estimates';
import { run, usd } from '../../support/guard';
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

describe('The budget of one call', () => {
  it('ends at --max-cost, and never without it', () => {
    const admitTwo = (maxCost: string | undefined) => {
      const guard = callGuard(new Estimates([]), readLimit(maxCost));
      guard.admit(run()).settle(usd('1'));
      guard.admit(run());
    };
    admitTwo(undefined);
    admitTwo('2');
    assert.throws(() => admitTwo('1.99'), { kind: 'budgetReached' });
  });
});
