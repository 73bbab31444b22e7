import assert from 'node:assert/strict';
import path from 'node:path';
import { Claims } from '../../../src/experiments/plan/claims';
import { experimentKind } from '../../../src/experiments/plan/experimentKind';
import { experimentOutcomes } from '../../../src/experiments/plan/outcomes';
import { sortRuns } from '../../../src/experiments/plan/wantedRuns';
import { appendLines } from '../../../src/experiments/results/resultsFile';
import type { Store } from '../../../src/store/store';
import { loadedOf, planHere, resultsIn, runWithId } from '../../support/experiments/plannedRuns';
import { answered } from '../../support/runsInMemory';
import { useStoreFolder } from '../../support/store/openStore';

const run = { customId: 'run', requestSha256: 'sha', repeat: 0, variation: {}, item: '', itemSha256: 'i' };
const loaded = loadedOf([runWithId('run')]);
const environment = { name: 'test', baseUrl: 'https://models.test' };
const HOUR_MS = 3_600_000;

describe('A run that another window has in flight when the results are read', () => {
  const use = useStoreFolder();
  let results: string;
  let here: Store;
  let there: Store;
  const now = Date.now;
  beforeEach(async () => {
    results = resultsIn(use.folder);
    here = await use.open();
    there = await use.open();
  });
  afterEach(() => {
    Date.now = now;
  });

  /**
   * The other window claims the run, and sends it to the service of `environment`.
   * @returns how it is killed, after its response was recorded or before
   */
  async function sendThere() {
    const jobs = there.jobs(experimentKind, experimentOutcomes(there.experimentResults));
    const known = await sortRuns(there, loaded, results);
    const file = path.join(use.folder, 'try.experiment.json');
    const head = { ...{ environment: 'test', baseUrl: environment.baseUrl, name: 'try' }, file, results };
    const job = await jobs.plan({ ...head, since: known.since }, [run]);
    assert.ok(await jobs.takeOver(job, ''));
    const at = now();
    const request = await jobs.sent(job, [0], at);
    assert.ok(await new Claims(known.known, job.id).take('run', at));
    return async (isAnswered = true) => {
      if (isAnswered) await jobs.answered(job, request, { outcome: 'done', runId: 'r-1' }, {});
      await jobs.release(job);
    };
  }

  async function runHere(
    { missing, underWay, ...sorted }: Awaited<ReturnType<typeof sortRuns>>,
    baseUrl = environment.baseUrl,
  ): Promise<number> {
    let sent = 0;
    const run = async () => {
      sent++;
      return answered;
    };
    const runs = [...missing, ...underWay];
    const { job, done } = await planHere(here, use.folder, { ...sorted, loaded, runs, run, baseUrl });
    job.start();
    await done;
    return sent;
  }

  const clocks: [string, (readAt: number) => number][] = [
    ['in the same millisecond', (readAt) => readAt],
    ['before that, by a clock that was set back', (readAt) => readAt - HOUR_MS],
    ['after that', (readAt) => readAt + 1],
  ];
  for (const [when, at] of clocks)
    it(`leaves once when its response is recorded ${when}, and its window is killed`, async () => {
      const answer = await sendThere();
      const sorted = await sortRuns(here, loaded, results);
      const readAt = now();
      const { missing, underWay } = sorted;
      assert.deepEqual([missing.length, underWay.length], [0, 1], 'it is not counted as one to pay for');
      Date.now = () => at(readAt);
      await answer();
      Date.now = now;
      assert.equal(await runHere(sorted), 0);
      const last = await sortRuns(here, loaded, results);
      assert.equal(last.finished, 1);
    });

  it('counts as unconfirmed when it is sent again by a clock that was set back, and its window is killed', async () => {
    const failed = {
      custom_id: 'run',
      state: 'failed',
      started_at: new Date(now() + 24 * HOUR_MS).toISOString(),
    };
    await appendLines(results, [JSON.stringify(failed)]);
    const { failed: runs, ...sorted } = await sortRuns(here, loaded, results);
    await new Promise<void>((resolve) => {
      const run = () => {
        resolve();
        return new Promise<never>(() => {});
      };
      void planHere(here, use.folder, { ...sorted, loaded, runs, run }).then(({ job }) => job.start());
    });
    // As on another machine: there the store knows nothing of this window.
    const other = await use.open({}, path.join(use.folder, 'other'));
    const { unconfirmed, failed: others } = await sortRuns(other, loaded, results);
    assert.deepEqual([unconfirmed.length, others.length], [1, 0]);
  });

  it('counts as unconfirmed for an experiment with another file, which does not wait for it', async () => {
    await sendThere();
    const other = path.join(use.folder, 'other.results.jsonl');
    const { missing, underWay, unconfirmed } = await sortRuns(here, loaded, other);
    assert.deepEqual([missing.length, underWay.length, unconfirmed.length], [0, 0, 1]);
  });

  it('counts as unconfirmed once another sender claimed it too: that one may have been first', async () => {
    const answer = await sendThere();
    await appendLines(results, [JSON.stringify({ custom_id: 'run', state: 'sent', sender: 'elsewhere' })]);
    const { missing, unconfirmed } = await sortRuns(here, loaded, results);
    assert.deepEqual([missing.length, unconfirmed.length], [0, 1]);
    await answer();
  });

  for (const service of ['https://models.test', 'https://127.0.0.1', 'https://other.test/v1'])
    for (const isAnswered of [true, false])
      it(`does not leave again to ${service} when its window is killed ${isAnswered ? 'after' : 'before'} its response`, async () => {
        const end = await sendThere();
        const sorted = await sortRuns(here, loaded, results);
        const running = runHere(sorted, service);
        await end(isAnswered);
        assert.equal(await running, 0);
        const { finished, unconfirmed, missing } = await sortRuns(here, loaded, results);
        assert.deepEqual([finished, unconfirmed.length, missing.length], isAnswered ? [1, 0, 0] : [0, 1, 0]);
      });
});
