import { addAmounts } from '../../src/domain/amounts';
import type { SpentOfWorkspace } from '../../src/runs/budget/guard';

/** A workspace's spending, without a store: guards that share it are windows of one workspace. */
export function memorySpending(): SpentOfWorkspace {
  const spent = new Map<string, string>();
  const held = new Map<string, { baseUrl: string; id: string; amount: string }>();
  const learned: { baseUrl: string; id: string; cost: string }[] = [];
  const add = (baseUrl: string, cost: string) =>
    void spent.set(baseUrl, addAmounts(spent.get(baseUrl) ?? '0', cost));
  const reserves = (baseUrl: string) => [...held.values()].filter((one) => one.baseUrl === baseUrl);
  return {
    of: (baseUrl) => ({
      spent: spent.get(baseUrl) ?? '0',
      reserved: reserves(baseUrl).reduce((sum, { amount }) => addAmounts(sum, amount), '0'),
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
