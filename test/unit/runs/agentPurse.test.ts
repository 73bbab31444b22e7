import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { callOutcome } from '../../../src/agents/paidTools';
import { EarlierCall, NeedsApproval, Payment } from '../../../src/agents/payment';
import { paidTools } from '../../../src/domain/agentGrant';
import { addAmounts, compareAmounts } from '../../../src/domain/amounts';
import type { Money } from '../../../src/domain/money';
import { type AgentPurse, beginAgentCall } from '../../../src/runs/budget/agentPurse';
import type { Admission } from '../../../src/runs/budget/budget';
import { ServiceError } from '../../../src/service/errors';
import { giveAgentGrant } from '../../../src/store/giveAgentGrant';
import type { Store } from '../../../src/store/store';
import { eventually } from '../../support/eventually';
import { guardWith, run, usd } from '../../support/guard';
import { give, environment as granted, sumsOf } from '../../support/store/agentGrants';
import { useStoreFolder } from '../../support/store/openStore';

const environment = { name: 'Test', baseUrl: 'http://127.0.0.1:1' };

async function purseOf(store: Store, amount: string, permitted = '100'): Promise<AgentPurse> {
  const until = Date.now() + 3_600_000;
  await giveAgentGrant(store, { environment, amount: permitted, currency: 'USD', tools: paidTools, until });
  const begun = await beginAgentCall(store, {
    ...{ environment, tool: 'run_experiment', agent: 'Agent', request: amount, idempotencyKey: randomUUID() },
    amount: { amount },
  });
  assert.equal(begun.kind, 'begun');
  return (begun as Extract<typeof begun, { kind: 'begun' }>).purse;
}

function reasonOf(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof ServiceError && error.kind === 'budgetReached');
    return error.details.why?.reason;
  }
}

describe('The reserve of an agent’s call', () => {
  const use = useStoreFolder();
  const tenth = { medianCost: usd('0.1'), costFrom: 20, runs: 20 };

  it('pays for runs until the next one would exceed it', async () => {
    const store = await use.open();
    const { guard } = guardWith({}, tenth);
    const agent = await purseOf(store, '0.3');
    const admitted = [1, 2, 3].map(() => guard.admit({ ...run(), agent }));
    assert.equal(
      reasonOf(() => guard.admit({ ...run(), agent })),
      'agentReserve',
    );
    admitted[0]!.release();
    guard.admit({ ...run(), agent }).settle(usd('0.1'));
    assert.equal(
      reasonOf(() => guard.admit({ ...run(), agent })),
      'agentReserve',
    );
    for (const admission of admitted.slice(1)) admission.settle(usd('0.05'));
    guard.admit({ ...run(), agent }).release();
    await agent.end('finished');
    assert.equal(store.agentGrants.of(environment, 'Agent')?.spent, '0.2');
    assert.equal(store.agentGrants.of(environment, 'Agent')?.reserved, '0');
  });

  it('pays for no further run after one cost more than expected', async () => {
    const store = await use.open();
    const { guard } = guardWith({}, tenth);
    const agent = await purseOf(store, '0.3');
    guard.admit({ ...run(), agent }).settle(usd('0.25'));
    assert.equal(
      reasonOf(() => guard.admit({ ...run(), agent })),
      'agentReserve',
    );
  });

  it('counts a cost in another currency as its reserve, and sends no run that is expected to cost such a one', async () => {
    const store = await use.open();
    const yen = { amount: '0.001', currency: 'JPY' };
    const agent = await purseOf(store, '0.3');
    guardWith({}, tenth)
      .guard.admit({ ...run(), agent })
      .settle(yen);
    const { guard } = guardWith({}, { ...tenth, medianCost: yen });
    assert.equal(
      reasonOf(() => guard.admit({ ...run(), agent })),
      'agentReserve',
    );
    await agent.end('finished');
    assert.equal(store.agentGrants.of(environment, 'Agent')?.spent, '0.1');
  });

  it('sends runs together only while the permission would bear a rise of the price, and none after one', async () => {
    const store = await use.open();
    const { guard } = guardWith({}, tenth);
    const sent = async (permitted: string) => {
      const agent = await purseOf(store, '0.3', permitted);
      const runs = [1, 2, 3].map(() => guard.admit({ ...run(), agent }));
      const left: number[] = [];
      const leaving = runs.map(async (one, at) => {
        await one.reserve();
        left.push(at);
      });
      await new Promise(setImmediate);
      return { agent, runs, left, leaving };
    };
    const wide = await sent('100');
    assert.deepEqual(wide.left, [0, 1, 2], 'it would bear them');
    for (const one of wide.runs) one.settle(usd('0.1'));
    await wide.agent.end('finished');
    const dear = await sent('1');
    assert.deepEqual(dear.left, [0], 'one would not');
    dear.runs[0]!.settle(usd('5'));
    await dear.leaving[1];
    assert.equal(
      reasonOf(() => dear.runs[1]!.confirm()),
      'agentReserve',
    );
    for (const one of dear.runs.slice(1)) one.release();
    await Promise.all(dear.leaving);
  });

  it('counts a charge beyond the reserve against other calls at once, in every process, and once', async () => {
    const [store, other] = [await use.open(), await use.open()];
    const { guard } = guardWith({}, tenth);
    const agent = await purseOf(store, '0.2', '1');
    const beside = guard.admit({ ...run(), agent: await purseOf(store, '0.1', '1') });
    guard.admit({ ...run(), agent }).settle(usd('0.95'));
    assert.equal(
      reasonOf(() => beside.confirm()),
      'agentStopped',
    );
    beside.release();
    const reserved = () => other.agentGrants.of(environment, 'Agent')?.reserved;
    await eventually(() => assert.equal(reserved(), '1.05'));
    await agent.end('finished');
    const { spent } = other.agentGrants.of(environment, 'Agent')!;
    assert.deepEqual([spent, reserved()], ['0.95', '0.1']);
  });

  it('lets one run of unknown cost take all that is left', async () => {
    const store = await use.open();
    const { guard } = guardWith({});
    const agent = await purseOf(store, '0.3');
    const first = guard.admit({ ...run(), agent });
    assert.equal(
      reasonOf(() => guard.admit({ ...run(), agent })),
      'agentReserve',
    );
    first.settle(undefined);
    assert.equal(
      reasonOf(() => guard.admit({ ...run(), agent })),
      'agentReserve',
    );
    await agent.end('finished');
    assert.equal(store.agentGrants.of(environment, 'Agent')?.spent, '0.3');
  });

  it('stays within the user’s own budgets', async () => {
    const store = await use.open();
    const { guard } = guardWith({ session: '0.15' }, tenth);
    const agent = await purseOf(store, '0.3');
    guard.admit({ ...run(), agent }).settle(usd('0.1'));
    assert.equal(
      reasonOf(() => guard.admit({ ...run(), agent })),
      'budget',
    );
    assert.equal(
      reasonOf(() => guard.admit(run())),
      'budget',
    );
  });

  it('admits no run, and lets none leave, after the user stopped agents in another window', async () => {
    const [store, other] = [await use.open(), await use.open()];
    const { guard } = guardWith({}, tenth);
    const agent = await purseOf(store, '0.3');
    const waiting = guard.admit({ ...run(), agent });
    await other.agentGrants.end();
    assert.equal(
      reasonOf(() => waiting.confirm()),
      'agentStopped',
    );
    assert.equal(
      reasonOf(() => guard.admit({ ...run(), agent })),
      'agentStopped',
    );
    await eventually(() => assert.ok(agent.stopped.aborted));
  });

  it('never holds and counts more than the reserve while runs cost as much as expected', async () => {
    const store = await use.open();
    const step = fc.record({ op: fc.constantFrom('admit', 'settle', 'release', 'unknown'), at: fc.nat(5) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { guard } = guardWith({}, tenth);
        const agent = await purseOf(store, '0.45');
        const before = store.agentGrants.of(environment, 'Agent')!.spent;
        const open: Admission[] = [];
        let most = 0;
        for (const { op, at } of steps) {
          if (op === 'admit' && reasonOf(() => open.push(guard.admit({ ...run(), agent }))) === undefined)
            most = Math.max(most, open.length);
          const [one] = open.splice(at, op === 'admit' ? 0 : 1);
          if (op === 'settle') one?.settle(usd('0.1'));
          if (op === 'unknown') one?.settle(undefined);
          if (op === 'release') one?.release();
        }
        for (const one of open) one.settle(undefined);
        await agent.end('finished');
        const { spent, reserved } = store.agentGrants.of(environment, 'Agent')!;
        assert.ok(most <= 4);
        assert.ok(compareAmounts(spent, addAmounts(before, '0.4')) <= 0);
        assert.equal(reserved, '0');
      }),
      { numRuns: 30 },
    );
  });
});

describe('A paid call of an agent', () => {
  const use = useStoreFolder();

  it('reserves the expected cost of its runs once that is known, in one currency', async () => {
    const store = await use.open();
    await give(store);
    const house = { store: async () => store, runs: async () => 'runs' };
    const pay = (
      highest: readonly Money[],
      more: { unknown?: number; runs?: number } = {},
      own: object = {},
    ) => {
      const key = { idempotencyKey: randomUUID(), request: randomUUID(), purpose: 'an experiment' };
      const order = {
        handle: randomUUID(),
        environment: granted,
        tool: 'run_experiment',
        ...key,
        ...own,
      } as const;
      const payment = new Payment({ agent: 'Agent', house } as never, order, new AbortController());
      return payment.pay({ unknown: 0, runs: 2, totals: [], highest, ...more });
    };
    const again = { idempotencyKey: 'k', request: 'r' };
    const euros = { amount: '0.1', currency: 'EUR' };
    await assert.rejects(pay([usd('0.1'), euros]), NeedsApproval);
    await assert.rejects(pay([usd('0.1')], { unknown: 1 }), NeedsApproval);
    await assert.rejects(pay([], { runs: 0 }), NeedsApproval);
    assert.deepEqual(sumsOf(store), { spent: '0', reserved: '0' });
    assert.equal((await pay([usd('0.1')], {}, again)).runs, 'runs');
    assert.deepEqual(sumsOf(store), { spent: '0', reserved: '0.1' });
    await assert.rejects(pay([usd('0.1')], {}, again), EarlierCall);
    Object.assign(house, { cap: usd('0.15') });
    await assert.rejects(pay([usd('0.1')]), NeedsApproval, 'of which 0.1 is reserved');
    await pay([usd('0.05')]);
  });

  it('ends unconfirmed by a run that may have been charged, and leaves no second time then', () => {
    const states = ['finished', 'accepted', 'unknown', 'unclear', 'running', 'failed', 'notSent'] as const;
    const ends = 'finished finished unconfirmed unconfirmed unconfirmed failed failed';
    assert.equal(states.map(callOutcome).join(' '), ends);
  });
});
