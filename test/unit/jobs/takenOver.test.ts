import assert from 'node:assert/strict';
import { planJob } from '../../../src/jobs/openJob';
import { ServiceError } from '../../../src/service/errors';
import type { JobOutcomes } from '../../../src/store/jobKind';
import { type Question, type QuestionsHead, questions } from '../../support/questions';
import { useStoreFolder } from '../../support/store/openStore';

describe('A run that waits for its turn while its process does not respond', () => {
  const use = useStoreFolder();

  it('loses the right to leave once another window has taken over', async () => {
    const states: string[] = [];
    const recorded: JobOutcomes<QuestionsHead, Question> = {
      record: (_head, items) => void states.push(...items.map(({ state }) => state)),
      recordedAt: () => undefined,
      isDone: () => false,
      recordLate: () => undefined,
    };
    let clock = 0;
    const here = await use.open();
    const there = await use.open({ owner: { now: () => clock, isAlive: () => false } });
    const other = there.jobs(questions, recorded);
    const asked: boolean[] = [];
    const job = await planJob(here.jobs(questions, recorded), { name: 'quiz' }, [{ text: 'a' }], (head) => ({
      async run(_batch, _turn, _abandon, _sentAt, mayLeave) {
        asked.push(mayLeave());
        while (!(await other.takeOver(head, 'The window is gone.'))) clock += 5_000;
        asked.push(mayLeave());
        throw new ServiceError('cancelled');
      },
      batchSize: () => 1,
      concurrency: () => 1,
    }));
    const paused = new Promise<void>((resolve) => {
      job.onDidChange(() => job.state === 'paused' && resolve());
    });
    job.start();
    await paused;
    assert.deepEqual(asked, [true, false]);
    assert.deepEqual(states, ['unknown']);
  });
});
