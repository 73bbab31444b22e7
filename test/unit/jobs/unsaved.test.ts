import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { planJob } from '../../../src/jobs/openJob';
import { sqlite } from '../../../src/store/open';
import { StoreProblem } from '../../../src/store/storeProblem';
import { Unsaved } from '../../../src/store/unsaved';
import { JobInMemory, turns } from '../../support/jobInMemory';
import { useStoreFolder } from '../../support/store/openStore';
import { head, jobsOf, planned } from '../../support/store/samples';

const full = new StoreProblem('diskFull', 'no room');

const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
};

function awaited(): readonly [Promise<void>, () => void] {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return [promise, resolve];
}

describe('A response that cannot be saved', () => {
  /** A job whose first response is held. */
  async function holding(count = 3) {
    const here = new JobInMemory();
    const job = here.job(count);
    job.start();
    await turns();
    here.refuse('answered', full);
    await here.runs[0]!.respond();
    return { here, job };
  }

  it('stays in memory with a message, and sending waits', async () => {
    const { here, job } = await holding(4);
    assert.match(job.progress.unsaved ?? '', /^1 response was received but is not saved yet\. .* full/);
    const sent = here.runs.length;
    await here.runs[1]!.respond();
    await until(() => /^2 responses/.test(job.progress.unsaved ?? ''));
    assert.equal(here.runs.length, sent);
    assert.equal(job.state, 'running');
  });

  it('goes on record when the store works again, and the job continues', async () => {
    const { here, job } = await holding();
    here.accept('answered');
    await until(() => here.written.includes('answered 4,done'));
    await until(() => here.runs.length === 3);
    assert.equal(job.progress.unsaved, undefined);
    for (const run of here.runs.slice(1)) await run.respond();
    await job.done;
    assert.equal(job.progress.done, 3);
  });

  it('keeps a paused or cancelled job from ending', async () => {
    for (const act of ['pause', 'cancel'] as const) {
      const { here, job } = await holding(2);
      await here.runs[1]!.respond();
      job[act]();
      await turns();
      assert.equal(job.state, 'stopping', act);
      here.accept('answered');
      await until(() => job.state !== 'stopping');
      assert.equal(job.state, act === 'pause' ? 'paused' : 'ended');
      assert.deepEqual(
        here.written.filter((line) => line.startsWith('answered')),
        ['answered 4,done', 'answered 5,done'],
      );
    }
  });

  it('goes on record once, after any failures', async () => {
    const kinds = fc.constantFrom('diskFull', 'locked', 'io', 'folder', 'replaced');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(kinds, { maxLength: 2 }), { maxLength: 4 }), async (failures) => {
        const unsaved = new Unsaved(() => undefined);
        const saved: number[] = [];
        const all = failures.map((kindsOfOne, response) => {
          const left = [...kindsOfOne];
          return unsaved.save(async () => {
            const kind = left.shift();
            if (kind) throw new StoreProblem(kind, 'fails');
            saved.push(response);
          });
        });
        await Promise.all(all);
        assert.deepEqual(saved.toSorted(), [...failures.keys()]);
        assert.ok(unsaved.isEmpty);
      }),
      { numRuns: 8 },
    );
  });
});

describe('A response during which another program holds the database', () => {
  const use = useStoreFolder();

  it('goes on record as soon as that releases it', async () => {
    const store = await use.open({ changePatienceMs: 30 });
    const jobs = jobsOf(store);
    const [responded, respond] = awaited();
    const [outcome, respondAgain] = awaited();
    let [isSent, isAccepted] = [false, false];
    const job = await planJob(jobs, head, planned(1), () => ({
      async run(_batch, _turn, _abandon, _sentAt, _mayLeave, onAccepted) {
        isSent = true;
        await responded;
        await onAccepted({ runId: 'r', followUrl: 'https://a.example/r' });
        isAccepted = true;
        await outcome;
        return { outcome: 'done' };
      },
      batchSize: () => 1,
      concurrency: () => 1,
    }));
    job.start();
    await until(() => isSent);
    const other = new (sqlite().DatabaseSync)(join(use.folder, 'store/model-bench.db'));
    other.exec('BEGIN IMMEDIATE');
    respond();
    await until(() => job.progress.unsaved !== undefined);
    assert.equal(isAccepted, false, 'not asked for before its address is on the disk');
    other.exec('ROLLBACK');
    await until(() => isAccepted);
    other.exec('BEGIN IMMEDIATE');
    respondAgain();
    await until(() => job.progress.unsaved !== undefined);
    assert.match(job.progress.unsaved ?? '', /Another program holds the database/);
    assert.equal(jobs.counts(job.head.id).inFlight, 1);
    other.exec('ROLLBACK');
    other.close();
    await job.done;
    assert.equal(job.progress.done, 1);
    assert.equal(store.datasets.summaries(head.baseUrl)[0]?.counts.indexed, 1);
  });
});
