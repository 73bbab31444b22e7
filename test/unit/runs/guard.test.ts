import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addAmounts, compareAmounts } from '../../../src/domain/amounts';
import type { RunRecord } from '../../../src/domain/runRecord';
import type { PaidRun } from '../../../src/runs/budget/budget';
import { Guard, type Limits } from '../../../src/runs/budget/guard';
import type { Estimate } from '../../../src/runs/estimates/estimate';
import { ServiceError } from '../../../src/service/errors';
import { nextStepOf } from '../../../src/wording/errors';
import { memorySpending } from '../../support/memorySpending';

const baseUrl = 'http://127.0.0.1:1';

function guardWith(limits: Partial<Limits>, estimate: Partial<Estimate> = {}, spent = memorySpending()) {
  const settings: { current: Limits } = { current: { confirmRuns: 20, ...limits } };
  const guard = new Guard({
    limits: () => settings.current,
    estimates: { of: () => ({ runs: 0, costFrom: 0, ...estimate }) },
    spent,
    locale: 'en',
  });
  return { guard, spent, settings };
}

let count = 0;
const run = (by: 'job' | 'hand' = 'job', at = baseUrl): PaidRun => ({
  id: `run-${count++}`,
  baseUrl: at,
  model: 'm',
  ofJob: by === 'job',
});
const usd = (amount: string) => ({ amount, currency: 'USD' });
const twentyRuns = { medianCost: usd('0.5'), costFrom: 20, runs: 20 };

describe('The guard', () => {
  it('never lets what is charged pass the budget by more than what was in flight', async () => {
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
          const inFlight = new Map<object, number>();
          let inFlightAtLimit: number | undefined;
          const queue = [...costs];
          const work = async () => {
            for (let cost = queue.shift(); cost !== undefined; cost = queue.shift()) {
              // The oracle: a run may only be let in while what was charged is within the budget.
              let admission: ReturnType<typeof guard.admit>;
              try {
                admission = guard.admit(run());
              } catch (error) {
                assert.ok(error instanceof ServiceError && error.kind === 'budgetReached');
                return;
              }
              assert.ok(
                charged < budget || (charged === budget && estimated),
                `let in at ${charged} of ${budget}`,
              );
              inFlight.set(admission, cost);
              await scheduler.schedule(Promise.resolve());
              inFlight.delete(admission);
              charged += cost;
              if (charged >= budget) inFlightAtLimit ??= [...inFlight.values()].reduce((a, b) => a + b, cost);
              admission.settle(usd(String(cost)));
            }
          };
          const working = Promise.all(Array.from({ length: workers }, work));
          await scheduler.waitFor(working);
          assert.ok(charged <= budget + (inFlightAtLimit ?? 0));
          assert.equal(guard.spending(baseUrl).session.spent, String(charged));
          assert.equal(guard.spending(baseUrl).session.reserved, '0');
        },
      ),
    );
  });

  it('holds back the run that is estimated to pass the budget, counting what is in flight', () => {
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

  it('keeps an admitted run here whose budget others have used up before its bytes leave', () => {
    const { guard, settings } = guardWith({ session: '1' }, twentyRuns);
    const [first, second] = [guard.admit(run()), guard.admit(run())];
    // What is reserved for it is its own.
    second.confirm();
    first.settle(usd('0.9'));
    assert.throws(() => second.confirm(), { kind: 'budgetReached' });
    settings.current = { confirmRuns: 20, session: '2' };
    second.confirm();
    second.settle(usd('0.5'));
    assert.equal(guard.spending(baseUrl).session.reserved, '0');
  });

  it('keeps it here also for the budget of the workspace, which other windows use up', () => {
    const { guard, spent } = guardWith({ workspace: '1' }, twentyRuns);
    const admission = guard.admit(run());
    spent.add(baseUrl, '0.8');
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

  it('ends an admission once, whichever way comes first', () => {
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

  it('stops every job at a 402, and lets what a user starts by hand try again', () => {
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

  it('takes a 402 for over once a later run was charged, and not by one that was sent before it or was free', () => {
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
    guard.noteReceipts([{ id: hand.id, cost: usd('0.01') }]);
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

  it('remembers what a workspace has spent, and a session not', () => {
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

  it('counts the estimate for a cost that nothing tells, until its receipt comes', () => {
    const { guard } = guardWith({}, twentyRuns);
    const paid = run();
    guard.admit(paid).settle(undefined);
    assert.equal(guard.spending(baseUrl).session.spent, '0.5');
    assert.equal(guard.spending(baseUrl).unknownRuns, 0);
    guard.noteReceipts([{ id: paid.id }, { id: paid.id, cost: usd('much') }]);
    assert.equal(guard.spending(baseUrl).session.spent, '0.5');
    const receipt = { id: paid.id, cost: usd('0.2') } as RunRecord;
    guard.noteReceipts([receipt]);
    guard.noteReceipts([receipt]);
    assert.equal(guard.spending(baseUrl).session.spent, '0.2');
  });

  it('says how many runs it knows no cost of', () => {
    const { guard } = guardWith({});
    guard.admit(run()).settle(undefined);
    guard.admit(run()).settle({ amount: 'free!' });
    assert.deepEqual([guard.spending(baseUrl).unknownRuns, guard.spending(baseUrl).session.spent], [2, '0']);
  });

  it('adds costs exactly, however many', () => {
    const { guard } = guardWith({});
    let sum = '0';
    for (let i = 0; i < 500; i++) {
      guard.admit(run()).settle(usd('0.0001'));
      sum = addAmounts(sum, '0.0001');
    }
    assert.equal(compareAmounts(guard.spending(baseUrl).workspace.spent, sum), 0);
  });
});

describe('The books of the guard', () => {
  it('are told of whatever changes them', () => {
    const { guard } = guardWith({}, twentyRuns);
    let told = 0;
    guard.onDidChange(() => told++);
    const tells = (what: string, act: () => unknown) => {
      const before = told;
      act();
      assert.ok(told > before, what);
    };
    let admission = guard.admit(run('hand'));
    tells('an admission', () => {
      admission = guard.admit(run('hand'));
    });
    tells('a release', () => admission.release());
    admission = guard.admit(run('hand'));
    tells('a 402', () => admission.cannotPay());
    tells('a yes', () => guard.approve(baseUrl));
    tells('a cost', () => guard.admit(run('hand')).settle(usd('1')));
    tells('a balance', () => guard.noteBalance(baseUrl, usd('5')));
    tells('another window', () => guard.noteSpent());
    tells('a reset', () => guard.reset(baseUrl));
    const paid = run();
    guard.admit(paid).settle(undefined);
    tells('a receipt', () => guard.noteReceipts([{ id: paid.id, cost: usd('0.2') }]));
    const before = told;
    guard.noteBalance(baseUrl, usd('much'));
    guard.noteReceipts([
      { id: paid.id, cost: usd('0.2') },
      { id: 'nobody', cost: usd('1') },
    ]);
    assert.equal(told, before, 'nothing was learned');
  });

  it('say which budget a run would pass, what is taken, and what it is expected to cost', () => {
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

  it('name the currency once a service has told it, of the wallet if nothing else', () => {
    const { guard } = guardWith({});
    assert.ok(!('currency' in guard.spending(baseUrl)));
    guard.noteBalance(baseUrl, { amount: '3', currency: 'EUR' });
    assert.equal(guard.spending(baseUrl).currency, 'EUR');
    guard.admit(run()).settle(usd('1'));
    assert.equal(guard.spending(baseUrl).currency, 'USD');
    guard.noteBalance(baseUrl, { amount: '3', currency: 'EUR' });
    assert.equal(guard.spending(baseUrl).currency, 'USD', 'what runs cost says more');
  });

  it('forget at a reset what was assumed for its own environment alone', () => {
    const { guard } = guardWith({}, twentyRuns);
    const elsewhere = 'https://elsewhere.example';
    const [here, there] = [run(), run('job', elsewhere)];
    guard.admit(here).settle(undefined);
    guard.admit(there).settle(undefined);
    guard.reset(baseUrl);
    guard.noteReceipts([here, there].map(({ id }) => ({ id, cost: usd('2') })));
    assert.equal(guard.spending(baseUrl).session.spent, '0');
    assert.equal(guard.spending(elsewhere).session.spent, '2');
    const unpriced = guardWith({}).guard;
    unpriced.admit(run()).settle(undefined);
    unpriced.reset(baseUrl);
    assert.equal(unpriced.spending(baseUrl).unknownRuns, 0);
  });

  it('wait for the receipts of the last two thousand runs, not of all there ever were', () => {
    const { guard } = guardWith({}, { medianCost: usd('1'), costFrom: 1 });
    const paid = Array.from({ length: 2_001 }, () => run());
    for (const one of paid) guard.admit(one).settle(undefined);
    guard.noteReceipts(paid.map(({ id }) => ({ id, cost: usd('0') })));
    assert.equal(guard.spending(baseUrl).session.spent, '1');
  });
});

describe('What the guard says before a job', () => {
  const job = (runs: number) => ({ baseUrl, model: 'm', runs });

  it('is the estimate, what it is made of, and what it leaves', () => {
    const { guard } = guardWith({ session: '6.40' }, { medianCost: { amount: '0.022777' }, costFrom: 20 });
    const verdict = guard.assess(job(180));
    assert.equal(verdict.total?.amount, '4.09986');
    assert.match(verdict.text, /^180 runs, about 4\.10 from your last 20 runs of this model; leaves 2\.30/);
    assert.equal(verdict.ask, true);
    assert.equal(verdict.passes, undefined);
  });

  it('does not ask for few runs within the budget', () => {
    const { guard } = guardWith({ session: '100', confirmRuns: 20 }, twentyRuns);
    assert.equal(guard.assess(job(20)).ask, false);
    assert.equal(guard.assess(job(21)).ask, true);
  });

  it('does not ask for any number of runs that are known to be free', () => {
    const { guard } = guardWith({}, { medianCost: usd('0'), costFrom: 3 });
    assert.equal(guard.assess(job(5000)).ask, false);
  });

  it('asks when the budget would be passed, and says after how many runs', () => {
    const { guard } = guardWith({ session: '100', workspace: '2.2' }, twentyRuns);
    const verdict = guard.assess(job(5));
    assert.deepEqual(
      [verdict.ask, verdict.passes, verdict.allowedRuns, verdict.passesBalance],
      [true, 'workspace', 4, false],
    );
    assert.match(verdict.text, /exceeds the workspace budget by \$0\.30$/);
  });

  it('asks when the wallet does not hold enough', () => {
    const { guard } = guardWith({}, twentyRuns);
    guard.noteBalance(baseUrl, usd('2'));
    assert.match(guard.assess(job(3)).text, /leaves \$0\.50 of the balance/);
    assert.deepEqual([guard.assess(job(5)).ask, guard.assess(job(5)).passesBalance], [true, true]);
  });

  it('says so when nothing tells the cost', () => {
    const { guard } = guardWith({});
    const verdict = guard.assess(job(2));
    assert.match(verdict.text, /^2 runs, cost unknown/);
    assert.equal(verdict.total, undefined);
  });

  it('calls a published price a published price', () => {
    const { guard } = guardWith({}, { published: usd('0.01') });
    assert.match(guard.assess(job(100)).text, /about \$1\.00 by the published price/);
  });

  it('does not say what a job of unknown cost would leave', () => {
    const { guard } = guardWith({ session: '5' });
    const verdict = guard.assess({ baseUrl, model: 'm', runs: 2 });
    assert.match(verdict.text, /cost unknown.*; 5 is left of the session budget before it$/);
    assert.doesNotMatch(verdict.text, /leaves/);
    assert.equal(verdict.ask, true, 'what is unknown is not nothing');
    assert.match(verdict.consequence ?? '', /budget cannot limit these runs until/);
    assert.equal(guardWith({}).guard.assess({ baseUrl, model: 'm', runs: 2 }).ask, false);
  });

  it('counts the last run by itself, where it has fewer items than the others', () => {
    const asked: unknown[] = [];
    const guard = new Guard({
      limits: () => ({ confirmRuns: 20 }),
      estimates: {
        of: ({ items }) => {
          asked.push(items);
          return { runs: 1, costFrom: 1, medianCost: usd(String(items ?? 0)) };
        },
      },
      spent: memorySpending(),
      locale: 'en',
    });
    assert.equal(guard.assess({ ...job(3), items: 16, allItems: 37 }).total?.amount, '37');
    assert.deepEqual(asked.splice(0), [16, 5]);
    assert.equal(guard.assess({ ...job(3), items: 16, allItems: 48 }).total?.amount, '48');
    assert.deepEqual(asked.splice(0), [16], 'all are full');
    assert.equal(guard.assess({ ...job(3), items: 16 }).total?.amount, '48');
    assert.equal(guard.assess({ ...job(1), items: 16, allItems: 5 }).total?.amount, '5');
    assert.match(guard.assess(job(1)).text, /^1 run, .* from your last run of this model$/);
  });

  it('says what passing means, and nothing where all of it fits', () => {
    const consequence = (limits: Partial<Limits>, runs: number, balance?: string) => {
      const { guard } = guardWith(limits, twentyRuns);
      if (balance !== undefined) guard.noteBalance(baseUrl, usd(balance));
      return guard.assess(job(runs)).consequence;
    };
    assert.match(consequence({ session: '0.4' }, 1) ?? '', /used up: no run/);
    assert.match(consequence({ session: '1.7' }, 9) ?? '', /after about 3 of them/);
    assert.match(consequence({}, 9, '1') ?? '', /balance may not cover/);
    assert.equal(consequence({ session: '4.5' }, 9, '4.5'), undefined, 'to the last cent');
    assert.equal(consequence({}, 9), undefined);
  });

  it('names what has least left', () => {
    const { guard } = guardWith({ session: '9', workspace: '7' }, twentyRuns);
    assert.match(guard.assess(job(2)).text, /leaves \$6\.00 of the workspace budget$/);
    guard.noteBalance(baseUrl, usd('1'));
    assert.match(guard.assess(job(2)).text, /leaves \$0\.00 of the balance$/);
    assert.match(guard.assess(job(3)).text, /exceeds the balance by \$0\.50$/);
    assert.deepEqual(
      [guard.assess(job(3)).passes, guard.assess(job(3)).allowedRuns, guard.assess(job(3)).passesBalance],
      [undefined, undefined, true],
    );
  });

  it('asks for a total that passes what is left, with the average for how many fit', () => {
    const { guard } = guardWith({ session: '1', confirmRuns: 100 });
    const verdict = guard.assessTotal(baseUrl, { runs: 4, total: usd('2'), text: 'four runs' });
    assert.deepEqual([verdict.ask, verdict.passes, verdict.allowedRuns], [true, 'session', 2]);
    assert.match(verdict.text, /^four runs; exceeds the session budget by \$1\.00$/);
    const nothing = guard.assessTotal(baseUrl, { runs: 0, total: usd('0'), text: 'none' });
    assert.deepEqual([nothing.ask, nothing.passes], [false, undefined]);
    assert.equal(
      guard.assessTotal(baseUrl, { runs: 1, text: 'one' }).ask,
      true,
      'what is unknown is not nothing',
    );
  });

  it('is that no run would be sent, where nothing is left and nobody knows the cost', () => {
    const { guard } = guardWith({ session: '1', workspace: '9' });
    guard.admit(run()).settle(usd('1'));
    const verdict = guard.assess(job(2));
    assert.deepEqual([verdict.ask, verdict.passes, verdict.allowedRuns], [true, 'session', 0]);
    assert.ok(!('total' in verdict) && !verdict.passesBalance);
    assert.match(verdict.text, /\$0\.00 is left of the session budget before it$/);
    assert.match(verdict.consequence ?? '', /used up/);
    guard.noteBalance(baseUrl, usd('-0.5'));
    assert.match(guard.assess(job(2)).text, /exceeds the balance by \$0\.50$/);
    assert.ok(guard.assess(job(2)).passesBalance);
    assert.ok(!('passes' in guardWith({ session: '9' }, twentyRuns).guard.assess(job(2))));
    const wallet = guardWith({}).guard;
    wallet.noteBalance(baseUrl, usd('5'));
    assert.deepEqual([wallet.assess(job(2)).ask, wallet.assess(job(2)).consequence], [false, undefined]);
  });

  it('asks for any job after a 402', () => {
    const { guard } = guardWith({}, twentyRuns);
    guard.admit(run()).cannotPay();
    assert.equal(guard.assess(job(1)).ask, true);
  });
});
