import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addAmounts, compareAmounts } from '../../../src/domain/amounts';
import { Guard } from '../../../src/runs/budget/guard';
import { Estimates } from '../../../src/runs/estimates/estimates';
import { type History, openHistory } from '../../../src/runs/history/history';
import { type JobRuns, openJobRuns } from '../../../src/runs/history/jobRuns';
import { createRuns } from '../../../src/runs/perform';
import { openMediaCache } from '../../../src/runs/uploads/mediaCache';
import { createServiceClient } from '../../../src/service/createClient';
import type { ServiceError } from '../../../src/service/errors';
import { messageOf } from '../../../src/wording/errors';
import { sandboxInProcess } from '../../support/sandbox';

type Sandbox = Awaited<ReturnType<typeof sandboxInProcess>>;

describe("The guard, against the sandbox's own ledger", () => {
  let sandbox: Sandbox;
  let folder: string;
  let history: History;
  let jobRuns: JobRuns;
  const open: (() => unknown)[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-guard-'));
    history = await openHistory(path.join(folder, 'history'), { limit: () => 500, log: () => {} });
    jobRuns = await openJobRuns(path.join(folder, 'job-runs.jsonl'), assert.fail);
  });
  afterEach(async () => {
    for (const close of open.splice(0)) await close();
    await history.close();
    await jobRuns.close();
    await sandbox.stop();
    await rm(folder, { recursive: true, force: true });
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
      storage: { read: () => undefined, write: () => {} },
    });
    const all = createRuns({
      client: async () => client,
      history,
      guard,
      jobRuns,
      cache: await openMediaCache(path.join(folder, 'uploads.jsonl')),
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
          await all.performForJob({ baseUrl: sandbox.baseUrl, request, items: 1 });
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

  it('stops a job of many workers at the budget: charged is at most that and what was in flight', async () => {
    sandbox = await sandboxInProcess();
    const first = await job(undefined, 1, 1);
    const price = first.charged;
    const budget = addAmounts(addAmounts(price, price), addAmounts(price, price));
    const { errors, charged, executed, guard } = await job(budget, 100, 8);
    const inThisJob = executed - 1;
    // The price is known from the first run, so that nothing is let in that would pass the budget.
    assert.equal(inThisJob, 4);
    assert.equal(compareAmounts(charged, addAmounts(budget, price)), 0);
    assert.equal(compareAmounts(guard.spending(sandbox.baseUrl).session.spent, budget), 0);
    assert.equal(errors.length, 8);
    for (const error of errors) assert.match(messageOf(error), /budget of this session/);
    assert.equal((await sandbox.ledger()).runs['sentiment execute'], executed);
  });

  it('stops every worker at a 402, and the wallet is not asked again and again', async () => {
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
