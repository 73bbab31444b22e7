import assert from 'node:assert/strict';
import { addAmounts, compareAmounts } from '../../../src/domain/amounts';
import { Guard } from '../../../src/runs/budget/guard';
import { Estimates } from '../../../src/runs/estimates/estimates';
import { type History, openHistory } from '../../../src/runs/history/history';
import { JobRuns } from '../../../src/runs/history/jobRuns';
import { createRuns } from '../../../src/runs/perform';
import { createServiceClient } from '../../../src/service/createClient';
import type { ServiceError } from '../../../src/service/errors';
import type { Store } from '../../../src/store/store';
import { messageOf } from '../../../src/wording/errors';
import { memorySpending } from '../../support/memorySpending';
import { sandboxInProcess } from '../../support/sandbox';
import { useStoreFolder } from '../../support/store/openStore';

type Sandbox = Awaited<ReturnType<typeof sandboxInProcess>>;

describe("The guard, against the sandbox's own ledger", () => {
  let sandbox: Sandbox;
  const use = useStoreFolder();
  let store: Store;
  let history: History;
  let jobRuns: JobRuns;
  const open: (() => unknown)[] = [];

  beforeEach(async () => {
    store = await use.open();
    history = await openHistory(store, { limit: () => 500, log: () => {} });
    jobRuns = new JobRuns(store, assert.fail);
  });
  afterEach(async () => {
    for (const close of open.splice(0)) await close();
    history.close();
    jobRuns.close();
    await sandbox.stop();
  });

  /** Many workers that start runs until the guard, or `runs`, ends them. */
  async function job(budget: string | undefined, runs: number, workers: number) {
    const client = createServiceClient({
      environment: 'sandbox',
      baseUrl: sandbox.baseUrl,
      apiKey: async () => sandbox.apiKey,
      network: {},
      log: { debug() {}, info() {}, warn() {} },
    });
    open.push(() => client.close());
    const guard = new Guard({
      limits: () => ({ confirmRuns: 20, ...(budget !== undefined && { session: budget }) }),
      estimates: new Estimates([jobRuns], 'en'),
      spent: memorySpending(),
    });
    const all = createRuns({
      client: async () => client,
      history,
      guard,
      jobRuns,
      cache: store.uploads,
    });
    const errors: ServiceError[] = [];
    let started = 0;
    let left = runs;
    const work = async () => {
      while (left > 0) {
        left -= 1;
        started += 1;
        const request = { model: 'sentiment', mode: 'execute', input: { text: `good ${left}` }, params: {} };
        try {
          const environment = { name: 'test', baseUrl: sandbox.baseUrl };
          await all.performForJob({ environment, request, items: 1 });
        } catch (error) {
          errors.push(error as ServiceError);
          if ((error as ServiceError).kind === 'budgetReached') return;
        }
      }
    };
    await Promise.all(Array.from({ length: workers }, work));
    const { json } = await client.usageSummary();
    const { cost, runs: charged } = json as { cost: { amount: string }; runs: number };
    return { guard, errors, started, charged: cost.amount, executed: charged };
  }

  it('stops a job of many workers at the budget: charges are at most that and the requests in flight', async () => {
    sandbox = await sandboxInProcess();
    const first = await job(undefined, 1, 1);
    const price = first.charged;
    const budget = addAmounts(addAmounts(price, price), addAmounts(price, price));
    const { errors, charged, executed, guard } = await job(budget, 100, 8);
    const inThisJob = executed - 1;
    // The price is known from the first run, so that no run beyond the budget is admitted.
    assert.equal(inThisJob, 4);
    assert.equal(compareAmounts(charged, addAmounts(budget, price)), 0);
    assert.equal(compareAmounts(guard.spending(sandbox.baseUrl).session.spent, budget), 0);
    assert.equal(errors.length, 8);
    for (const error of errors) assert.match(messageOf(error), /budget of this session/);
    assert.equal((await sandbox.ledger()).runs['sentiment execute'], executed);
  });

  it('stops every worker at a 402, without repeated requests for the wallet', async () => {
    sandbox = await sandboxInProcess({ wallet: '0.001' });
    const { errors, started, guard } = await job(undefined, 500, 8);
    const rejected = errors.filter(({ details }) => details.status === 402);
    assert.ok(rejected.length >= 1 && rejected.length <= 8, `${rejected.length} runs were rejected`);
    assert.equal(guard.spending(sandbox.baseUrl).cannotPay, true);
    assert.ok(started < 60, `${started} runs were tried`);
    const requests = (await sandbox.ledger()).requests;
    assert.ok(
      Object.values(requests).every((count) => count < 60),
      JSON.stringify(requests),
    );
  });
});
