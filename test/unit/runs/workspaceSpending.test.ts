import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { addAmounts } from '../../../src/domain/amounts';
import { WorkspaceSpending } from '../../../src/runs/budget/workspaceSpending';
import { plain } from '../../support/memorySpending';
import { useStoreFolder } from '../../support/store/openStore';

const baseUrl = 'https://models.test';
const allowed = () => undefined;
const sumOf = (amounts: readonly string[]) => amounts.reduce((sum, one) => addAmounts(sum, one), '0');

describe('The spending of a workspace', () => {
  const use = useStoreFolder();
  const open = async (workspace = 'w') => {
    const store = await use.open();
    let changes = 0;
    const onChanged = () => changes++;
    const spent = new WorkspaceSpending(store, workspace, { log: assert.fail, onChanged });
    return { store, spent, changes: () => changes };
  };

  it('counts from the moment it is charged, and after a restart', async () => {
    const { spent, store } = await open();
    spent.hold(baseUrl, 'a', { amount: '0.75' });
    assert.deepEqual(plain(spent.of(baseUrl)), { spent: '0', reserved: '0.75' });
    await spent.reserve(baseUrl, 'a', allowed);
    assert.deepEqual(plain(spent.of(baseUrl)), { spent: '0', reserved: '0.75' });
    spent.settle(baseUrl, 'a', { amount: '0.5' });
    assert.deepEqual(plain(spent.of(baseUrl)), { spent: '0.5', reserved: '0' });
    await store.close();
    const again = (await open()).spent;
    assert.deepEqual(plain(again.of(baseUrl)), { spent: '0.5', reserved: '0' });
    again.reset(baseUrl, new Set());
    assert.deepEqual(plain(again.of(baseUrl)), { spent: '0', reserved: '0' });
  });

  it('keeps the estimates of a killed window’s runs, until any window learns their cost', async () => {
    const killed = await open();
    for (const id of ['sent', 'waits for its upload']) killed.spent.hold(baseUrl, id, { amount: '2' });
    await killed.spent.reserve(baseUrl, 'sent', allowed);
    await killed.store.close();
    const next = await open();
    assert.deepEqual(plain(next.spent.of(baseUrl)), { spent: '0', reserved: '2' });
    const elsewhere = await open('another folder');
    assert.equal(elsewhere.spent.resolve(baseUrl, 'sent', { amount: '0.5' }), true);
    assert.deepEqual(plain(elsewhere.spent.of(baseUrl)), { spent: '0', reserved: '0' });
    assert.equal(elsewhere.spent.resolve(baseUrl, 'sent', { amount: '0.5' }), false, 'known');
    while (plain(next.spent.of(baseUrl)).reserved !== '0') await wait(20);
    assert.equal(next.spent.resolve(baseUrl, 'sent', { amount: '0.5' }), false, 'known here too');
    assert.deepEqual(plain(next.spent.of(baseUrl)), { spent: '0.5', reserved: '0' });
    assert.deepEqual(plain(elsewhere.spent.of(baseUrl)), { spent: '0', reserved: '0' });
    while (next.changes() === 0) await wait(20);
  });

  it('lets one of two windows reserve the rest of a budget', async () => {
    const windows = [await open('one'), await open('one')];
    for (const [n, { spent }] of windows.entries()) spent.hold(baseUrl, `run ${n}`, { amount: '1' });
    const tries = windows.map(({ spent }, n) =>
      spent.reserve(baseUrl, `run ${n}`, () => {
        if (Number(plain(spent.of(baseUrl)).reserved) > 1) throw new Error('over the budget');
      }),
    );
    const outcomes = (await Promise.allSettled(tries)).map(({ status }) => status);
    assert.deepEqual(outcomes.sort(), ['fulfilled', 'rejected']);
  });

  it('stays exact at every moment, for any charges of two windows', async () => {
    const amount = fc.integer({ min: 1, max: 900 }).map((cents) => `0.${String(cents).padStart(3, '0')}`);
    const charges = fc.array(fc.record({ window: fc.nat(1), amount, waits: fc.boolean(), is: fc.nat(3) }), {
      maxLength: 20,
    });
    let nth = 0;
    await fc.assert(
      fc.asyncProperty(charges, async (steps) => {
        const workspace = `w${nth++}`;
        const windows = [await open(workspace), await open(workspace)] as const;
        const taken: [string[], string[]] = [[], []];
        /** Of runs with a cost that another window may not have read yet, the estimate also. */
        const most: [string[], string[]] = [[], []];
        const known: string[] = [];
        const lost: string[] = [];
        for (const [n, { window, amount, waits, is }] of steps.entries()) {
          const { spent } = windows[window]!;
          const id = `${nth} ${n}`;
          spent.hold(baseUrl, id, { amount: amount });
          const left = spent.reserve(baseUrl, id, allowed);
          if (waits) await left;
          // Charged with another amount, not billed, or lost: a window learns the cost later, the own or the other.
          const cost = ['0.25', '0'][is];
          if (cost === undefined) lost.push(amount);
          else {
            spent.settle(baseUrl, id, { amount: cost });
            known.push(cost);
          }
          taken[window]!.push(cost ?? amount);
          most[window]!.push(cost === undefined || Number(cost) < Number(amount) ? amount : cost);
          // A window's own amounts are never missing from its sums, nor counted twice.
          const seen = Number(sumOf(Object.values(plain(spent.of(baseUrl)))));
          const [own, others] = [taken[window]!, most[1 - window]!].map((amounts) => Number(sumOf(amounts)));
          assert.ok(seen >= own! - 1e-9 && seen <= own! + others! + 1e-9, `${seen}`);
        }
        const settled = async (sums: object) => {
          for (const { store } of windows) await store.database.write(() => undefined);
          for (const { spent } of windows) assert.deepEqual(plain(spent.of(baseUrl)), sums);
        };
        await settled({ spent: sumOf(known), reserved: sumOf(lost) });
        for (const [n, { amount, is, window }] of steps.entries())
          if (is >= 2)
            windows[is === 2 ? window : 1 - window]!.spent.resolve(baseUrl, `${nth} ${n}`, {
              amount: amount,
            });
        await settled({ spent: sumOf([...known, ...lost]), reserved: '0' });
        for (const { store } of windows) await store.close();
      }),
      { numRuns: 15 },
    );
  });

  it('includes unwritten amounts, and writes them with the next ones, or as it closes', async () => {
    const store = await use.open();
    const logged: string[] = [];
    const spent = new WorkspaceSpending(store, 'w', { log: (line) => logged.push(String(line)) });
    const refuses = (writes: 0 | 1) => store.database.get(`PRAGMA query_only = ${writes}`, () => undefined);
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    const both = () => [plain(spent.of(baseUrl)), plain(store.spending.of('w', baseUrl))].map(Object.values);
    refuses(1);
    spent.hold(baseUrl, 'sent', { amount: '3' });
    await spent.reserve(baseUrl, 'sent', allowed);
    spent.settle(baseUrl, 'a', { amount: '1' });
    spent.settle(baseUrl, 'b', { amount: '0.5' });
    while (logged.length < 2) await settled();
    assert.match(logged[0]!, /could not be saved/);
    await settled();
    assert.equal(both().join(' '), '1.5,3 0,0');
    refuses(0);
    spent.settle(baseUrl, 'c', { amount: '0.25' });
    await store.database.write(() => undefined);
    await settled();
    assert.equal(both().join(' '), '1.75,3 1.75,3');
    refuses(1);
    spent.reset(baseUrl, new Set());
    while (logged.length < 3) await settled();
    await settled();
    assert.equal(plain(spent.of(baseUrl)).spent, '1.75', 'a sum that could not be reset is still spent');
    refuses(0);
    spent.reset(baseUrl, new Set());
    spent.settle(baseUrl, 'd', { amount: '2' });
    await store.database.write(() => undefined);
    await settled();
    refuses(1);
    spent.settle(baseUrl, 'last', { amount: '1' });
    while (logged.length < 4) await settled();
    refuses(0);
    await spent.close();
    assert.equal(plain(store.spending.of('w', baseUrl)).spent, '3', 'none followed it');
    store.spending.hold = () => assert.fail('the disk is full');
    spent.hold(baseUrl, 'late', { amount: '4' });
    await spent.reserve(baseUrl, 'late', allowed);
    assert.deepEqual(plain(spent.of(baseUrl)), { spent: '3', reserved: '4' }, 'it leaves all the same');
    assert.deepEqual(plain(spent.of('http://elsewhere')), { spent: '0', reserved: '0' });
    await store.close();
    assert.equal(plain(spent.of(baseUrl)).spent, '3', 'known after the store is closed');
  });
});
