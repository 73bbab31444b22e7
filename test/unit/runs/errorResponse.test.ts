import assert from 'node:assert/strict';
import type { RunStep } from '../../../src/domain/run';
import { Guard } from '../../../src/runs/budget/guard';
import { Estimates } from '../../../src/runs/estimates/estimates';
import { type History, openHistory } from '../../../src/runs/history/history';
import { JobRuns } from '../../../src/runs/history/jobRuns';
import { createRuns } from '../../../src/runs/perform';
import type { Store } from '../../../src/store/store';
import { type FaultProxy, type StubResponse, startFaultProxy } from '../../support/faultProxy';
import { memorySpending } from '../../support/memorySpending';
import { modelOf } from '../../support/runPage';
import { testClient } from '../../support/serviceClient';
import { useStoreFolder } from '../../support/store/openStore';

describe('A run that the service does not execute', () => {
  const use = useStoreFolder();
  let store: Store;
  let history: History;
  let jobRuns: JobRuns;
  let proxy: FaultProxy;
  let responses: StubResponse[];

  beforeEach(async () => {
    store = await use.open();
    history = await openHistory(store, { limit: () => 10, log: () => {} });
    jobRuns = new JobRuns(store, assert.fail);
    proxy = await startFaultProxy({ behind: () => responses.shift() ?? { body: { output: 'done' } } });
  });
  afterEach(async () => {
    history.close();
    jobRuns.close();
    await proxy.close();
  });

  async function perform() {
    const client = testClient(proxy.url, { random: () => 0 });
    const spent = memorySpending();
    const guard = new Guard({
      limits: () => ({ confirmRuns: 20 }),
      estimates: new Estimates([history], 'en'),
      spent,
    });
    const cache = store.uploads;
    const runs = createRuns({ client: async () => client, history, jobRuns, guard, cache });
    const contract = modelOf({ type: 'object', properties: {} });
    const draft = { model: contract.slug, mode: 'execute', input: {}, params: {} };
    const steps: RunStep[] = [];
    const environment = { name: 'test', baseUrl: proxy.url };
    const order = { environment, contract, draft, files: [] };
    const finished = await runs.perform(order, { onStep: (step) => steps.push(step) });
    client.close();
    return { finished, steps, spent: spent.of(proxy.url).spent };
  }

  for (const [status, state] of [
    [400, 'failed'],
    [502, 'unknown'],
  ] as const)
    it(`ends as ${state} after a ${status}, with the raw response kept`, async () => {
      const page = '<html><body><h1>Gateway says no</h1></body></html>';
      responses = [{ status, headers: { 'content-type': 'text/html' }, body: page }];
      const { finished } = await perform();
      const { record } = finished;
      assert.equal(record.state, state);
      assert.match(record.message ?? '', /Gateway says no/);
      assert.equal(Buffer.from(finished.response?.raw.bytes ?? []).toString(), page);
      assert.equal(Buffer.from((await history.runs.result(record.id)) ?? []).toString(), page);
      assert.equal(history.get(record.id)?.result?.contentType, 'text/html');
    });

  for (const status of [400, 409, 422, 500, 502, 504])
    it(`takes its cost and its identifier from the body of a ${status}`, async () => {
      responses = [
        {
          status,
          body: { error: 'out of memory', run_id: 'r-7', billing: { amount: '0.03', currency: 'USD' } },
        },
      ];
      const { finished, spent } = await perform();
      const { cost, runId } = finished.record;
      const paid = { amount: '0.03', currency: 'USD' };
      assert.deepEqual([runId, cost, spent], ['r-7', paid, [paid]]);
    });

  it('shows until when it waits for the rate limit, and then runs', async () => {
    responses = [{ status: 429, headers: { 'retry-after-ms': '200' } }];
    const before = Date.now();
    const { finished, steps } = await perform();
    assert.equal(finished.record.state, 'finished');
    const waiting = steps.find(({ step }) => step === 'waiting');
    assert.ok(waiting?.step === 'waiting' && (waiting.untilMs ?? 0) >= before + 200);
    assert.equal(proxy.seen.length, 2);
  });
});
