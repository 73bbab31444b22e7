import assert from 'node:assert/strict';
import { useResponseMappings } from '../../../../src/domain/responseMapping';
import { errorOutcome } from '../../../../src/runs/outcome';
import { messageOf } from '../../../../src/wording/errors';
import { callOf, FakeService } from '../../../support/fakeService';
import { failureOf } from '../../../support/serviceClient';

/** Bodies that say that the run was executed, goes on, or was charged. */
const EXECUTED: readonly object[] = [
  { status: 'finished', run_id: 'r-1' },
  { run: { id: 'r-1', state: 'succeeded' } },
  { data: { status: 'running', run_id: 'r-1' }, error: 'slow down' },
  { success: true },
  { output: { label: 'cat' } },
  { error: { message: 'slow down' }, outputs: [{ label: 'cat' }] },
];
/** Bodies that name a run, and do not say that it failed. */
const BEGUN: readonly object[] = [
  { error: 'rate limit exceeded', run_id: 'r-1' },
  { message: 'Too many requests', data: { jobId: 'e-1' } },
  { success: false, error: { message: 'slow down' }, job_id: 7 },
  { error: 'rate limited', run: { id: 'r-1' } },
];
const CHARGED: readonly object[] = [
  { error: 'rate limited', cost: '0.02' },
  { status: 'failed', run_id: 'r-1', billing: { amount: '0.03', currency: 'USD' } },
];
/** Bodies of rate limits as services send them. */
const LIMITS: readonly object[] = [
  {},
  { message: 'Too many requests' },
  { detail: 'Request was throttled. Expected available in 3 seconds.', requestId: 'q-1' },
  { error: { code: 429, message: 'Resource has been exhausted', status: 'RESOURCE_EXHAUSTED' } },
  { error: { type: 'requests', code: 'rate_limit_exceeded', param: null } },
  { success: false, errors: [{ code: 10000 }], result: null },
  { status: 'throttled', id: 'q-1' },
  { status: 'error', error: 'rate limited', run_id: 'r-1' },
  { limit: 10, remaining: 0, reset: 3, cost: 0 },
  { type: 'about:blank', title: 'Too Many Requests', status: 429 },
];

describe('A 429 for a run', () => {
  for (const body of [...EXECUTED, ...BEGUN, ...CHARGED])
    it(`leaves the outcome to the user when its body is ${JSON.stringify(body)}`, async () => {
      const service = new FakeService();
      const failure = failureOf(service.exchange().send(callOf('run')), 'outcomeUnknown');
      await service.pass();
      await service.last.respond(429, { 'retry-after': '1' }, body);
      const error = await failure;
      assert.deepEqual([error.details.status, error.details.raw?.json], [429, body]);
      assert.match(messageOf(error), /status 429\), but its response has signs that the run was executed/);
      await service.pass(60_000);
      assert.equal(service.requests.length, 1);
    });

  for (const body of LIMITS)
    it(`waits and is sent again when its body is ${JSON.stringify(body)}`, async () => {
      const service = new FakeService();
      const done = service.exchange().send(callOf('run'));
      await service.pass();
      await service.last.respond(429, { 'retry-after': '1' }, body);
      await service.pass(1_100);
      assert.equal(service.requests.length, 2);
      await service.last.respond();
      await done;
    });
});

describe('A 429 for a run that was begun', () => {
  it('holds the runs after it back as any other', async () => {
    const service = new FakeService();
    const exchange = service.exchange();
    const failure = failureOf(exchange.send(callOf('run')), 'outcomeUnknown');
    await service.pass();
    await service.last.respond(429, { 'retry-after': '5' }, BEGUN[0]);
    await failure;
    const next = exchange.send(callOf('run'));
    await service.pass(4_000);
    assert.equal(service.requests.length, 1);
    await service.pass(1_100);
    assert.equal(service.requests.length, 2);
    await service.last.respond();
    await next;
  });
});

describe('An error other than a 429 for a run', () => {
  it('leaves the outcome to the user when its body says that the run was executed', async () => {
    for (const status of [400, 404, 409, 422, 500, 503])
      for (const body of EXECUTED) {
        const service = new FakeService();
        const failure = failureOf(service.exchange().send(callOf('run')), 'outcomeUnknown');
        await service.pass();
        await service.last.respond(status, {}, body);
        assert.equal((await failure).details.status, status);
      }
  });

  it('stays a rejection when it was charged as a failure', async () => {
    const service = new FakeService();
    const failure = failureOf(service.exchange().send(callOf('run')), 'invalidRequest');
    await service.pass();
    await service.last.respond(422, {}, CHARGED[1]);
    await failure;
  });
});

describe('A status that a response mapping calls not executed', () => {
  afterEach(() => useResponseMappings(() => undefined));

  it('rejects a run without a charge, and says so', async () => {
    for (const [notExecuted, kind, billed] of [
      [undefined, 'outcomeUnknown', true],
      [[503], 'serviceFailing', false],
    ] as const) {
      useResponseMappings(() => ({ run: notExecuted && { notExecuted: [...notExecuted] } }));
      const service = new FakeService();
      const failure = failureOf(service.exchange().send(callOf('run')), kind);
      await service.pass();
      await service.last.respond(503, {}, { error: 'Model is loading', estimated_time: 20 });
      const error = await failure;
      assert.equal(errorOutcome(error).billed, billed);
      assert.equal(
        /not executed .*by your response mapping.*Model is loading/.test(messageOf(error)),
        !billed,
      );
    }
  });
});
