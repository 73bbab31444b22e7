import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Job } from '../../../src/jobs/job';
import type { JobHead, JobKind, JobWork, OutcomeStore, RunOutcome } from '../../../src/jobs/jobWork';
import { discardJob, interruptedJobs, type JobPlace, planJob, reopenJob } from '../../../src/jobs/openJob';
import { ServiceError } from '../../../src/service/errors';

/** The smallest kind of job: a run for each question, nothing uploaded, no batches. */
interface Head extends JobHead {
  readonly name: string;
}
interface Question {
  readonly text: string;
}

const head = z.object({ id: z.string(), at: z.number(), name: z.string() });
const question = z.object({ text: z.string() });

const kind: JobKind<Head, Question> = {
  head: (line) => head.safeParse(line).data,
  item: (entry) => question.safeParse(entry).data,
  prepared: () => ({}),
  target: ({ name }) => name,
};

const COUNT = 20;
const QUESTIONS = Array.from({ length: COUNT }, (_, n): Question => ({ text: `question ${n}` }));

describe('A job of plain runs', () => {
  let folder: string;
  let outcomes: Map<string, { state: string; at: number }>;
  let sent: string[];
  let answer: (text: string, turn: AbortSignal) => Promise<RunOutcome<Question>>;
  let mostInFlight: number;
  let endHanging: () => void;

  beforeEach(async () => {
    folder = await fs.mkdtemp(join(tmpdir(), 'plain-runs-'));
    outcomes = new Map();
    sent = [];
    mostInFlight = 0;
    endHanging = () => undefined;
    answer = async () => ({ outcome: 'done', cost: { amount: '0.01', currency: 'USD' } });
  });
  afterEach(async () => {
    endHanging();
    await fs.rm(folder, { recursive: true, maxRetries: 5 });
  });

  const store: OutcomeStore<Head, Question> = {
    refresh: async () => undefined,
    async record(_head, items) {
      for (const { text, state, at = Date.now() } of items) outcomes.set(text, { state, at });
    },
    recordedAt: (_head, { text }) => outcomes.get(text)?.at,
    isDone: () => false,
  };
  const placeIn = (at: string): JobPlace<Head, Question> => ({ kind, folder: at, outcomes: store });

  function work(): JobWork<Question> {
    let inFlight = 0;
    return {
      async run([first, ...others], turn) {
        assert.ok(first && others.length === 0);
        sent.push(first.text);
        mostInFlight = Math.max(mostInFlight, ++inFlight);
        await new Promise((resolve) => setTimeout(resolve, 1));
        inFlight--;
        return answer(first.text, turn);
      },
      batchSize: () => 1,
      concurrency: () => 4,
    };
  }

  const plan = () => planJob(placeIn(folder), { name: 'quiz' }, QUESTIONS, work);
  const countOf = (wanted: string) => [...outcomes.values()].filter(({ state }) => state === wanted).length;

  async function finished(job: Job<Head, Question>) {
    job.start();
    await job.done;
    return job.progress;
  }

  const until = (job: Job<Head, Question>, state: string) =>
    new Promise<void>((resolve) => {
      const look = () => job.progress.state === state && resolve();
      job.onDidChange(look);
      look();
    });

  it('sends each once, with nothing prepared, and adds up what they cost', async () => {
    const { done, runs, spent } = await finished(await plan());
    assert.deepEqual([done, runs, spent[0]?.amount], [COUNT, COUNT, '0.2']);
    assert.deepEqual(sent.toSorted(), QUESTIONS.map(({ text }) => text).toSorted());
    assert.equal(mostInFlight, 4);
    assert.equal(countOf('done'), COUNT);
  });

  /** As a killed process leaves its folder: everything that was on disk while runs were in flight. */
  async function killed(): Promise<JobPlace<Head, Question>> {
    const hanging = new Promise<RunOutcome<Question>>((_resolve, reject) => {
      endHanging = () => reject(new ServiceError('cancelled'));
    });
    answer = async (text) => (Number(text.split(' ')[1]) < 10 ? { outcome: 'done' } : hanging);
    const job = await plan();
    job.start();
    while (sent.length < 14) await new Promise((resolve) => setTimeout(resolve, 5));
    job.detach();
    const copy = join(folder, 'killed');
    await fs.mkdir(copy);
    for (const name of await fs.readdir(folder))
      if (name.endsWith('.jsonl')) await fs.copyFile(join(folder, name), join(copy, name));
    return placeIn(copy);
  }

  it('is resumed after a kill: what was in flight is unknown and not sent again, the rest is sent once', async () => {
    const place = await killed();
    answer = async () => ({ outcome: 'done' });
    const { interrupted, held } = await interruptedJobs(place);
    assert.deepEqual([interrupted.length, held], [1, 0]);
    const job = await reopenJob(place, interrupted[0]!.file, work);
    assert.ok(job);
    const { done, unknown } = await finished(job);
    assert.deepEqual([done, unknown], [COUNT - 4, 4]);
    assert.equal(new Set(sent).size, sent.length, 'none was sent twice');
    assert.deepEqual([countOf('done'), countOf('unknown')], [COUNT - 4, 4]);
    assert.equal((await interruptedJobs(place)).interrupted.length, 0);
  });

  it('is discarded after a kill: what is known and unknown is kept, nothing more is sent', async () => {
    const place = await killed();
    const before = sent.length;
    const { interrupted } = await interruptedJobs(place);
    assert.equal(await discardJob(place, interrupted[0]!), true);
    assert.equal(sent.length, before);
    assert.deepEqual([countOf('done'), countOf('unknown')], [10, 4]);
  });

  it('never sends again what may have been executed, and retries what did not reach the service', async () => {
    const failures: Record<string, () => Error> = {
      'question 3': () => new ServiceError('outcomeUnknown'),
      'question 5': () => new Error('Channel has been closed'),
      'question 7': () => new ServiceError('unreachable'),
    };
    answer = async (text) => {
      const failure = failures[text];
      delete failures[text];
      if (failure) throw failure();
      return { outcome: 'done' };
    };
    const { done, unknown } = await finished(await plan());
    assert.deepEqual([done, unknown], [COUNT - 2, 2]);
    assert.equal(sent.filter((text) => text === 'question 7').length, 2);
    assert.equal(sent.length, COUNT + 1);
  });

  it('fails a rejected item alone', async () => {
    answer = async (text) => {
      if (text === 'question 2')
        throw new ServiceError('invalidRequest', { status: 422, serviceMessage: 'too short' });
      return { outcome: 'done' };
    };
    const { done, failed } = await finished(await plan());
    assert.deepEqual([done, failed], [COUNT - 1, 1]);
  });

  it('pauses when the budget is reached, with the way on, and resumes without a run lost or sent twice', async () => {
    let left = 6;
    answer = async () => {
      if (left-- <= 0) throw new ServiceError('budgetReached');
      return { outcome: 'done' };
    };
    const job = await plan();
    job.start();
    await until(job, 'paused');
    const { done, failed, unknown, nextStep } = job.progress;
    assert.deepEqual([done, failed, unknown, nextStep], [6, 0, 0, 'changeBudget']);
    left = COUNT;
    job.resume();
    await job.done;
    assert.equal(job.progress.done, COUNT);
    assert.equal(countOf('done'), COUNT);
  });

  it('waits for a job of the same target, and not for one of another', async () => {
    let open: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    answer = async () => {
      await gate;
      return { outcome: 'done' };
    };
    const first = await plan();
    first.start();
    await until(first, 'running');
    const second = await plan();
    second.start();
    const other = await planJob(placeIn(folder), { name: 'another quiz' }, QUESTIONS, work);
    other.start();
    await until(other, 'running');
    assert.equal(second.progress.state, 'queued');
    open?.();
    await Promise.all([first.done, second.done, other.done]);
  });
});
