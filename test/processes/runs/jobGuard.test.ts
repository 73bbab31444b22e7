import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  addAmounts,
  compareAmounts,
  readAmount,
  subtractAmounts,
  timesAmount,
} from '../../../src/domain/amounts';
import type { IndexingJob } from '../../../src/indexing/indexingJobs';
import type { Limits } from '../../../src/runs/budget/guard';
import { jobFor, setUp } from '../../support/indexingJobs';
import { makePictures } from '../../support/pictures';
import { type ChildSandbox, sandboxInChild } from '../../support/sandbox';

const batch = 4;
const workers = 6;

describe("An indexing job and its budget, by the sandbox's own books", () => {
  let sandbox: ChildSandbox;
  let folder: string;
  let pictures: string;
  let scopes = 0;
  const closing: (() => unknown)[] = [];

  before(async () => {
    pictures = await fs.mkdtemp(join(tmpdir(), 'pictures-'));
    await makePictures(pictures, 80);
  });
  after(() => fs.rm(pictures, { recursive: true }));
  beforeEach(async () => {
    sandbox = await sandboxInChild();
    folder = await fs.mkdtemp(join(tmpdir(), 'job-guard-'));
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    await sandbox.stop();
    await fs.rm(folder, { recursive: true });
  });

  /** Everything a window has, without VS Code. Its jobs are in scopes of their own, started. */
  async function openWindow(concurrency = workers) {
    const limits: { current: Limits } = { current: { confirmRuns: 20 } };
    const options = { concurrency, batchSize: batch, limits: () => limits.current };
    const setup = await setUp(sandbox, folder, '', options);
    closing.push(() => setup.close());
    const startJob = async (images: number): Promise<IndexingJob> => {
      const job = await jobFor({ ...setup, scope: `scope-${++scopes}` }, pictures, images);
      job.start();
      return job;
    };
    return { ...setup, limits, startJob };
  }

  /** The service's charges, and the number of its executed index runs. */
  async function charged(): Promise<{ amount: string; runs: number }> {
    const headers = { 'X-API-Key': sandbox.apiKey };
    const response = await fetch(`${sandbox.baseUrl}/api/billing/usage/summary`, { headers });
    const { cost } = (await response.json()) as { cost: { amount: string } };
    const { runs } = await sandbox.ledger();
    return { amount: readAmount(cost.amount)!, runs: runs['image-similarity index'] ?? 0 };
  }

  const until = (job: IndexingJob, state: 'paused' | 'ended') =>
    new Promise<void>((resolve) => {
      const look = () => job.progress.state === state && resolve();
      job.onDidChange(look);
      job.done.then(look, look);
      look();
    });

  /** A window that knows the price of a run of its job, may spend five times as much, and has spent it once. */
  async function openWindowWithBudget(concurrency: number) {
    const window = await openWindow(concurrency);
    await until(await window.startJob(batch), 'ended');
    const price = (await charged()).amount;
    assert.notEqual(price, '0');
    const what = { baseUrl: sandbox.baseUrl, model: 'image-similarity', mode: 'index', items: batch };
    assert.equal(window.estimates.of(what).medianCost?.amount, price, 'index runs tell what index runs cost');
    assert.equal(window.history.runs.count(), 0, 'runs of a job do not flood the history');

    window.limits.current = { confirmRuns: 20, session: { amount: timesAmount(price, 5) } };
    return { window, price };
  }

  it('spends a budget to the last run that it can pay, and goes on when it is raised', async () => {
    const { window, price } = await openWindowWithBudget(1);
    const job = await window.startJob(80);
    await until(job, 'paused');
    assert.match(job.progress.reason ?? '', /budget of this window/);
    assert.equal(job.progress.nextStep, 'changeBudget');
    const stopped = await charged();
    assert.equal(stopped.runs, 5);
    assert.equal(compareAmounts(stopped.amount, timesAmount(price, 5)), 0);
    assert.equal(window.guard.spending(sandbox.baseUrl).session.spent, stopped.amount);

    window.limits.current = { confirmRuns: 20 };
    job.resume();
    await until(job, 'ended');
    const all = await charged();
    assert.deepEqual([job.progress.done, all.runs], [80, 21]);
    assert.equal(window.guard.spending(sandbox.baseUrl).session.spent, all.amount, 'page and service agree');
    assert.equal(job.progress.spent[0]?.amount, subtractAmounts(all.amount, price));
  });

  it('sends no run that would exceed the budget, for any requests in flight', async () => {
    const { window, price } = await openWindowWithBudget(workers);
    const job = await window.startJob(80);
    await until(job, 'paused');
    // A run that was admitted and still waited for its turn when the job paused is given back, unpaid.
    const { amount, runs } = await charged();
    assert.ok(runs >= 1 && runs <= 5, `${runs} runs were sent`);
    assert.equal(compareAmounts(amount, timesAmount(price, runs)), 0);
    const { session } = window.guard.spending(sandbox.baseUrl);
    assert.deepEqual([session.spent, session.reserved], [amount, '0']);
    assert.deepEqual([job.progress.failed, job.progress.unknown], [0, 0]);
  });

  it('charges at most the budget and the requests in flight while the price was unknown', async () => {
    const window = await openWindow();
    await sandbox.change({ latencyMs: 40 });
    window.limits.current = { confirmRuns: 20, session: { amount: '0.0001' } };
    const job = await window.startJob(80);
    await until(job, 'paused');
    const { amount, runs } = await charged();
    assert.ok(runs >= 1 && runs <= workers, `${runs} runs were sent`);
    assert.equal(window.guard.spending(sandbox.baseUrl).session.spent, amount);
    // Of the runs let in, all but the one that reached the budget were in flight when it was reached.
    const each = window.store.jobRuns.list()[0]!.cost!.amount;
    assert.ok(compareAmounts(amount, addAmounts('0.0001', timesAmount(each, workers))) <= 0);
  });

  it('stops every job at a 402, offers the way on, and goes on once the wallet is filled', async () => {
    const window = await openWindow();
    await until(await window.startJob(batch), 'ended');
    const price = (await charged()).amount;
    await sandbox.change({ wallet: timesAmount(price, 3), latencyMs: 20 });
    const jobs = await Promise.all([window.startJob(80), window.startJob(80)]);
    await Promise.all(jobs.map((job) => until(job, 'paused')));
    const stopped = await charged();
    assert.equal(stopped.runs, 4, 'one before, and three that the wallet could pay');
    for (const job of jobs) {
      assert.equal(job.progress.nextStep, 'showUsage');
      assert.notEqual(job.progress.reason, undefined);
      assert.equal(job.progress.failed, 0);
    }
    assert.equal(window.guard.spending(sandbox.baseUrl).cannotPay, true);
    await sandbox.change({ wallet: '100', latencyMs: 0 });
    window.guard.approve(sandbox.baseUrl);
    for (const job of jobs) job.resume();
    await Promise.all(jobs.map((job) => until(job, 'ended')));
    assert.deepEqual(
      jobs.map((job) => job.progress.done),
      [80, 80],
    );
    assert.equal((await charged()).runs, 41);
  });
});
