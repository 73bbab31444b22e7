import assert from 'node:assert/strict';
import type { Money } from '../../src/domain/money';
import type { GuardPorts } from '../../src/runs/budget/guard';
import { addSpent, NOTHING_SPENT, type Spent } from '../../src/store/spending';

/** A workspace's spending, without a store: guards that share it are windows of one workspace. */
export function memorySpending(): NonNullable<GuardPorts['spent']> {
  const spent = new Map<string, Spent>();
  const held = new Map<string, { baseUrl: string; id: string; amount: Money }>();
  const learned: { baseUrl: string; id: string; cost: Money }[] = [];
  const add = (baseUrl: string, cost: Money) =>
    void spent.set(baseUrl, addSpent(spent.get(baseUrl) ?? NOTHING_SPENT, { spent: [cost], reserved: [] }));
  const reserves = (baseUrl: string) => [...held.values()].filter((one) => one.baseUrl === baseUrl);
  return {
    of: (baseUrl) =>
      addSpent(spent.get(baseUrl) ?? NOTHING_SPENT, {
        spent: [],
        reserved: reserves(baseUrl).map(({ amount }) => amount),
      }),
    hold: (baseUrl, id, amount) => void held.set(`${baseUrl} ${id}`, { baseUrl, id, amount }),
    reserve: async (_baseUrl, _id, check) => check(),
    settle(baseUrl, id, cost) {
      held.delete(`${baseUrl} ${id}`);
      add(baseUrl, cost);
    },
    resolve(baseUrl, id, cost) {
      const isHeld = held.delete(`${baseUrl} ${id}`);
      if (isHeld) add(baseUrl, cost);
      if (isHeld) learned.push({ baseUrl, id, cost });
      return isHeld;
    },
    resolved: () => learned,
    reset(baseUrl, kept) {
      spent.delete(baseUrl);
      for (const { id } of reserves(baseUrl)) if (!kept.has(id)) held.delete(`${baseUrl} ${id}`);
    },
  };
}

/** The sums as amounts, of one currency. */
export function plain({ spent, reserved }: Spent): { readonly spent: string; readonly reserved: string } {
  const only = ([one, ...others]: readonly Money[]) => {
    assert.deepEqual(others, []);
    return one?.amount ?? '0';
  };
  return { spent: only(spent), reserved: only(reserved) };
}
