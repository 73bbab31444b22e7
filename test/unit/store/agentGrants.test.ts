import assert from 'node:assert/strict';
import fc from 'fast-check';
import { paidTools } from '../../../src/domain/agentGrant';
import type { RunRecord } from '../../../src/domain/runRecord';
import type { CallEnd } from '../../../src/store/agentGrants';
import { giveAgentGrant } from '../../../src/store/giveAgentGrant';
import type { Store } from '../../../src/store/store';
import { begun, environment, give, HOUR, order, refusalOf, sumsOf } from '../../support/store/agentGrants';
import { useStoreFolder } from '../../support/store/openStore';
import { runNamed } from '../../support/store/samples';

const kindOf = (of: Awaited<ReturnType<typeof refusalOf>>) => (typeof of === 'string' ? of : of.kind);

describe('A grant of agents', () => {
  const use = useStoreFolder();

  it('refuses every paid call before a person has given one', async () => {
    const store = await use.open();
    assert.deepEqual(await refusalOf(store), { kind: 'none' });
    assert.deepEqual(store.agentGrants.calls({ limit: 10 }), []);
  });

  for (const [title, ends, spent, reserved] of [
    ['the expected cost of a call that has not ended', [], '0', '0.1'],
    [
      'its charge, once',
      ['0.07', '0.09'].map((amount) => ({ outcome: 'finished', cost: { amount } })),
      '0.07',
      '0',
    ],
    ['its whole reserve where the charge is unknown', [{ outcome: 'finished' }], '0.1', '0'],
    ['the reserve of an unconfirmed call', [{ outcome: 'unconfirmed' }], '0', '0.1'],
    [
      'nothing of one that turns out to be free',
      [{ outcome: 'unconfirmed' }, { outcome: 'failed', cost: { amount: '0' } }],
      ...['0', '0'],
    ],
  ] as [string, CallEnd[], string, string][])
    it(`counts ${title}`, async () => {
      const store = await use.open();
      await give(store);
      const { id } = await begun(store);
      for (const end of ends) await store.agentGrants.settle(id, end);
      assert.deepEqual(sumsOf(store), { spent, reserved });
    });

  it('counts the known charge of an unconfirmed call that is above its reserve, and refuses the next', async () => {
    const store = await use.open();
    await give(store);
    const { id } = await begun(store);
    await store.agentGrants.settle(id, { outcome: 'unconfirmed', cost: { amount: '1.4' } });
    assert.equal(store.agentGrants.call(id)?.state, 'unconfirmed');
    assert.deepEqual(sumsOf(store), { spent: '1.4', reserved: '0' });
    const money = (amount: string) => ({ amount, currency: 'USD' });
    const free = { amount: money('0') };
    assert.deepEqual(await refusalOf(store, free), { kind: 'exceeded', by: money('0.4'), limit: money('1') });
  });

  it('takes the currency of its first call where it names none, adds up no others, and starts again in another', async () => {
    const store = await use.open();
    const of = (amount: string, currency: string) => ({ amount: { amount, currency } });
    await give(store, { currency: undefined });
    const { id } = await begun(store, of('0.1', 'USD'));
    assert.deepEqual(await refusalOf(store, of('0.1', 'JPY')), { kind: 'unknownPrice' });
    const agent = { agent: 'Agent', tool: 'run_model', call: id } as const;
    await store.runs.put({ ...runNamed('yen'), agent, cost: { amount: '90', currency: 'JPY' } });
    assert.deepEqual(sumsOf(store), { spent: '0.1', reserved: '0' });
    const euro = { amount: '1', currency: 'EUR' };
    assert.deepEqual(await refusalOf(store, { cap: euro }), { kind: 'unknownPrice' });
    await give(store, { currency: undefined });
    assert.equal(store.agentGrants.living()[0]!.currency, 'USD');
    await give(store, euro);
    assert.deepEqual(sumsOf(store), { spent: '0', reserved: '0' });
  });

  it('learns a higher cost of a call that has ended, and never a lower one', async () => {
    const store = await use.open();
    await give(store);
    const { id } = await begun(store);
    await store.agentGrants.learn(id, '0.9');
    assert.deepEqual(sumsOf(store), { spent: '0', reserved: '0.1' }, 'it goes on');
    await store.agentGrants.settle(id, { outcome: 'finished', cost: { amount: '0.07' } });
    for (const cost of ['0.09', '0.01']) await store.agentGrants.learn(id, cost);
    assert.deepEqual(sumsOf(store), { spent: '0.09', reserved: '0' });
  });

  it('lets no call send another run once it is exceeded, by a lower amount or a higher charge', async () => {
    const store = await use.open();
    await give(store);
    const [first, second] = [await begun(store), await begun(store)];
    await give(store, { amount: '0.2' });
    assert.deepEqual(
      [first, second].map(({ id }) => store.agentGrants.maySend(id)),
      [true, true],
    );
    await give(store, { amount: '0.19' });
    assert.deepEqual(
      [first, second].map(({ id }) => store.agentGrants.maySend(id)),
      [false, false],
    );
    await give(store, { amount: '1' });
    assert.ok(store.agentGrants.maySend(second.id));
    await store.agentGrants.settle(first.id, { outcome: 'finished', cost: { amount: '5' } });
    assert.equal(store.agentGrants.maySend(second.id), false);
  });

  for (const [title, records, spent, reserved] of [
    ['the cost of its run', [{ state: 'finished', cost: { amount: '0.03' } }], '0.03', '0'],
    ['a run of unknown cost as its reserve', [{ state: 'finished', reserved: '0.05' }], '0.1', '0'],
    ['nothing for a rejected run', [{ state: 'failed' }], '0', '0'],
    ['nothing for a run that was not sent', [{ state: 'notSent' }], '0', '0'],
    ['a failed run that may be billed as its reserve', [{ state: 'failed', reserved: '0.05' }], '0.1', '0'],
    ['an unconfirmed run as reserved', [{ state: 'unknown' }], '0', '0.1'],
    ['an accepted run as reserved', [{ state: 'accepted' }], '0', '0.1'],
    ['the known cost of an unconfirmed run', [{ state: 'unknown', cost: { amount: '0.02' } }], '0.02', '0'],
    ['a cost once it is known', [{ cost: { amount: '0.03' } }, { state: 'unknown' }], '0.03', '0'],
    ['the receipt of an unconfirmed run', [{ state: 'unknown' }, { cost: { amount: '0.02' } }], '0.02', '0'],
    ['a run that the user set to failed as free', [{ reserved: '0.1' }, { state: 'failed' }], '0', '0'],
    ['the receipt of a run of unknown cost', [{ reserved: '0.1' }, { cost: { amount: '0.2' } }], '0.2', '0'],
  ] as const satisfies [string, (Partial<RunRecord> & { reserved?: string })[], string, string][])
    it(`counts ${title}`, async () => {
      const store = await use.open();
      await give(store);
      const { id, agent, tool } = await begun(store);
      const mark = { agent: { agent, tool, call: id } };
      await store.runs.put(runNamed('r', { state: 'running', ...mark }));
      assert.deepEqual(sumsOf(store), { spent: '0', reserved: '0.1' });
      for (const { reserved: held, ...record } of records as (Partial<RunRecord> & { reserved?: string })[]) {
        const run = runNamed('r', { state: 'finished', ...record, ...mark });
        await store.spending.write(() =>
          held === undefined
            ? store.spending.settle('w', run.baseUrl, 'r', { amount: '0' })
            : store.spending.hold('w', run.baseUrl, 'r', { amount: held }),
        );
        await store.runs.put(run);
      }
      assert.deepEqual(sumsOf(store), { spent, reserved });
      assert.equal(store.agentGrants.call(id)?.work, 'r');
      assert.deepEqual(store.runs.get('r')?.agent, mark.agent);
    });

  it('ends a call by the outcome of its run', async () => {
    const store = await use.open();
    await give(store);
    const first = await begun(store);
    assert.ok(!('endedAt' in first));
    const endOf = async (state: RunRecord['state']) => {
      const { id, agent, tool } = await begun(store);
      const mark = { agent: { agent, tool, call: id } };
      await store.runs.put(runNamed(id, { state, cost: { amount: '0' }, ...mark }));
      return store.agentGrants.call(id)!;
    };
    const ended = [await endOf('finished'), await endOf('failed'), await endOf('notSent')];
    assert.deepEqual(
      ended.map(({ state }) => state),
      ['finished', 'failed', 'stopped'],
    );
    assert.ok(ended.every(({ startedAt, endedAt = 0 }) => endedAt >= startedAt));
  });

  it('says how much is left when a call would exceed it', async () => {
    const store = await use.open();
    await give(store);
    await begun(store, { amount: { amount: '0.95' } });
    const money = (amount: string) => ({ amount, currency: 'USD' });
    assert.deepEqual(await refusalOf(store), { kind: 'beyond', left: money('0.05'), limit: money('1') });
    await begun(store, { amount: { amount: '0.05' } });
    assert.deepEqual(await refusalOf(store), { kind: 'beyond', left: money('0'), limit: money('1') });
  });

  it('lets the processes of two agents spend their own amounts, in either order of their starts', async () => {
    const [cautious, generous] = [await use.open(), await use.open()];
    const process = (store: Store, client: string, cap: string) => ({
      start: () => give(store, { client, ofProcess: true, amount: cap }),
      spend: async () =>
        refusalOf(store, { agent: client, cap: { amount: cap }, amount: { amount: '0.02' } }),
    });
    const [a, b] = [process(cautious, 'A', '0.02'), process(generous, 'B', '0.04')];
    await a.start();
    assert.equal(await a.spend(), 'begun');
    await b.start();
    assert.equal(await b.spend(), 'begun');
    const none = { amount: '0', currency: 'USD' };
    const ofA = { kind: 'beyond', left: none, limit: { amount: '0.02', currency: 'USD' } };
    assert.deepEqual(await a.spend(), ofA);
    // Another process of the same agent raises nothing for this one, and a restart starts no new amount.
    const raised = process(generous, 'A', '0.06');
    await raised.start();
    assert.deepEqual(await a.spend(), ofA);
    assert.equal(await raised.spend(), 'begun');
    await a.start();
    assert.equal(kindOf(await a.spend()), 'exceeded');
    assert.equal(await raised.spend(), 'begun');
    assert.deepEqual([await raised.spend(), await b.spend()].map(kindOf), ['beyond', 'begun']);
  });

  it('limits a process with an amount of its own and a person’s grant by both', async () => {
    const store = await use.open();
    await give(store, { amount: '0.3' });
    const capped = (amount: string) => refusalOf(store, { agent: 'A', cap: { amount } });
    assert.equal(await capped('0.1'), 'begun');
    assert.equal(kindOf(await capped('0.1')), 'beyond');
    assert.equal(await refusalOf(store, { agent: 'B' }), 'begun');
    assert.equal(await capped('5'), 'begun');
    assert.equal(kindOf(await capped('5')), 'beyond', 'of the person’s');
  });

  it('stops a call whose process has spent more than its amount, and no other', async () => {
    const store = await use.open();
    await give(store);
    const own = { agent: 'A', cap: { amount: '0.2' } };
    const [first, second, other] = [await begun(store, own), await begun(store, own), await begun(store)];
    await store.agentGrants.settle(first.id, { outcome: 'finished', cost: { amount: '0.15' } });
    assert.equal(store.agentGrants.maySend(second.id, own.cap), false);
    assert.equal(store.agentGrants.maySend(other.id), true);
    await give(store, { tools: ['search_scope'] });
    assert.equal(store.agentGrants.maySend(other.id), false, 'its tool is no longer allowed');
    await give(store);
    assert.equal(store.agentGrants.maySend(other.id), true);
    await store.agentGrants.stop(other.id);
    assert.equal(store.agentGrants.maySend(other.id), false);
  });

  it('lets only the client spend that it names, from it rather than from that of all', async () => {
    const store = await use.open();
    await give(store, { client: ' A\n', amount: '0.1' });
    assert.deepEqual(await refusalOf(store, { agent: 'B' }), { kind: 'otherGrant' });
    await give(store, { amount: '0.5' });
    assert.equal(await refusalOf(store, { agent: 'A' }), 'begun');
    assert.equal(kindOf(await refusalOf(store, { agent: 'A' })), 'beyond');
    assert.equal(await refusalOf(store, { agent: 'B' }), 'begun');
    // A process without an amount of its own does not use that of another.
    await store.agentGrants.end();
    await give(store, { client: 'A', ofProcess: true });
    assert.deepEqual(await refusalOf(store, { agent: 'A' }), { kind: 'otherGrant' });
  });

  for (const amount of ['NaN', '-1', 'Infinity', '1e400', '', 'much', '-0.0000001'])
    it(`treats the price ${JSON.stringify(amount)} as unknown`, async () => {
      const store = await use.open();
      await give(store);
      assert.deepEqual(await refusalOf(store, { amount: { amount } }), { kind: 'unknownPrice' });
    });

  it('refuses a price in another currency, and no price', async () => {
    const store = await use.open();
    await give(store);
    const amount = { amount: '0.01', currency: 'EUR' };
    assert.deepEqual(await refusalOf(store, { amount }), { kind: 'unknownPrice' });
    assert.deepEqual(await refusalOf(store, { amount: undefined }), { kind: 'unknownPrice' });
  });

  it('refuses other tools, other environments of the same address, and other addresses of the same name', async () => {
    const store = await use.open();
    await give(store, { tools: ['search_scope'] });
    assert.deepEqual(await refusalOf(store), { kind: 'tool', tool: 'run_model' });
    for (const more of [{ name: 'Other' }, { baseUrl: 'https://b.example' }, { name: '__proto__' }]) {
      const elsewhere = { ...environment, ...more };
      assert.deepEqual(await refusalOf(store, { environment: elsewhere }), { kind: 'otherGrant' });
    }
    for (const tool of ['__proto__', 'constructor', 'find_models'])
      assert.equal(
        JSON.stringify(await refusalOf(store, { tool: tool as 'run_model' })).includes('tool'),
        true,
      );
  });

  it('ends at once in every window, with the calls under way', async () => {
    const [window, other] = [await use.open(), await use.open()];
    await give(window);
    const { id } = await begun(other);
    assert.equal(other.agentGrants.maySend(id), true);
    await window.agentGrants.end();
    assert.equal(other.agentGrants.maySend(id), false);
    assert.deepEqual(await refusalOf(other), { kind: 'ended' });
  });

  it('counts earlier spending when a person changes it, and none of an ended one', async () => {
    const store = await use.open();
    await give(store);
    await store.agentGrants.settle((await begun(store)).id, { outcome: 'finished' });
    await give(store, { amount: '0.15' });
    assert.equal(((await refusalOf(store)) as { kind: string }).kind, 'beyond');
    await store.agentGrants.end();
    await give(store, { amount: '0.15' });
    assert.equal(await refusalOf(store), 'begun');
  });

  it('rejects amounts that are no limit', async () => {
    const store = await use.open();
    for (const amount of ['0', '-1', 'NaN', 'Infinity', ''])
      await assert.rejects(async () => give(store, { amount }), RangeError);
    await assert.rejects(async () => give(store, { tools: [] }), RangeError);
    assert.deepEqual(store.agentGrants.living(), []);
  });
});

describe('The clock of grants', () => {
  const use = useStoreFolder();

  it('does not revive or prolong a grant, in any order of moves', async () => {
    const time = { steady: 0, moved: 0 };
    const clocks = { wall: () => 1.7e12 + time.steady + time.moved, steady: () => time.steady };
    const stores = [await use.open({ clocks }), await use.open({ clocks })];
    const step = fc.oneof(
      fc.record({ op: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: HOUR / 3 }) }),
      fc.record({ op: fc.constant('move' as const), ms: fc.integer({ min: -48 * HOUR, max: 0 }) }),
      fc.record({ op: fc.constant('begin' as const), ms: fc.nat(1) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        time.moved = 0;
        const from = time.steady;
        await stores[0]!.agentGrants.end();
        await giveAgentGrant(stores[0]!, {
          ...{ environment, amount: '1000', tools: paidTools, until: clocks.wall() + HOUR },
        });
        const begins = [0, 1].map((ms) => ({ op: 'begin' as const, ms }));
        // Each order begins with calls that the grant allows, and ends with calls after its hour.
        for (const { op, ms } of [...begins, ...steps, { op: 'pass' as const, ms: HOUR }, ...begins]) {
          if (op === 'pass') time.steady += ms;
          if (op === 'move') time.moved = ms;
          // Windows look while a grant lives.
          for (const store of stores) await store.agentGrants.look();
          if (op !== 'begin') continue;
          const { kind } = await stores[ms]!.agentGrants.begin(order());
          assert.equal(kind, time.steady - from < HOUR ? 'begun' : 'refused');
        }
      }),
      { numRuns: 30 },
    );
  });

  it('ends a grant when it was ahead for a while, and lets a person give another', async () => {
    const time = { wall: 1.7e12 };
    const clocks = { wall: () => time.wall, steady: () => 0 };
    const [one, two] = [await use.open({ clocks }), await use.open({ clocks })];
    await give(one);
    await begun(two);
    time.wall += 1_000 * HOUR;
    assert.deepEqual(await refusalOf(two), { kind: 'ended' });
    time.wall -= 1_000 * HOUR;
    assert.deepEqual(await refusalOf(one), { kind: 'ended' });
    await giveAgentGrant(one, { environment, amount: '1', tools: paidTools, until: time.wall + HOUR });
    await begun(two);
  });
});
