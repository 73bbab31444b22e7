import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JobRun, type JobRuns, openJobRuns } from '../../../src/runs/history/jobRuns';
import { findReceipts } from '../../../src/runs/receipts/findReceipts';
import { readActivity } from '../../../src/service/reading/activity';

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

describe('What is kept of the runs of jobs', () => {
  let folder: string;
  let opened: JobRuns[];
  beforeEach(async () => {
    folder = await fs.mkdtemp(join(tmpdir(), 'job-runs-'));
    opened = [];
  });
  afterEach(async () => {
    for (const runs of opened) await runs.close();
    await fs.rm(folder, { recursive: true });
  });
  const file = () => join(folder, 'job-runs.jsonl');
  const open = async () => {
    const runs = await openJobRuns(file(), assert.fail);
    opened.push(runs);
    return runs;
  };

  it('is there after a restart, newest first', async () => {
    await (await open()).put([run(1), run(2)]);
    const kept = (await open()).runs;
    assert.deepEqual(
      kept.map(({ id }) => id),
      ['job-run-2', 'job-run-1'],
    );
  });

  it('is bounded by model, in memory and on disk', async () => {
    const runs = await open();
    await runs.put([run(0, { draft: { model: 'other', mode: 'index' } })]);
    for (let n = 1; n <= 900; n += 100) await runs.put(Array.from({ length: 100 }, (_, i) => run(n + i)));
    assert.equal(runs.runs.length, 41);
    assert.equal(runs.runs.at(-1)?.draft.model, 'other');
    await runs.close();
    const again = await open();
    assert.deepEqual(again.runs, runs.runs);
    const lines = (await fs.readFile(file(), 'utf8')).split('\n').filter((line) => line.includes('job-run'));
    assert.ok(lines.length < 700, `${lines.length} lines`);
  });

  it('takes a receipt that comes later, and tells of it', async () => {
    const runs = await open();
    await runs.put([run(1, { runId: 'r1' }), run(2, { runId: 'r2', cost: { amount: '1' } })]);
    const told: (readonly JobRun[])[] = [];
    runs.onDidChange((changed) => told.push(changed));
    const entries = readActivity([
      { run_id: 'r1', amount: '0.25' },
      { run_id: 'r2', amount: '9' },
    ])!.entries;
    await runs.put(findReceipts(entries, runs.runs, baseUrl));
    assert.deepEqual(
      runs.runs.map(({ cost }) => cost?.amount),
      ['1', '0.25'],
    );
    assert.equal(told.length, 1);
  });
});
