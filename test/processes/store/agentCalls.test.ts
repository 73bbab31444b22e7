import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { paidTools } from '../../../src/domain/agentGrant';
import { addAmounts, compareAmounts, timesAmount } from '../../../src/domain/amounts';
import { tellFigures } from '../../support/figures';
import { begun, environment, give, order, refusalOf, sumsOf } from '../../support/store/agentGrants';
import { damageOf, useStoreFolder } from '../../support/store/openStore';
import { start, useBundled } from '../children/childProcess';

let count = 0;

describe('A repeated call of an agent', () => {
  const use = useStoreFolder();

  it('returns the first one with its state and its work, after the grant has ended too', async () => {
    const store = await use.open();
    await give(store);
    const same = order({ idempotencyKey: 'k' });
    const { id } = await begun(store, same);
    await store.agentGrants.noteWork(id, 'run-1');
    await store.agentGrants.settle(id, { outcome: 'finished', cost: { amount: '0.1' } });
    await store.agentGrants.end();
    const again = await store.agentGrants.begin(same);
    assert.equal(again.kind, 'earlier');
    const { call } = again as Extract<typeof again, { kind: 'earlier' }>;
    assert.deepEqual([call.id, call.state, call.work], [id, 'finished', 'run-1']);
  });

  it('returns a refusal when its key was used for another request, or in another environment', async () => {
    const store = await use.open();
    await give(store);
    const first = order({ idempotencyKey: 'k' });
    await begun(store, first);
    assert.deepEqual(await refusalOf(store, { ...first, request: 'other' }), { kind: 'keyReused' });
    const elsewhere = { ...environment, name: 'Other' };
    assert.deepEqual(await refusalOf(store, { ...first, environment: elsewhere }), { kind: 'keyReused' });
  });

  it('rejects an equal request under a new key while the first is unconfirmed, and names that', async () => {
    const store = await use.open();
    await give(store);
    const first = order({ idempotencyKey: 'k' });
    const { id } = await begun(store, first);
    const again = (key: string) => refusalOf(store, { ...first, idempotencyKey: key });
    assert.equal(await again('several samples of one request at once'), 'begun');
    await store.agentGrants.settle(id, { outcome: 'unconfirmed' });
    assert.deepEqual(await again('k2'), { kind: 'unconfirmed', call: id });
    assert.equal(await again('k'), 'earlier');
    await store.agentGrants.settle(id, { outcome: 'finished', cost: { amount: '0.1' } });
    assert.equal(await again('k2'), 'begun');
  });

  it('recognizes any key by its exact characters', async () => {
    const store = await use.open();
    await give(store, { amount: '1000' });
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', maxLength: 20 }),
        fc.string({ unit: 'binary' }),
        async (a, b) => {
          const keys = [`${count}${a}`, `${count++}${b}`, `${count}\0`, `${count++}\ufffd`, '__proto__'];
          const kinds = new Map<string, string>();
          for (const key of keys) {
            const { kind } = await store.agentGrants.begin(
              order({ idempotencyKey: key, request: key, amount: { amount: '0' } }),
            );
            if (kinds.has(key)) assert.equal(kind, 'earlier');
            else if (key !== '__proto__') assert.equal(kind, 'begun');
            kinds.set(key, kind);
          }
        },
      ),
      { numRuns: 15 },
    );
  });

  it('becomes unconfirmed when its process is gone, and keeps its reserve', async () => {
    let steady = 0;
    const watching = { now: () => steady, isAlive: () => false };
    const store = await use.open({ owner: watching });
    await give(store);
    const other = await use.open({ owner: { beatEveryMs: 1e9 } });
    const same = order({ idempotencyKey: 'k' });
    const { id } = await begun(other, same);
    const done = await begun(other);
    await other.agentGrants.settle(done.id, { outcome: 'finished', cost: { amount: '0' } });
    for (; steady < 10_000; steady += 1_000) await store.agentGrants.look();
    assert.equal(store.agentGrants.call(id)?.state, 'unconfirmed');
    assert.equal(store.agentGrants.call(done.id)?.state, 'finished');
    assert.deepEqual(sumsOf(store), { spent: '0', reserved: '0.1' });
    assert.equal((await store.agentGrants.begin(same)).kind, 'earlier');
    assert.equal(other.agentGrants.maySend(id), false, 'a process that wakes up sends nothing');
  });
});

describe('Hostile calls under a grant', () => {
  const use = useStoreFolder();
  const child = useBundled('./spender.ts');

  it('never exceed it and pay no key twice, interleaved over two connections', async () => {
    const key = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor');
    const amount = fc.constantFrom('0.3', '0.01', '0', '5', '-1', 'NaN', '1e30', '0.000000001');
    const stores = [await use.open(), await use.open()];
    const action = fc.record({
      ...{ store: fc.nat(1), key, amount, tool: fc.constantFrom(...paidTools, '__proto__' as 'run_model') },
      settles: fc.constantFrom('finished', 'failed', 'unconfirmed', 'stopped', 'later'),
      cost: fc.constantFrom('0', '0.005', '0.0000000001', 'NaN', '-3', 'much'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 50 }), async (actions) => {
        const agent = `Agent ${count++}`;
        await stores[0]!.agentGrants.end();
        await give(stores[0]!);
        const paid: string[] = [];
        const charges: string[] = [];
        await Promise.all(
          actions.map(async ({ store, key, amount, tool, settles, cost }) => {
            const { agentGrants } = stores[store]!;
            const same = { request: `the same ${key}`, idempotencyKey: key, tool, agent };
            const admitted = await agentGrants.begin(order({ ...same, amount: { amount } }));
            if (admitted.kind !== 'begun') return;
            paid.push(`${tool} ${key}`);
            if (settles === 'later') return charges.push(admitted.call.reserved);
            const { reserved } = admitted.call;
            const isKnown = /^0/.test(cost);
            const charge = isKnown && compareAmounts(cost, reserved) < 0 ? cost : reserved;
            charges.push(settles === 'unconfirmed' ? reserved : charge);
            await agentGrants.settle(admitted.call.id, {
              outcome: settles as 'finished',
              cost: { amount: isKnown ? charge : cost },
            });
          }),
        );
        const { spent, reserved } = sumsOf(stores[1]!);
        assert.ok(compareAmounts(addAmounts(spent, reserved), '1') <= 0);
        assert.equal(addAmounts(spent, reserved), charges.reduce(addAmounts, '0'));
        assert.equal(new Set(paid).size, paid.length, 'a key was paid twice');
      }),
      { numRuns: 20 },
    );
  });

  it('never exceed it from two processes that send 50 at once, each call twice', async () => {
    const store = await use.open();
    await give(store, { amount: '4' });
    const spenders = ['a', 'b'].map((name) => start(child.file, [join(use.folder, 'store'), name]));
    for (const { ended } of spenders) await ended;
    const calls = store.agentGrants.calls({ limit: 10_000 });
    // Each charge is as high as its reserve; both processes have the same keys.
    assert.equal(calls.length, 40);
    assert.deepEqual(sumsOf(store), { spent: '4', reserved: '0' });
    assert.equal(timesAmount('0.1', calls.length), '4');
    assert.deepEqual(damageOf(store), []);
    tellFigures({
      case: 'agents: two processes, 50 calls at once, each twice',
      ...{ tried: 1_000, lost: 0, doubled: 0, leaked: 0 },
      note: '0 paid over the grant, 0 paid twice',
    });
  });
});
