import assert from 'node:assert/strict';
import type { JobRun } from '../../../src/domain/runRecord';
import { JobRuns } from '../../../src/runs/history/jobRuns';
import { jobRunId } from '../../../src/runs/jobRun';
import { findReceipts } from '../../../src/runs/receipts/findReceipts';
import { readActivity } from '../../support/atOnce';
import { useStoreFolder } from '../../support/store/openStore';

const baseUrl = 'https://models.test';
const run = (n: number, more: Partial<JobRun> = {}): JobRun => ({
  id: `job-run-${n}`,
  baseUrl,
  draft: { model: 'm', mode: 'index' },
  items: 16,
  startedAt: n,
  sentAt: n,
  finishedAt: n + 5,
  state: 'finished',
  ...more,
});

describe('The kept runs of jobs', () => {
  const use = useStoreFolder();
  const open = async () => {
    const store = await use.open();
    return { store, runs: new JobRuns(store, assert.fail) };
  };

  it('tell how many of a table went to another address', async () => {
    const { store, runs } = await open();
    const elsewhere = 'https://elsewhere.test';
    const ofItem = (item: string, more: Partial<JobRun> = {}) => run(1, { id: jobRunId(item, 17), ...more });
    await runs.put([
      ofItem('a', { baseUrl: elsewhere }),
      ofItem('b 2'),
      ofItem('c 3', { baseUrl: elsewhere }),
    ]);
    const count = (...items: string[]) => [...store.jobRuns.elsewhere(baseUrl, new Set(items))];
    assert.deepEqual(count('a', 'b 2', 'c 3'), [[elsewhere, 2]]);
    assert.deepEqual(count('b 2', 'c'), []);
  });

  it('take a receipt that comes later, and report it once', async () => {
    const { runs } = await open();
    await runs.put([run(1, { runId: 'r1' }), run(2, { runId: 'r2', cost: { amount: '1' } })]);
    const told: (readonly JobRun[])[] = [];
    runs.onDidChange((changed) => told.push(changed));
    const entries = readActivity([
      { run_id: 'r1', amount: '0.25' },
      { run_id: 'r2', amount: '9' },
    ])!.entries;
    const known = ['r1', 'r2'].flatMap((id) => runs.withRunId(baseUrl, id) ?? []);
    await runs.put(findReceipts(entries, known, baseUrl));
    assert.equal(runs.get('job-run-1')?.cost?.amount, '0.25');
    assert.equal(runs.get('job-run-2')?.cost?.amount, '1');
    // The message about the receipt comes before the message about a later change.
    const later = new Promise<void>((resolve) => {
      runs.onDidChange((changed) => changed.some(({ id }) => id === 'job-run-3') && resolve());
    });
    await runs.put([run(3)]);
    await later;
    assert.deepEqual(
      told.map((changed) => changed.map(({ id }) => id)),
      [['job-run-1'], ['job-run-3']],
    );
  });

  it('report a run that could not be kept, and keep the others', async () => {
    const store = await use.open();
    const logged: string[] = [];
    const runs = new JobRuns(store, (line) => logged.push(String(line)));
    const told: string[] = [];
    runs.onDidChange((changed) => told.push(...changed.map(({ id }) => id)));
    store.database.get('PRAGMA query_only = 1', () => undefined);
    await runs.put([run(1)]);
    assert.match(logged.join(), /could not be kept/);
    assert.deepEqual([told, runs.get('job-run-1')], [['job-run-1'], undefined]);
    store.database.get('PRAGMA query_only = 0', () => undefined);
    await runs.put([run(2)]);
    while (told.length < 2) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([told, runs.get('job-run-2')?.items], [['job-run-1', 'job-run-2'], 16]);
    runs.close();
    await runs.put([run(3)]);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(told.length, 2, 'nobody is told after the end');
  });
});
