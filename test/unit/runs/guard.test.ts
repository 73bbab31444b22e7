import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ServiceError } from '../../../src/service/errors';
import { nextStepOf } from '../../../src/wording/errors';
import { baseUrl, counted, guardWith, run, twentyRuns, usd } from '../../support/guard';

describe('The guard', () => {
  it('never lets charges exceed the budget by more than the requests in flight', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 50 }),
        fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 12 }),
        fc.boolean(),
        fc.scheduler(),
        async (budget, costs, workers, estimated, scheduler) => {
          const { guard } = guardWith(
            { session: String(budget) },
            estimated ? { medianCost: usd('4'), costFrom: 3 } : {},
          );
          let charged = 0;
          const queue = [...costs];
          const work = async () => {
            for (let cost = queue.shift(); cost !== undefined; cost = queue.shift()) {
              // The oracle: a run may only be let in while the charged amount is within the budget.
              let admission: ReturnType<typeof guard.admit> | undefined;
              try {
                admission = guard.admit(run());
                await admission.reserve();
                admission.confirm();
              } catch (error) {
                assert.ok(error instanceof ServiceError && error.kind === 'budgetReached');
                admission?.release();
                return;
              }
              assert.ok(
                charged < budget || (charged === budget && estimated),
                `let in at ${charged} of ${budget}`,
              );
              await scheduler.schedule(Promise.resolve());
              charged += cost;
              admission.settle(usd(String(cost)));
            }
          };
          const working = Promise.all(Array.from({ length: workers }, work));
          await scheduler.waitFor(working);
          assert.ok(charged <= budget + Math.max(...costs), `${charged} of ${budget}`);
          assert.equal(guard.spending(baseUrl).session.spent, String(charged));
          assert.equal(guard.spending(baseUrl).session.reserved, '0');
        },
      ),
    );
  });

  it('sends runs of a job together only while the budget would bear a rise of the price', async () => {
    const sent = async (budget: string, prices: readonly string[]) => {
      const { guard } = guardWith({ session: budget }, { medianCost: usd('0.01'), costFrom: 20 });
      const left = [...prices];
      let most = 0;
      let inFlight = 0;
      const work = async () => {
        for (let price = left.shift(); price !== undefined; price = left.shift()) {
          const admission = guard.admit(run());
          try {
            await admission.reserve();
          } catch (error) {
            admission.release();
            throw error;
          }
          most = Math.max(most, ++inFlight);
          await new Promise(setImmediate);
          inFlight--;
          admission.settle(usd(price));
        }
      };
      await Promise.allSettled(Array.from({ length: 8 }, work));
      return { spent: guard.spending(baseUrl).session.spent, most };
    };
    assert.deepEqual(await sent('100', Array(40).fill('0.01')), { spent: '0.4', most: 8 });
    const rising = [...Array(12).fill('0.01'), ...Array(20).fill('0.5')];
    assert.deepEqual(await sent('1', rising), { spent: '0.62', most: 2 });
  });

  it('lets runs in flight end before the next once one was charged more than expected, and reserves that', async () => {
    const { guard } = guardWith({ session: '100' }, { medianCost: usd('0.01'), costFrom: 20 });
    const [first, second, third] = [guard.admit(run()), guard.admit(run()), guard.admit(run())];
    await Promise.all([first.reserve(), second.reserve()]);
    first.settle(usd('0.3'));
    let isSent = false;
    const sent = third.reserve().then(() => {
      isSent = true;
    });
    await new Promise(setImmediate);
    assert.equal(isSent, false);
    second.settle(usd('0.01'));
    await sent;
    assert.equal(guard.spending(baseUrl).session.reserved, '0.3');
  });

  it('reserves nothing for a run that is given back while it waits for others', async () => {
    const { guard } = guardWith({ session: '100' }, { medianCost: usd('0.01'), costFrom: 20 });
    const [first, second, third] = [guard.admit(run()), guard.admit(run()), guard.admit(run())];
    await Promise.all([first.reserve(), second.reserve()]);
    first.settle(usd('0.3'));
    const waiting = third.reserve();
    third.release();
    second.settle(usd('0.01'));
    await waiting;
    assert.deepEqual(counted(guard.spending(baseUrl).session), { spent: '0.31', reserved: '0' });
  });

  it('counts costs of each currency by itself, and stops a job whose costs its budget cannot count', () => {
    const { guard } = guardWith({ session: '10' });
    const yen = { amount: '100', currency: 'JPY' };
    guard.admit(run()).settle(usd('0.01'));
    const waiting = guard.admit(run());
    guard.admit(run()).settle(yen);
    const { session } = guard.spending(baseUrl);
    assert.deepEqual(session, {
      budget: '10',
      currency: 'USD',
      spent: '0.01',
      reserved: '0.01',
      others: [yen],
    });
    const limit = { amount: '10', currency: 'USD' };
    assert.throws(() => guard.admit(run()), {
      details: { why: { reason: 'otherCurrency', cost: yen, limit } },
    });
    assert.throws(() => waiting.confirm(), { kind: 'budgetReached' });
    waiting.release();
    guard.admit(run('hand')).release();
    guard.approve(baseUrl);
    guard.admit(run()).settle(usd('0.01'));
    assert.equal(guard.spending(baseUrl).session.spent, '0.02');
  });

  it('counts against a budget of a named currency only costs in that', () => {
    const { guard } = guardWith({ session: '150 JPY' });
    guard.noteBalance(baseUrl, usd('7'));
    guard.admit(run()).settle(usd('500'));
    guard.admit(run('hand')).settle({ amount: '150', currency: 'JPY' });
    assert.equal(guard.spending(baseUrl).session.spent, '150');
    for (const [by, reason] of [
      ['job', 'otherCurrency'],
      ['hand', 'budget'],
    ] as const)
      assert.throws(
        () => guard.admit(run(by)),
        (error: ServiceError) => error.details.why?.reason === reason,
      );
  });

  it('holds back a run whose estimate would exceed the budget, counting requests in flight', () => {
    const { guard } = guardWith({ session: '1.2' }, twentyRuns);
    guard.admit(run());
    guard.admit(run());
    assert.throws(
      () => guard.admit(run('hand')),
      (error: ServiceError) => {
        const { why } = error.details;
        assert.equal(why?.reason === 'budget' && why.budget, 'session');
        assert.equal(nextStepOf(error), 'changeBudget');
        return true;
      },
    );
  });

  it('holds back an admitted run if others use up its budget before its bytes leave', () => {
    const { guard, settings } = guardWith({ session: '1' }, twentyRuns);
    const [first, second] = [guard.admit(run()), guard.admit(run())];
    // Its reservation is its own.
    second.confirm();
    first.settle(usd('0.9'));
    assert.throws(() => second.confirm(), { kind: 'budgetReached' });
    settings.current = { confirmRuns: 20, session: '2' };
    second.confirm();
    second.settle(usd('0.5'));
    assert.equal(guard.spending(baseUrl).session.reserved, '0');
  });

  it('holds it back if other windows use up the budget of the workspace', () => {
    const { guard, spent } = guardWith({ workspace: '1' }, twentyRuns);
    const admission = guard.admit(run());
    spent.settle(baseUrl, 'elsewhere', { amount: '0.8' });
    assert.throws(() => admission.confirm(), { kind: 'budgetReached' });
  });

  it('lets more in when a run turns out not to be billed', () => {
    const { guard } = guardWith({ session: '0.5' }, twentyRuns);
    const first = guard.admit(run());
    assert.throws(() => guard.admit(run()), { kind: 'budgetReached' });
    first.release();
    guard.admit(run()).settle(usd('0.5'));
    assert.throws(() => guard.admit(run()), { kind: 'budgetReached' });
  });

  it('ends an admission once, by the first of its calls', () => {
    const { guard } = guardWith({});
    const admission = guard.admit(run());
    admission.settle(usd('2'));
    admission.settle(usd('2'));
    admission.release();
    admission.cannotPay();
    assert.equal(guard.spending(baseUrl).session.spent, '2');
    assert.equal(guard.spending(baseUrl).cannotPay, false);
  });

  it('follows a budget that is changed while a job runs', () => {
    const { guard, settings } = guardWith({ session: '1' });
    guard.admit(run()).settle(usd('1'));
    assert.throws(() => guard.admit(run()), { kind: 'budgetReached' });
    settings.current = { confirmRuns: 20, session: '2' };
    guard.admit(run()).release();
    settings.current = { confirmRuns: 20 };
    guard.admit(run()).release();
  });

  it('stops every job at a 402, and lets a run by hand try again', () => {
    const { guard } = guardWith({});
    const [first, second] = [guard.admit(run()), guard.admit(run())];
    first.cannotPay();
    assert.throws(
      () => guard.admit(run()),
      (error: ServiceError) => error.details.why?.reason === 'jobCannotPay',
    );
    guard.admit(run('hand')).release();
    second.settle(usd('1'));
    assert.throws(() => guard.admit(run()), { kind: 'budgetReached' });
    guard.approve(baseUrl);
    guard.admit(run());
  });

  it('forgets a 402 after a later run was charged, but not after a free run or one sent before it', () => {
    const { guard } = guardWith({});
    const blocked = () => guard.spending(baseUrl).cannotPay;
    const before = guard.admit(run('hand'));
    guard.admit(run()).cannotPay();
    before.settle(usd('1'));
    assert.equal(blocked(), true);
    guard.admit(run('hand')).settle(usd('0'));
    assert.equal(blocked(), true);
    guard.admit(run('hand')).settle(undefined);
    assert.equal(blocked(), true);
    guard.admit(run('hand')).settle(usd('0.01'));
    assert.equal(blocked(), false);
    guard.admit(run()).release();
    // A cost that was found later, in the activity.
    guard.admit(run()).cannotPay();
    const hand = run('hand');
    guard.admit(hand).settle(undefined);
    assert.equal(blocked(), true);
    guard.resolve(hand, { amount: '0.01' });
    assert.equal(blocked(), false);
  });

  it('lets jobs go on when the balance has grown since', () => {
    const { guard } = guardWith({});
    guard.noteBalance(baseUrl, usd('0.10'));
    guard.admit(run()).cannotPay();
    guard.noteBalance(baseUrl, usd('0.10'));
    assert.throws(() => guard.admit(run()), { kind: 'budgetReached' });
    guard.noteBalance(baseUrl, usd('10'));
    guard.admit(run());
  });

  it('remembers the spending of a workspace, but not of a session', () => {
    const { guard, spent } = guardWith({ workspace: '1' });
    guard.admit(run()).settle(usd('0.75'));
    const next = guardWith({ workspace: '1', session: '1' }, { medianCost: usd('0.5') }, spent).guard;
    assert.equal(next.spending(baseUrl).session.spent, '0');
    assert.equal(next.spending(baseUrl).workspace.spent, '0.75');
    assert.throws(
      () => next.admit(run()),
      ({ details: { why } }: ServiceError) => why?.reason === 'budget' && why.budget === 'workspace',
    );
    next.reset(baseUrl);
    next.admit(run());
  });

  it('counts each environment by itself', () => {
    const { guard } = guardWith({ session: '1' });
    guard.admit(run()).settle(usd('1'));
    guard.admit(run('job', 'https://elsewhere.example')).release();
  });

  it('keeps the estimate of a run reserved from its admission until its receipt comes', async () => {
    const { guard } = guardWith({}, twentyRuns);
    const paid = run();
    const reserved = (amount: string, spent: string) => {
      const { session, workspace } = guard.spending(baseUrl);
      assert.deepEqual([session, workspace].map(counted), Array(2).fill({ spent, reserved: amount }));
    };
    const admission = guard.admit(paid);
    reserved('0.5', '0');
    await admission.reserve();
    admission.confirm();
    guard.reset(baseUrl);
    reserved('0.5', '0');
    admission.settle(undefined);
    reserved('0.5', '0');
    assert.equal(guard.spending(baseUrl).unknownRuns, 0);
    guard.resolve(paid, { amount: '0.2' });
    guard.resolve(paid, { amount: '0.2' });
    reserved('0', '0.2');
  });

  it('counts the oldest of very many runs without a known cost as spent', () => {
    const { guard } = guardWith({}, twentyRuns);
    for (let n = 0; n <= 2_000; n++) guard.admit(run()).settle(undefined);
    assert.deepEqual(counted(guard.spending(baseUrl).session), { spent: '0.5', reserved: '1000' });
  });

  it('sends no run whose budget another window has reserved since its admission', async () => {
    const { guard, spent } = guardWith({ workspace: '1.2' }, twentyRuns);
    const other = guardWith({ workspace: '1.2' }, twentyRuns, spent).guard;
    const [first, second] = [guard.admit(run()), other.admit(run())];
    spent.settle(baseUrl, 'elsewhere', { amount: '0.3' });
    await assert.rejects(second.reserve(), { kind: 'budgetReached' });
    second.release();
    await first.reserve();
    first.confirm();
  });

  it('counts a run once whose charge is found before its response', () => {
    const { guard } = guardWith({}, twentyRuns);
    const paid = run();
    const admission = guard.admit(paid);
    guard.resolve(paid, { amount: '0.2' });
    admission.settle(usd('0.2'));
    assert.deepEqual(counted(guard.spending(baseUrl).session), { spent: '0.2', reserved: '0' });
  });

  it('rejects a run that the lost runs of a killed window leave no budget for', () => {
    const { guard, spent } = guardWith({ workspace: '1.2' }, twentyRuns);
    for (const id of [run(), run()]) guard.admit(id);
    const next = guardWith({ workspace: '1.2' }, twentyRuns, spent).guard;
    assert.throws(() => next.admit(run()), { kind: 'budgetReached' });
    next.reset(baseUrl);
    next.admit(run());
  });

  it('releases the estimate of a run that was not billed', () => {
    const { guard } = guardWith({ session: '1' }, twentyRuns);
    const paid = run();
    guard.admit(paid).settle(undefined);
    assert.throws(() => [guard.admit(run()), guard.admit(run())], { kind: 'budgetReached' });
    guard.resolve(paid, { amount: '0' });
    const { session, workspace } = guard.spending(baseUrl);
    assert.deepEqual([session.spent, workspace.spent], ['0', '0']);
    guard.admit(run());
  });

  it('replaces the estimate that an earlier window reserved in the workspace', () => {
    const { guard, spent } = guardWith({}, twentyRuns);
    const paid = run();
    guard.admit(paid).settle(undefined);
    const next = guardWith({}, twentyRuns, spent).guard;
    next.resolve(paid, { amount: '0.2' });
    assert.deepEqual(counted(next.spending(baseUrl).workspace), { spent: '0.2', reserved: '0' });
    assert.deepEqual(counted(next.spending(baseUrl).session), { spent: '0', reserved: '0' });
  });

  it('corrects its session alone when another window resolves its run', () => {
    const { guard, spent } = guardWith({}, twentyRuns);
    const paid = run();
    guard.admit(paid).settle(undefined);
    guardWith({}, twentyRuns, spent).guard.resolve(paid, { amount: '0.2' });
    assert.deepEqual(counted(guard.spending(baseUrl).session), { spent: '0', reserved: '0.5' });
    for (const _twice of [1, 2]) guard.noteSpent();
    assert.deepEqual(counted(guard.spending(baseUrl).session), { spent: '0.2', reserved: '0' });
    assert.deepEqual(counted(guard.spending(baseUrl).workspace), { spent: '0.2', reserved: '0' });
  });

  it('counts a run of unknown cost until its cost is known', () => {
    const { guard } = guardWith({});
    const paid = run();
    guard.admit(paid).settle(undefined);
    assert.equal(guard.spending(baseUrl).unknownRuns, 1);
    guard.resolve(paid, { amount: '0.2' });
    assert.equal(guard.spending(baseUrl).unknownRuns, 0);
    assert.equal(guard.spending(baseUrl).session.spent, '0.2');
  });
});

describe('The books of the guard', () => {
  it('name the budget that a run would exceed, the amount taken, and the expected cost', () => {
    const { guard } = guardWith({ workspace: '1.2' }, twentyRuns);
    guard.admit(run()).settle(usd('0.4'));
    guard.admit(run());
    assert.throws(
      () => guard.admit(run()),
      ({ details }: ServiceError) => {
        const why = { reason: 'budget', budget: 'workspace', limit: usd('1.2'), taken: usd('0.9') };
        assert.deepEqual(details.why, { ...why, expected: usd('0.5') });
        return true;
      },
    );
    const unpriced = guardWith({ session: '0' }).guard;
    assert.throws(
      () => unpriced.admit(run()),
      ({ details: { why } }: ServiceError) => why?.reason === 'budget' && !('expected' in why),
    );
  });

  it('forget at a reset the assumed amounts of its own environment only', () => {
    const { guard } = guardWith({}, twentyRuns);
    const elsewhere = 'https://elsewhere.example';
    const [here, there] = [run(), run('job', elsewhere)];
    guard.admit(here).settle(undefined);
    guard.admit(there).settle(undefined);
    guard.reset(baseUrl);
    for (const one of [here, there]) guard.resolve(one, { amount: '2' });
    assert.equal(guard.spending(baseUrl).session.spent, '0');
    assert.equal(guard.spending(elsewhere).session.spent, '2');
    const unpriced = guardWith({}).guard;
    unpriced.admit(run()).settle(undefined);
    unpriced.reset(baseUrl);
    assert.equal(unpriced.spending(baseUrl).unknownRuns, 0);
  });
});
