import assert from 'node:assert/strict';
import type { RunResponse } from '../../../src/domain/response';
import type { Admission } from '../../../src/runs/budget/budget';
import type { Guard } from '../../../src/runs/budget/guard';
import { performJobRun } from '../../../src/runs/jobRun';
import type { JobRunOrder } from '../../../src/runs/runs';
import type { SendOptions, ServiceClient } from '../../../src/service/client';
import { ServiceError } from '../../../src/service/errors';
import { rawOf } from '../../support/rawOf';

const COST = { amount: '0.01', currency: 'USD' };
const ANSWERED: RunResponse = {
  ...{ state: 'finished', runId: 'r', cost: COST, output: 1, recognised: true, raw: rawOf({}) },
};

/** A run of a job that has been handed to the client, and its records. */
function running(more: Partial<JobRunOrder> = {}) {
  const events: unknown[] = [];
  let options: SendOptions = {};
  let end: { respond(response: RunResponse): void; fail(error: unknown): void } | undefined;
  const client = {
    run: (request: unknown, given: SendOptions) => {
      events.push(['run', request]);
      options = given;
      return new Promise<RunResponse>((respond, fail) => {
        end = { respond, fail };
      });
    },
  } as unknown as ServiceClient;
  const admission: Admission = {
    reserve: async () => undefined,
    confirm: () => events.push('confirm'),
    settle: (cost) => events.push(['settle', cost]),
    release: () => events.push('release'),
    cannotPay: () => events.push('cannotPay'),
  };
  const admit = (run: object) => {
    events.push(['admit', run]);
    return admission;
  };
  const guard = { admit } as unknown as Guard;
  const jobRuns = { put: async (runs: readonly object[]) => void events.push(['put', ...runs]) } as never;
  const done = performJobRun(
    { client: async () => client, guard, jobRuns },
    {
      environment: { name: 'Test', baseUrl: 'https://a.test' },
      request: { model: 'm', mode: 'index', input: {}, params: {} },
      items: 3,
      ...more,
    },
  );
  done.catch(() => undefined);
  const begun = new Promise<void>((resolve) => setImmediate(resolve));
  return {
    ...{ done, begun, events },
    get options() {
      return options;
    },
    get end() {
      assert.ok(end, 'it has not begun');
      return end;
    },
  };
}

describe('A run of a job', () => {
  it('counts with the cost and the identifier in the body of an error', async () => {
    const run = running();
    await run.begun;
    const error = new ServiceError('outcomeUnknown', { status: 500 });
    error.charge = { runId: 'r', cost: COST };
    run.end.fail(error);
    await assert.rejects(run.done, error);
    const [settled, put] = run.events.slice(2) as [unknown, [string, Record<string, unknown>]];
    assert.deepEqual(settled, ['settle', COST]);
    assert.deepEqual([put[1].state, put[1].runId, put[1].cost], ['failed', 'r', COST]);
  });

  it('passes the budget, leaves, and counts with its cost and time', async () => {
    const price = { amount: '1', unit: 'image' } as never;
    const later = () => new Promise((resolve) => setImmediate(resolve));
    const run = running({
      price,
      timeoutMs: 9,
      announce: () => later().then(() => void run.events.push('announced')),
    });
    await run.begun;
    await later();
    assert.deepEqual([run.options.bulk, run.options.timeoutMs], [true, 9]);
    run.options.onLeaving?.();
    run.end.respond(ANSWERED);
    assert.equal(await run.done, ANSWERED);
    const [admit, announced, sent, ...after] = run.events as [
      [string, Record<string, unknown>],
      ...unknown[],
    ];
    assert.equal(announced, 'announced', 'before it leaves');
    const { id, ...of } = admit[1];
    assert.deepEqual(of, {
      ofJob: true,
      baseUrl: 'https://a.test',
      model: 'm',
      mode: 'index',
      price,
      items: 3,
    });
    assert.deepEqual(sent, ['run', { model: 'm', mode: 'index', input: {}, params: {} }]);
    assert.deepEqual(after.slice(0, 2), ['confirm', ['settle', COST]]);
    const [, kept] = after[2] as [string, Record<string, unknown>];
    const { startedAt, sentAt, finishedAt, ...facts } = kept as Record<string, number>;
    assert.deepEqual(facts, {
      ...{ id, baseUrl: 'https://a.test', draft: { model: 'm', mode: 'index' }, items: 3 },
      ...{ state: 'finished', runId: 'r', cost: COST },
    });
    assert.ok(startedAt && sentAt! >= startedAt && finishedAt! >= sentAt!);
  });

  it('stops only while it waits for its turn, but gives up its response at any time', async () => {
    for (const [phases, ends, gives] of [
      [[], 'turn', true],
      [['waiting'], 'turn', true],
      [['sending'], 'turn', false],
      [['sending', 'running', 'reading'], 'turn', false],
      // A 429 proves that it was not executed.
      [['sending', 'waiting'], 'turn', true],
      [['sending', 'running'], 'abandon', true],
      [[], 'abandon', true],
    ] as const) {
      const [turn, abandon] = [new AbortController(), new AbortController()];
      const noted: string[] = [];
      const run = running({
        turn: turn.signal,
        abandon: abandon.signal,
        onPhase: (phase) => noted.push(phase),
      });
      await run.begun;
      for (const phase of phases) run.options.onPhase?.(phase);
      assert.deepEqual(noted, [...phases]);
      assert.equal(run.options.signal?.aborted, false);
      (ends === 'turn' ? turn : abandon).abort();
      assert.equal(run.options.signal?.aborted, gives, `${phases} ${ends}`);
      run.options.onPhase?.('waiting');
      assert.equal(run.options.signal?.aborted, true, 'what waits again is given up');
      run.end.fail(new ServiceError('cancelled'));
      await assert.rejects(run.done);
    }
    const run = running({ turn: AbortSignal.abort() });
    await run.begun;
    assert.equal(run.options.signal?.aborted, true, 'given up before it began');
  });
});
