import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addAmounts, compareAmounts } from '../../../src/domain/amounts';
import { HistoryEstimates } from '../../../src/runs/estimate';
import { BudgetGuard } from '../../../src/runs/guard';
import { type OpenHistory, openHistory } from '../../../src/runs/history';
import { type JobRuns, openJobRuns } from '../../../src/runs/jobRuns';
import { openMediaCache } from '../../../src/runs/mediaCache';
import { createRuns } from '../../../src/runs/perform';
import type { FinishedRun } from '../../../src/runs/runs';
import { createServiceClient } from '../../../src/service/createClient';
import { sandboxInProcess } from '../../support/sandbox';

type Sandbox = Awaited<ReturnType<typeof sandboxInProcess>>;

describe("The guard, against the sandbox's own ledger", () => {
  let sandbox: Sandbox;
  let folder: string;
  let history: OpenHistory;
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
    const guard = new BudgetGuard({
      limits: () => ({ confirmRuns: 20, ...(budget !== undefined && { session: budget }) }),
      estimates: new HistoryEstimates([history], 'en'),
      storage: { read: () => undefined, write: () => {} },
    });
    const all = createRuns({
      client: async () => client,
      history,
      guard,
      jobRuns,
      cache: await openMediaCache(path.join(folder, 'uploads.jsonl')),
    });
    const contract = await client.getModel('sentiment');
    const finished: FinishedRun[] = [];
    let left = runs;
    const work = async () => {
      while (left > 0) {
        left -= 1;
        const draft = { model: 'sentiment', mode: 'execute', input: { text: `good ${left}` }, params: {} };
        const run = await all.perform({ contract, draft, files: [], source: 'indexing' });
        finished.push(run);
        if (run.record.state === 'notSent') return;
      }
    };
    await Promise.all(Array.from({ length: workers }, work));
    const { json } = await client.usageSummary();
    const { cost, runs: charged } = json as { cost: { amount: string }; runs: number };
    return { guard, finished, charged: cost.amount, executed: charged };
  }

  it('stops a job of many workers at the budget: charged is at most that and what was in flight', async () => {
    sandbox = await sandboxInProcess();
    const first = await job(undefined, 1, 1);
    const price = first.charged;
    const budget = addAmounts(addAmounts(price, price), addAmounts(price, price));
    const { finished, charged, executed, guard } = await job(budget, 100, 8);
    const inThisJob = executed - 1;
    // The price is known from the first run, so that nothing is let in that would pass the budget.
    assert.equal(inThisJob, 4);
    assert.equal(compareAmounts(charged, addAmounts(budget, price)), 0);
    assert.equal(compareAmounts(guard.spending(sandbox.baseUrl).session.spent, budget), 0);
    const stopped = finished.filter(({ record }) => record.state === 'notSent');
    assert.equal(stopped.length, 8);
    assert.match(stopped[0]?.record.message ?? '', /budget of this session/);
    assert.equal((await sandbox.ledger()).runs['sentiment execute'], executed);
  });

  it('stops every worker at a 402, and the wallet is not asked again and again', async () => {
    sandbox = await sandboxInProcess({ wallet: '0.001' });
    const { finished, guard } = await job(undefined, 500, 8);
    const refused = finished.filter(({ record }) => record.status === 402);
    assert.ok(refused.length >= 1 && refused.length <= 8, `${refused.length} runs were refused`);
    assert.equal(guard.spending(sandbox.baseUrl).cannotPay, true);
    assert.ok(finished.length < 60, `${finished.length} runs were tried`);
    const requests = (await sandbox.ledger()).requests;
    assert.ok(
      Object.values(requests).every((count) => count < 60),
      JSON.stringify(requests),
    );
  });
});
