import assert from 'node:assert/strict';
import type { JobWork } from '../../../src/jobs/jobWork';
import { discardJob, interruptedJobs, planJob } from '../../../src/jobs/openJob';
import type { JobOutcomes } from '../../../src/store/jobKind';
import { type Question, type QuestionsHead, questions } from '../../support/questions';
import { useStoreFolder } from '../../support/store/openStore';

const outcomes: JobOutcomes<QuestionsHead, Question> = {
  record: () => undefined,
  recordedAt: () => undefined,
  isDone: () => false,
  recordLate: () => undefined,
};
const TWO: readonly Question[] = ['a', 'b'].map((text) => ({ text, body: 'of many megabytes' }));

describe('A job that is opened', () => {
  const use = useStoreFolder();
  const ends: (() => void)[] = [];
  const open = async () => (await use.open()).jobs(questions, outcomes);
  /** Its runs are sent, and respond when the test has ended. */
  const work = (): JobWork<Question> => ({
    run: (_batch, _turn, abandon) =>
      new Promise((resolve) => {
        ends.push(() => resolve({ outcome: 'done' }));
        abandon.addEventListener('abort', () => resolve({ outcome: 'unknown', reason: 'abandoned' }));
      }),
    batchSize: () => 1,
    concurrency: () => 2,
  });

  it('resists discarding while another window works on it, and after that has finished it', async () => {
    const [one, two] = [await open(), await open()];
    const job = await planJob(one, { name: 'quiz' }, TWO, work);
    job.start();
    while (ends.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(await discardJob(two, job.head), false);
    assert.ok(two.get(job.head.id));
    for (const end of ends.splice(0)) end();
    await job.done;
    assert.deepEqual([job.progress.done, two.get(job.head.id)], [2, undefined]);
    assert.equal(await discardJob(two, job.head), false);
  });

  it('belongs to the window that waits with it for its target: no other one is offered it or ends it', async () => {
    const [one, two] = [await open(), await open()];
    const first = await planJob(one, { name: 'quiz' }, TWO, work);
    const second = await planJob(one, { name: 'quiz' }, TWO, work);
    // The moment between the end of the first and the start of the second.
    assert.deepEqual(interruptedJobs(two), { interrupted: [], held: 2 });
    assert.equal(await discardJob(two, second.head), false);
    assert.equal(await discardJob(one, second.head), false, 'nor the same window by another start');
    first.cancel();
    await first.done;
    second.start();
    while (ends.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const end of ends.splice(0)) end();
    await second.done;
    assert.equal(second.progress.done, 2);
  });

  it('appears for others once its window has released it', async () => {
    const [one, two] = [await open(), await open()];
    const job = await planJob(one, { name: 'quiz' }, TWO, work);
    job.detach();
    while (interruptedJobs(two).held > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const { interrupted } = interruptedJobs(two);
    assert.deepEqual(
      interrupted.map(({ head }) => head.id),
      [job.head.id],
    );
    assert.equal(await discardJob(two, job.head), true);
  });
});
