import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { addAmounts } from '../../../src/domain/amounts';
import { WorkspaceSpending } from '../../../src/runs/budget/workspaceSpending';
import type { Store } from '../../../src/store/store';
import { useStoreFolder } from '../../support/store/openStore';

const baseUrl = 'https://models.test';

describe('The spending of a workspace', () => {
  const use = useStoreFolder();
  const open = async (workspace = 'w') => {
    const store = await use.open();
    let changes = 0;
    const onChanged = () => changes++;
    const spent = new WorkspaceSpending(store, workspace, { log: assert.fail, onChanged });
    return { store, spent, changes: () => changes };
  };
  /** Until everything that was asked for is written. */
  const written = (store: Store) => store.database.write(() => undefined);

  it('counts from the moment it is charged, and after a restart', async () => {
    const { spent, store } = await open();
    spent.add(baseUrl, '0.75');
    spent.add(baseUrl, '-0.25');
    assert.equal(spent.of(baseUrl), '0.5');
    await store.close();
    const again = (await open()).spent;
    assert.equal(again.of(baseUrl), '0.5');
    again.reset(baseUrl);
    assert.equal(again.of(baseUrl), '0');
  });

  it('stays exact at every moment, for any charges of two windows', async () => {
    const amount = fc.integer({ min: 1, max: 900 }).map((cents) => `0.${String(cents).padStart(3, '0')}`);
    const charges = fc.array(fc.record({ window: fc.nat(1), amount, waits: fc.boolean() }), {
      maxLength: 20,
    });
    let nth = 0;
    await fc.assert(
      fc.asyncProperty(charges, async (steps) => {
        const workspace = `w${nth++}`;
        const windows = [await open(workspace), await open(workspace)] as const;
        const own = ['0', '0'];
        for (const { window, amount, waits } of steps) {
          windows[window]!.spent.add(baseUrl, amount);
          own[window] = addAmounts(own[window]!, amount);
          if (waits) await new Promise((resolve) => setImmediate(resolve));
          // A window's own charges are never missing from its sum, nor counted twice.
          const both = addAmounts(own[0]!, own[1]!);
          const seen = Number(windows[window]!.spent.of(baseUrl));
          assert.ok(seen >= Number(own[window]) - 1e-9 && seen <= Number(both) + 1e-9, `${seen}`);
        }
        for (const { store } of windows) await written(store);
        const total = addAmounts(own[0]!, own[1]!);
        for (const { store, spent } of windows) {
          store.changes.report();
          assert.equal(store.spending.of(workspace, baseUrl), total);
          while (spent.of(baseUrl) !== total) await wait(20);
        }
        for (const { store } of windows) await store.close();
      }),
      { numRuns: 15 },
    );
  });

  it('includes unwritten amounts, and writes them with the next ones', async () => {
    const store = await use.open();
    const logged: string[] = [];
    const spent = new WorkspaceSpending(store, 'w', { log: (line) => logged.push(String(line)) });
    const refuses = (writes: 0 | 1) => store.database.get(`PRAGMA query_only = ${writes}`, () => undefined);
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    refuses(1);
    spent.add(baseUrl, '1');
    spent.add(baseUrl, '0.5');
    while (logged.length < 2) await settled();
    assert.match(logged[0]!, /could not be saved/);
    await settled();
    assert.deepEqual([spent.of(baseUrl), store.spending.of('w', baseUrl)], ['1.5', '0']);
    refuses(0);
    spent.add(baseUrl, '0.25');
    await store.database.write(() => undefined);
    await settled();
    assert.deepEqual([spent.of(baseUrl), store.spending.of('w', baseUrl)], ['1.75', '1.75']);
    refuses(1);
    spent.reset(baseUrl);
    while (logged.length < 3) await settled();
    await settled();
    assert.equal(spent.of(baseUrl), '1.75', 'a sum that could not be reset is still spent');
    refuses(0);
    spent.reset(baseUrl);
    spent.add(baseUrl, '2');
    await store.database.write(() => undefined);
    await settled();
    assert.equal(spent.of(baseUrl), '2');
    await store.close();
    assert.equal(spent.of(baseUrl), '2', 'known after the store is closed');
  });
});
