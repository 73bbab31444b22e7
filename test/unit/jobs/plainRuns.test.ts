import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Job } from '../../../src/jobs/job';
import type { JobWork, RunOutcome } from '../../../src/jobs/jobWork';
import { discardJob, interruptedJobs, planJob, reopenJob } from '../../../src/jobs/openJob';
import { ServiceError } from '../../../src/service/errors';
import type { JobOutcomes } from '../../../src/store/jobKind';
import type { Jobs } from '../../../src/store/jobs';
import { openStore, type Store } from '../../../src/store/store';
import { type Question, type QuestionsHead, questions } from '../../support/questions';

const COUNT = 20;
const QUESTIONS = Array.from({ length: COUNT }, (_, n): Question => ({ text: `question ${n}` }));

describe('A job of plain runs', () => {
  let folder: string;
  let stores: Store[];
  let jobs: Jobs<QuestionsHead, Question>;
  let outcomes: Map<string, { state: string; at: number }>;
  let sent: string[];
  let answer: (text: string, turn: AbortSignal) => Promise<RunOutcome<Question>>;
  let mostInFlight: number;
  let fourInFlight: () => void;
  let endHanging: () => void;

  beforeEach(async () => {
    folder = await fs.mkdtemp(join(tmpdir(), 'plain-runs-'));
    outcomes = new Map();
    stores = [];
    jobs = (await open(folder)).jobs(questions, recorded);
    sent = [];
    mostInFlight = 0;
    fourInFlight = () => undefined;
    endHanging = () => undefined;
    answer = async () => ({ outcome: 'done', cost: { amount: '0.01', currency: 'USD' } });
  });
  afterEach(async () => {
    endHanging();
    for (const store of stores) await store.close();
    await fs.rm(folder, { recursive: true, maxRetries: 5 });
  });

  const recorded: JobOutcomes<QuestionsHead, Question> = {
    record(_head, items) {
      for (const { text, state, at = Date.now() } of items) outcomes.set(text, { state, at });
    },
    recordedAt: (_head, { text }) => outcomes.get(text)?.at,
    isDone: () => false,
    recordLate: () => undefined,
  };

  async function open(at: string, owner = {}): Promise<Store> {
    const store = await openStore(at, { owner });
    stores.push(store);
    return store;
  }

  function work(): JobWork<Question> {
    let inFlight = 0;
    return {
      async run([first, ...others], turn) {
        assert.ok(first && others.length === 0);
        sent.push(first.text);
        mostInFlight = Math.max(mostInFlight, ++inFlight);
        if (inFlight === 4) fourInFlight();
        await new Promise((resolve) => setTimeout(resolve, 1));
        return answer(first.text, turn).finally(() => inFlight--);
      },
      batchSize: () => 1,
      concurrency: () => 4,
    };
  }

  const plan = () => planJob(jobs, { name: 'quiz' }, QUESTIONS, work);
  const countOf = (wanted: string) => [...outcomes.values()].filter(({ state }) => state === wanted).length;

  async function finished(job: Job<QuestionsHead, Question>) {
    job.start();
    await job.done;
    return job.progress;
  }

  const until = (job: Job<QuestionsHead, Question>, state: string) =>
    new Promise<void>((resolve) => {
      const look = () => job.progress.state === state && resolve();
      job.onDidChange(look);
      look();
    });

  it('sends each once, without preparation, and adds up their cost', async () => {
    const four = new Promise<void>((resolve) => {
      fourInFlight = resolve;
    });
    const answerAlone = answer;
    answer = async (text, turn) => {
      await four;
      return answerAlone(text, turn);
    };
    const { done, runs, spent } = await finished(await plan());
    assert.deepEqual([done, runs, spent[0]?.amount], [COUNT, COUNT, '0.2']);
    assert.deepEqual(sent.toSorted(), QUESTIONS.map(({ text }) => text).toSorted());
    assert.equal(mostInFlight, 4);
    assert.equal(countOf('done'), COUNT);
  });

  /** As a killed process leaves its folder: everything that was on disk while runs were in flight. */
  async function killed(): Promise<Jobs<QuestionsHead, Question>> {
    const hanging = new Promise<RunOutcome<Question>>((_resolve, reject) => {
      endHanging = () => reject(new ServiceError('cancelled'));
    });
    answer = async (text) => (Number(text.split(' ')[1]) < 10 ? { outcome: 'done' } : hanging);
    const job = await plan();
    job.start();
    while (sent.length < 14) await new Promise((resolve) => setTimeout(resolve, 5));
    while (outcomes.size < 10) await new Promise((resolve) => setTimeout(resolve, 5));
    job.detach();
    const copy = join(folder, 'killed');
    await fs.mkdir(copy);
    for (const name of ['model-bench.db', 'model-bench.db-wal'])
      await fs.copyFile(join(folder, name), join(copy, name));
    // The process of the copy's owner is no more; each look at the clock is a second later, which shows it soon.
    let now = 0;
    const left = await open(copy, { isAlive: () => false, now: () => (now += 1_000) });
    return left.jobs(questions, recorded);
  }

  /** The job, once its window is known to be gone. */
  async function untilInterrupted(left: Jobs<QuestionsHead, Question>) {
    for (;;) {
      const { interrupted, held } = interruptedJobs(left);
      assert.equal(interrupted.length + held, 1);
      if (interrupted[0]) return interrupted[0];
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  it('resumes after a kill: requests in flight are unknown and not repeated, the rest is sent once', async () => {
    const left = await killed();
    answer = async () => ({ outcome: 'done' });
    const { head: found, counts } = await untilInterrupted(left);
    assert.deepEqual(counts, { done: 10, inFlight: 4, planned: COUNT - 14 });
    const job = await reopenJob(left, found.id, work);
    assert.ok(job);
    const { done, unknown } = await finished(job);
    assert.deepEqual([done, unknown], [COUNT - 4, 4]);
    assert.equal(new Set(sent).size, sent.length, 'none was sent twice');
    assert.deepEqual([countOf('done'), countOf('unknown')], [COUNT - 4, 4]);
    assert.deepEqual(interruptedJobs(left), { interrupted: [], held: 0 });
  });

  it('ends after a kill when it is discarded: its outcomes are kept, and sending stops', async () => {
    const left = await killed();
    const before = sent.length;
    const { head: found } = await untilInterrupted(left);
    assert.equal(await discardJob(left, found), true);
    assert.equal(sent.length, before);
    assert.deepEqual([countOf('done'), countOf('unknown')], [10, 4]);
  });

  it('ends and frees its target when another window has ended it meanwhile', async () => {
    const theirs = (await open(folder)).jobs(questions, recorded);
    const job = await plan();
    job.start();
    await until(job, 'running');
    job.pause();
    await until(job, 'paused');
    const before = sent.length;
    await theirs.end(job.head);
    job.resume();
    await assert.rejects(job.done, /^Error: Another window has ended this job\.$/);
    assert.deepEqual([job.progress.state, sent.length], ['ended', before]);
    const next = await plan();
    next.start();
    await next.done;
    assert.equal(next.progress.done, COUNT);
  });
});
