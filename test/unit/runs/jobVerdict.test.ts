import assert from 'node:assert/strict';
import { Guard } from '../../../src/runs/budget/guard';
import { baseUrl, guardWith, run, twentyRuns, usd } from '../../support/guard';
import { memorySpending } from '../../support/memorySpending';

describe('The guard’s verdict before a job', () => {
  const job = (runs: number) => ({ baseUrl, model: 'm', runs });

  it('contains the estimate, its basis, and the remaining amount', () => {
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
    const free = guardWith({ confirmRuns: 20 }, { medianCost: usd('0'), costFrom: 1 }).guard;
    assert.equal(free.assess(job(21)).ask, false);
  });

  it('asks when the budget would be passed, and says after how many runs', () => {
    const { guard } = guardWith({ session: '100', workspace: '2.2' }, twentyRuns);
    const verdict = guard.assess(job(5));
    assert.deepEqual(
      [verdict.ask, verdict.passes, verdict.allowedRuns, verdict.passesBalance],
      [true, 'workspace', 4, false],
    );
    assert.match(verdict.text, /exceeds the budget of this workspace by \$0\.30$/);
  });

  it('asks when the wallet does not hold enough', () => {
    const { guard } = guardWith({}, twentyRuns);
    guard.noteBalance(baseUrl, usd('2'));
    assert.match(guard.assess(job(3)).text, /leaves \$0\.50 of the balance/);
    assert.deepEqual([guard.assess(job(5)).ask, guard.assess(job(5)).passesBalance], [true, true]);
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

  it('explains the consequence of exceeding a limit, and stays empty if all runs fit', () => {
    const consequence = (limits: Parameters<typeof guardWith>[0], runs: number, balance?: string) => {
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

  it('names the budget with the smallest rest', () => {
    const { guard } = guardWith({ session: '9', workspace: '7' }, twentyRuns);
    assert.match(guard.assess(job(2)).text, /leaves \$6\.00 of the budget of this workspace$/);
    guard.noteBalance(baseUrl, usd('1'));
    assert.match(guard.assess(job(2)).text, /leaves \$0\.00 of the balance$/);
    assert.match(guard.assess(job(3)).text, /exceeds the balance by \$0\.50$/);
    assert.deepEqual(
      [guard.assess(job(3)).passes, guard.assess(job(3)).allowedRuns, guard.assess(job(3)).passesBalance],
      [undefined, undefined, true],
    );
  });

  it('asks for a total that exceeds the rest, with the number of runs that fit on average', () => {
    const { guard } = guardWith({ session: '1', confirmRuns: 100 });
    const verdict = guard.assessTotal(baseUrl, { runs: 4, total: usd('2'), text: 'four runs' });
    assert.deepEqual([verdict.ask, verdict.passes, verdict.allowedRuns], [true, 'session', 2]);
    assert.match(verdict.text, /^four runs; exceeds the budget of this window by \$1\.00$/);
    const nothing = guard.assessTotal(baseUrl, { runs: 0, total: usd('0'), text: 'none' });
    assert.deepEqual([nothing.ask, nothing.passes], [false, undefined]);
    assert.equal(
      guard.assessTotal(baseUrl, { runs: 1, text: 'one' }).ask,
      true,
      'what is unknown is not nothing',
    );
  });

  it('allows no run when the budget is used up and the cost is unknown', () => {
    const { guard } = guardWith({ session: '1', workspace: '9' });
    guard.admit(run()).settle(usd('1'));
    const verdict = guard.assess(job(2));
    assert.deepEqual([verdict.ask, verdict.passes, verdict.allowedRuns], [true, 'session', 0]);
    assert.ok(!('total' in verdict) && !verdict.passesBalance);
    assert.match(verdict.text, /\$0\.00 is left of the budget of this window before it$/);
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
