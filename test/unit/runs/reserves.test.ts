import assert from 'node:assert/strict';
import { Guard } from '../../../src/runs/budget/guard';
import { WorkspaceSpending } from '../../../src/runs/budget/workspaceSpending';
import { openHistory } from '../../../src/runs/history/history';
import { JobRuns } from '../../../src/runs/history/jobRuns';
import { createRuns } from '../../../src/runs/perform';
import type { ServiceClient } from '../../../src/service/client';
import { ServiceError } from '../../../src/service/errors';
import { baseUrl, counted, run, usd } from '../../support/guard';
import { modelOf } from '../../support/runPage';
import { answered } from '../../support/runsInMemory';
import { useStoreFolder } from '../../support/store/openStore';

const environment = { name: 'Test', baseUrl };
const contract = modelOf({ type: 'object', properties: {} });
const draft = { model: contract.slug, mode: 'execute', input: {}, params: {} };
const order = { environment, contract, draft, files: [] };
const request = { model: contract.slug, input: {}, params: {} };

describe('The estimate of a run', () => {
  const closing: { close(): void }[] = [];
  afterEach(() => {
    for (const one of closing.splice(0)) one.close();
  });
  const use = useStoreFolder();

  /** A window of one workspace, whose budget has room for two runs. */
  async function openWindow(send: ServiceClient['run']) {
    const store = await use.open();
    const history = await openHistory(store, { limit: () => 10, log: assert.fail });
    const jobRuns = new JobRuns(store, assert.fail);
    closing.push(history, jobRuns);
    const guard = new Guard({
      limits: () => ({ confirmRuns: 20, workspace: { amount: '1.2' } }),
      estimates: { of: () => ({ runs: 0, costFrom: 0, published: usd('0.5') }) },
      spent: new WorkspaceSpending(store, 'w', { log: assert.fail }),
    });
    const client = { environment: 'Test', baseUrl, run: send } as unknown as ServiceClient;
    const runs = createRuns({ client: async () => client, history, jobRuns, guard, cache: store.uploads });
    return { store, history, guard, runs };
  }
  const notAsked = () => assert.fail('a run was sent');

  it('counts in all windows when the run leaves, by hand or of a job, until its cost is known', async () => {
    const other = await openWindow(notAsked);
    const seen: string[] = [];
    const window = await openWindow(async () => {
      seen.push(other.guard.spending(baseUrl).workspace.reserved);
      throw new ServiceError('outcomeUnknown');
    });
    const { record } = await window.runs.perform(order);
    assert.equal(record.state, 'unknown');
    await assert.rejects(window.runs.performForJob({ environment, id: 'of a job', request, items: 1 }));
    assert.deepEqual(seen, ['0.5', '1']);
    // As after a kill: the window itself will release nothing.
    await window.store.close();
    assert.throws(() => other.guard.admit(run()), { kind: 'budgetReached' });
    assert.deepEqual(
      other.history.runs.unresolved(baseUrl, 9).map(({ id }) => id),
      [record.id],
    );
    other.guard.resolve(record, { amount: '0' });
    other.guard.admit(run()).release();
    other.guard.resolve({ id: 'of a job', baseUrl }, { amount: '0.7' });
    assert.deepEqual(counted(other.guard.spending(baseUrl).workspace), { spent: '0.7', reserved: '0' });
  });

  it('lists a run of unknown cost as unresolved, until its cost is known', async () => {
    const { cost: _none, ...unpriced } = answered;
    const window = await openWindow(async () => unpriced);
    const { record } = await window.runs.perform(order);
    const listed = () => window.history.runs.unresolved(baseUrl, 9).map(({ id }) => id);
    assert.deepEqual([record.state, listed()], ['finished', [record.id]]);
    window.guard.resolve(record, { amount: '0.3' });
    await window.store.database.write(() => undefined);
    assert.deepEqual(listed(), []);
  });

  it('gives way to the cost in the response', async () => {
    const window = await openWindow(async () => ({ ...answered, cost: usd('0.25') }));
    await window.runs.perform(order);
    await window.runs.performForJob({ environment, request, items: 1 });
    const { workspace, session } = window.guard.spending(baseUrl);
    assert.deepEqual([workspace, session].map(counted), Array(2).fill({ spent: '0.5', reserved: '0' }));
  });

  it('keeps a run here whose budget another window has reserved since its admission', async () => {
    const other = await openWindow(notAsked);
    let sent = 0;
    const window = await openWindow(async () => {
      sent++;
      return answered;
    });
    const both = Array.from({ length: 2 }, () => other.guard.admit(run('hand')));
    const put = window.history.put.bind(window.history);
    window.history.put = async (record, response) => {
      // It is admitted, and not on its way yet.
      if (record.state === 'running') for (const one of both) await one.reserve();
      return put(record, response);
    };
    const { record, error } = await window.runs.perform(order);
    assert.deepEqual([record.state, (error as ServiceError).kind, sent], ['notSent', 'budgetReached', 0]);
    for (const one of both) one.release();
    await other.store.database.write(() => undefined);
    assert.equal((await window.runs.perform(order)).record.state, 'finished');
  });
});
