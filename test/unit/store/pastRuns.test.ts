import assert from 'node:assert/strict';
import type { JobRun, RunRecord } from '../../../src/domain/runRecord';
import { useStoreFolder } from '../../support/store/openStore';
import { runNamed } from '../../support/store/samples';

const [here, there] = ['https://a.test', 'https://b.test'];
const cost = { amount: '0.1', currency: 'USD' };

describe('Runs for an estimate', () => {
  const use = useStoreFolder();

  const draft = (mode: string, model = 'clip') => ({ model, mode, input: {}, params: {} });
  const file = (name: string) => ({
    ...{ uri: `file:///${name}`, filename: name, contentType: 'image/png', sizeBytes: 1 },
  });
  const run = (id: string, more: Partial<RunRecord>) =>
    runNamed(id, { baseUrl: here, draft: draft('embed'), ...more });
  const jobRun = (id: string, more: Partial<JobRun> = {}): JobRun => ({
    ...{ id, baseUrl: here, draft: { model: 'clip', mode: 'index' }, items: 16 },
    ...{ startedAt: 1, sentAt: 2, finishedAt: 3, state: 'finished' },
    ...more,
  });

  it('include those of a model at a service that got a response, newest first', async () => {
    const { runs } = await use.open();
    for (const one of [
      run('old', { startedAt: 1, sentAt: 2, finishedAt: 4, cost, attachments: [file('a'), file('b')] }),
      run('young', { startedAt: 8, state: 'accepted', cost: { amount: '7' }, draft: draft('text') }),
      run('failed', { startedAt: 9, state: 'failed' }),
      run('unknown', { startedAt: 9, state: 'unknown' }),
      run('elsewhere', { startedAt: 9, baseUrl: there }),
      run('of another model', { startedAt: 9, draft: draft('embed', 'another') }),
    ])
      await runs.put(one);
    const old = { startedAt: 1, sentAt: 2, finishedAt: 4, state: 'finished', cost, items: 2 };
    const young = { startedAt: 8, state: 'accepted', cost: { amount: '7' }, items: 0 };
    assert.deepEqual(runs.past(here, 'clip'), [young, old]);
    assert.deepEqual(runs.past(here, 'clip', 'embed'), [old]);
    assert.deepEqual(runs.past(here, 'clip', 'another'), []);
  });

  it('include those of jobs', async () => {
    const { jobRuns } = await use.open();
    await jobRuns.put([
      jobRun('b', { startedAt: 5, cost }),
      jobRun('a', { startedAt: 5, runId: 'r1', cost: { amount: '2' } }),
      jobRun('c', { startedAt: 6, state: 'failed' }),
      jobRun('d', { startedAt: 7, state: 'accepted', baseUrl: there, runId: 'r1' }),
      jobRun('e', { startedAt: 4.4, sentAt: 4.6, finishedAt: 5.5, draft: { model: 'clip', mode: 'text' } }),
    ]);
    const e = { startedAt: 4, sentAt: 5, finishedAt: 6, state: 'finished', items: 16 };
    assert.deepEqual(jobRuns.past(here, 'clip', 'text'), [e]);
    assert.deepEqual(
      jobRuns.past(here, 'clip').map(({ startedAt }) => startedAt),
      [5, 5, 4],
    );
    assert.deepEqual(
      jobRuns.list().map(({ id }) => id),
      ['d', 'c', 'a', 'b', 'e'],
    );
    assert.deepEqual(jobRuns.get('a'), jobRun('a', { startedAt: 5, runId: 'r1', cost: { amount: '2' } }));
    assert.deepEqual(jobRuns.get('b'), jobRun('b', { startedAt: 5, cost }));
    assert.equal(jobRuns.get('nobody'), undefined);
    assert.deepEqual([jobRuns.withRunId(here, 'r1')?.id, jobRuns.withRunId(there, 'r1')?.id], ['a', 'd']);
    assert.equal(jobRuns.withRunId(here, 'r2'), undefined);
    await jobRuns.put([jobRun('a', { startedAt: 9 })]);
    assert.deepEqual(jobRuns.get('a'), jobRun('a', { startedAt: 9 }), 'a later record replaces it');
  });

  it('stay for each mode of each model at each service', async () => {
    const { jobRuns } = await use.open();
    const many = (mode: string, model: string, baseUrl: string) =>
      Array.from({ length: 45 }, (_, n) =>
        jobRun(`${mode} ${model} ${baseUrl} ${n}`, { startedAt: n, baseUrl, draft: { model, mode } }),
      );
    await jobRuns.put([
      ...many('index', 'clip', here),
      ...many('index', 'clip', there),
      ...many('index', 'another', here),
      ...many('text', 'clip', here),
    ]);
    const kept = jobRuns.list();
    assert.equal(kept.length, 4 * 40);
    assert.ok(kept.every(({ startedAt }) => startedAt >= 5));
  });

  it('announce those of jobs to other windows', async () => {
    const { jobRuns, changes } = await use.open();
    const told = new Promise<void>((resolve) => changes.on('jobRuns', resolve));
    await jobRuns.put([jobRun('a')]);
    await told;
  });
});
