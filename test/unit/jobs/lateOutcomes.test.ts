import assert from 'node:assert/strict';
import path from 'node:path';
import type { AgentMark } from '../../../src/domain/agentGrant';
import { useResponseMappings } from '../../../src/domain/responseMapping';
import { acceptedExperimentRuns } from '../../../src/experiments/plan/acceptedRuns';
import { experimentJobs } from '../../../src/experiments/plan/experimentJobs';
import type { ExperimentRun } from '../../../src/experiments/plan/experimentKind';
import { followAccepted, readKept } from '../../../src/jobs/followAccepted';
import { requestOutcome } from '../../../src/jobs/jobWork';
import { discardJob } from '../../../src/jobs/openJob';
import { readRunResponse } from '../../../src/readers/run';
import { jobRunId } from '../../../src/runs/jobRun';
import { ServiceError } from '../../../src/service/errors';
import type { JobItem } from '../../../src/store/jobKind';
import type { Store } from '../../../src/store/store';
import { resultsIn } from '../../support/experiments/plannedRuns';
import { rawOf } from '../../support/rawOf';
import { answered } from '../../support/runsInMemory';
import { begun, give } from '../../support/store/agentGrants';
import { useStoreFolder } from '../../support/store/openStore';

const run: ExperimentRun = {
  customId: 'run',
  requestSha256: 'sha',
  repeat: 0,
  variation: {},
  item: '',
  itemSha256: 'i',
};
const sentAt = Date.UTC(2026, 10, 28);

const DONE = { outcome: 'done', runId: 'r1', cost: { amount: '0.5', currency: 'USD' } } as const;

describe('An outcome that comes to a job that was ended meanwhile', () => {
  const use = useStoreFolder();
  let here: Store;
  let clock: number;
  let file: string;

  /** This process has sent a run, and did not respond for so long that another one has ended its job. */
  async function ended(agent?: AgentMark) {
    clock = 0;
    file = resultsIn(use.folder);
    here = await use.open();
    const there = await use.open({ owner: { now: () => clock, isAlive: () => false } });
    const jobs = experimentJobs(here);
    const place = { file: path.join(use.folder, 'try.experiment.json'), results: file };
    const head = await jobs.plan(
      { environment: 'test', baseUrl: 'https://models.test', name: 'try', ...place, since: 0, agent },
      [run],
    );
    assert.ok(await jobs.takeOver(head, ''));
    const request = await jobs.sent(head, [0], sentAt);
    const items: readonly JobItem<ExperimentRun>[] = [{ ...run, index: 0, state: 'inFlight' }];
    const sent = { items, sentAt };
    const end = async () => {
      while (!(await discardJob(experimentJobs(there), head))) clock += 5_000;
      assert.equal(here.experimentResults.recorded(file, 'run')?.state, 'unconfirmed');
    };
    return { jobs, head, request, sent, end };
  }
  const recorded = () => here.experimentResults.recorded(file, 'run');

  it('counts, with its cost and identifier', async () => {
    const { jobs, head, request, sent, end } = await ended();
    await end();
    const before = recorded();
    for (const outcome of ['returned', 'unknown'] as const)
      await jobs.answered(head, request, { outcome, runId: 'r0' }, undefined, sent);
    assert.deepEqual(recorded(), before, 'which those are not');
    await jobs.answered(head, request, DONE, { members: { result: 'yes' } }, sent);
    const line = JSON.parse(recorded()!.line);
    assert.deepEqual([line.state, line.result, line.run_id, line.cost], ['finished', 'yes', 'r1', DONE.cost]);
    assert.equal(line.started_at, new Date(sentAt).toISOString());
  });

  it('leaves the outcome of a later request, and adds its own cost', async () => {
    const { jobs, head, request, sent, end } = await ended();
    await end();
    const later = { custom_id: 'run', state: 'failed', started_at: new Date(sentAt + 1).toISOString() };
    await here.database.write(() =>
      here.experimentResults.recordNow(file, [
        { customId: 'run', state: 'failed', line: JSON.stringify(later), at: 1 },
      ]),
    );
    await jobs.answered(head, request, DONE, { members: { result: 'yes' } }, sent);
    assert.equal(recorded()?.state, 'failed');
    const lines = here.experimentResults.unwritten(file, 9).map(({ line }) => JSON.parse(line).run_id);
    assert.ok(lines.includes('r1'));
  });

  it('arrives by polling when the service has accepted the run', async () => {
    const store = await use.open();
    await give(store);
    const { id: call } = await begun(store);
    await store.agentGrants.settle(call, { outcome: 'unconfirmed' });
    const { jobs, head, request, sent, end } = await ended({ agent: 'Agent', tool: 'run_experiment', call });
    const { baseUrl } = head;
    const cost = { amount: '0.5', currency: 'USD' };
    await here.spending.write(() =>
      here.spending.hold('w', baseUrl, jobRunId('run', sentAt), { amount: '0.01', currency: 'USD' }),
    );
    await jobs.accepted(head, request, sent, { runId: 'r1', followUrl: 'https://models.test/api/runs/r1' });
    const asked: unknown[] = [];
    let outcome: typeof answered | undefined;
    const client = {
      followRun: async ({ runId, followUrl }: { runId?: string; followUrl?: string }) => {
        asked.push([runId, followUrl]);
        if (!outcome) throw new ServiceError('unreachable');
        return { ...outcome, runId, cost };
      },
    };
    const ask = () =>
      followAccepted(
        acceptedExperimentRuns(here, async () => client as never),
        file,
        { once: true },
      );
    assert.equal(await ask(), 0, 'its own process asks for it');
    await end();
    assert.equal(await ask(), 1);
    assert.equal(recorded()?.state, 'unconfirmed');
    assert.equal(JSON.parse(recorded()!.line).run_id, 'r1', 'a receipt finds it');
    outcome = answered;
    assert.equal(await ask(), 0);
    assert.equal(recorded()?.state, 'finished');
    assert.deepEqual(here.spending.of('w', baseUrl), { spent: [cost], reserved: [] });
    assert.deepEqual(here.pastJobs.get(head.id)?.costs, [cost]);
    assert.equal(store.agentGrants.living()[0]!.spent, '0.5', 'of the agent, whose reserve was 0.1');
    assert.equal(await ask(), 0);
    assert.deepEqual(asked, Array(2).fill(['r1', 'https://models.test/api/runs/r1']));
  });

  it('comes from its kept response once a mapping gives its meaning, with its cost', async () => {
    const { jobs, head, request, sent, end } = await ended();
    const parts = acceptedExperimentRuns(here, async () => undefined);
    const raw = rawOf({ phase: 'FERTIG', answer: 'yes', ct: 25 });
    const unclear = readRunResponse(raw, new URL('https://models.test/api/runs'));
    const outcome = parts.read(unclear, { head, request, followUrl: '', ...sent });
    // Its bytes left a moment after it was recorded as sent.
    const payload = { ...outcome.payload, startedAt: sentAt + 5 };
    await jobs.answered(head, request, requestOutcome(outcome), payload, sent);
    await end();
    assert.equal(await readKept(parts, file), 0);
    const words = { state: '/phase', finished: ['FERTIG'], result: '/answer' };
    useResponseMappings(() => ({ run: { ...words, cost: '/ct', unit: 'cents', currency: 'EUR' } }));
    try {
      assert.equal(await readKept(parts, file), 1);
    } finally {
      useResponseMappings(() => undefined);
    }
    const { state, result, cost } = JSON.parse(recorded()!.line);
    assert.deepEqual([state, result, cost], ['finished', 'yes', { amount: '0.25', currency: 'EUR' }]);
    assert.deepEqual(jobs.keptRuns(), []);
  });
});
