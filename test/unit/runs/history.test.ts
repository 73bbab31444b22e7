import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { type History, openHistory } from '../../../src/runs/history/history';
import type { StoreOptions } from '../../../src/store/store';
import { useStoreFolder } from '../../support/store/openStore';
import { runNamed as run } from '../../support/store/samples';

const body = (text: string) => ({ bytes: Buffer.from(text), contentType: 'application/json' });
const idsOf = (history: History) => history.runs.list({ limit: 1_000 }).map(({ id }) => id);

describe('The history of runs', () => {
  const use = useStoreFolder();
  let limit: number | undefined;
  beforeEach(() => {
    limit = 200;
  });
  /** A window's history: each has the store opened for itself. */
  const open = async (options: Partial<StoreOptions> = {}, folder?: string) => {
    const store = await use.open(options, folder);
    const history = await openHistory(store, { limit: () => limit, log: assert.fail });
    return {
      history,
      close: async () => {
        history.close();
        await store.close();
      },
    };
  };

  it('keeps the pin and the name of a run over its later records, and finds it by the name', async () => {
    const first = await open();
    await first.history.put(run('a', { state: 'running' }));
    await first.history.mark('a', { name: 'Best so far', pinned: true });
    await first.history.put(run('a', { state: 'finished' }));
    await first.close();
    const { history } = await open();
    const kept = history.get('a')!;
    assert.deepEqual([kept.name, kept.pinned, kept.state], ['Best so far', true, 'finished']);
    assert.deepEqual(
      history.runs.search('best far', 9).map(({ id }) => id),
      ['a'],
    );
    await history.mark('a', { name: '' });
    assert.equal(history.get('a')!.name, undefined);
    assert.equal(history.get('a')!.pinned, true);
    assert.deepEqual(history.runs.search('best', 9), []);
    await history.delete(['a']);
    await history.mark('a', { pinned: true });
    assert.deepEqual(history.runs.pinned(), []);
  });

  it('keeps pinned runs and their results beyond both limits', async () => {
    limit = 2;
    const { history } = await open({ runs: { maxTotalBytes: 20 } });
    await history.put(run('kept', { startedAt: 0 }), body('0123456789'));
    await history.mark('kept', { pinned: true });
    for (let n = 1; n <= 4; n++) await history.put(run(`r${n}`, { startedAt: n }), body('0123456789'));
    await history.tidy();
    assert.deepEqual(idsOf(history), ['r4', 'r3', 'kept']);
    assert.ok(await history.runs.result('kept'));
    await history.mark('kept', { pinned: false });
    await history.tidy();
    assert.deepEqual(idsOf(history), ['r4', 'r3']);
  });

  it('shows one window the records and deletions of another', async () => {
    const [one, two] = [(await open()).history, (await open()).history];
    await Promise.all([one.put(run('a', { startedAt: 1 })), two.put(run('b', { startedAt: 2 }))]);
    assert.deepEqual(
      [idsOf(one), idsOf(two)],
      [
        ['b', 'a'],
        ['b', 'a'],
      ],
    );
    await one.delete(['a']);
    await two.put(run('a', { message: 'a late record' }));
    assert.deepEqual(idsOf(two), ['b']);
  });

  it('marks a run as unknown when its window was closed meanwhile', async () => {
    const one = await open();
    await one.history.put(run('a', { state: 'running', sentAt: 1_000 }));
    await one.close();
    const kept = (await open()).history.get('a');
    assert.equal(kept?.state, 'unknown');
    assert.match(kept?.message ?? '', /may have been executed and billed/);
  });

  it('keeps the same runs for any order of two windows’ actions, even over a restart with cleaning', async () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const step = fc.record({ window: fc.nat(1), id, deletes: fc.boolean() });
    let nth = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const place = join(use.folder, `store-${nth++}`);
        const windows = [await open({}, place), await open({}, place)] as const;
        const expected = new Set<string>();
        const deleted = new Set<string>();
        for (const { window, id, deletes } of steps) {
          if (deletes) {
            await windows[window]!.history.delete([id]);
            expected.delete(id);
            deleted.add(id);
          } else {
            await windows[window]!.history.put(run(id));
            if (!deleted.has(id)) expected.add(id);
          }
        }
        for (const window of windows) await window.close();
        const after = await open({}, place);
        await after.history.tidy();
        assert.deepEqual(idsOf(after.history).sort(), [...expected].sort());
        await after.close();
      }),
      { numRuns: 12 },
    );
  });
});
