import assert from 'node:assert/strict';
import type { SendOptions } from '../../../src/service/client';
import { ServiceError } from '../../../src/service/errors';
import { run } from '../../../src/service/runs';
import type { Transport } from '../../../src/service/transport';
import { FakeService, SERVICE } from '../../support/fakeService';
import { failureOf, REQUEST } from '../../support/serviceClient';

const LATER = `${SERVICE}/base/api/runs/7`;
const ACCEPTED = { run_id: 'r7', status: 'queued', status_url: LATER };
const HOUR_MS = 3_600_000;

describe('A run that was accepted', () => {
  let service: FakeService;
  beforeEach(() => {
    service = new FakeService();
  });

  async function accepted(options: SendOptions = {}, body: object = ACCEPTED, status = 202, headers = {}) {
    const done = run(service.exchange(), REQUEST, options);
    done.catch(() => undefined);
    await service.pass();
    await service.last.respond(status, headers, body);
    await service.pass();
    return { done };
  }

  /** Milliseconds until it is asked for again. */
  async function untilAsked(atMost = HOUR_MS): Promise<number> {
    const asked = service.requests.length;
    const before = service.clock.now();
    while (service.requests.length === asked && service.clock.now() - before < atMost) {
      if (!(await service.clock.advanceToNext())) break;
      await service.pass();
    }
    return service.requests.length > asked ? service.last.atMs - before : Number.NaN;
  }

  it('polls at growing intervals, with the key, until it is finished', async () => {
    const { done } = await accepted();
    const waits: number[] = [];
    for (let n = 0; n < 12; n++) {
      waits.push(Math.round(await untilAsked()));
      assert.deepEqual([service.last.sent.method, service.last.sent.url.href], ['GET', LATER]);
      await service.last.respond(200, {}, { status: 'running' });
    }
    assert.deepEqual(waits.slice(0, 4), [500, 750, 1_125, 1_688]);
    assert.deepEqual(waits.slice(-2), [15_000, 15_000]);
    await untilAsked();
    await service.last.respond(200, {}, { status: 'succeeded', output: 5 });
    const { state, output, runId, followUrl } = await done;
    assert.deepEqual([state, output, runId, followUrl], ['finished', 5, 'r7', undefined]);
    assert.equal(service.clock.timers, 0);
  });

  it('polls when the response names a time, after five minutes at most', async () => {
    const { done } = await accepted({}, ACCEPTED, 202, { 'retry-after': '20' });
    assert.equal(await untilAsked(), 20_000);
    await service.last.respond(200, { 'retry-after': '4000' }, { status: 'running' });
    assert.equal(await untilAsked(), 300_000);
    // The end of a rate limit’s window is no wait for a run.
    await service.last.respond(200, { 'x-ratelimit-reset': '100' }, { status: 'running' });
    assert.equal(Math.round(await untilAsked()), 1_125);
    await service.last.respond(200, {}, { status: 'failed', error: 'too dark' });
    const { state, message } = await done;
    assert.deepEqual([state, message], ['failed', 'too dark']);
  });

  it('keeps its identifier, its cost and its address if later responses lack them', async () => {
    const { done } = await accepted({}, { ...ACCEPTED, cost: '0.25', currency: 'USD' });
    await untilAsked();
    await service.last.respond(200, {}, { status: 'running', status_url: `${SERVICE}/base/other` });
    await untilAsked();
    assert.equal(service.last.path, '/base/other');
    await service.last.respond(200, {}, { run_id: 'r8', status: 'running', cost: '0.5', currency: 'USD' });
    await untilAsked();
    assert.equal(service.last.path, '/base/other');
    await service.last.respond(200, {}, { status: 'succeeded', output: 1 });
    const { runId, cost } = await done;
    assert.deepEqual([runId, cost], ['r8', { amount: '0.5', currency: 'USD' }]);
  });

  it('stays accepted when asking for it fails, or its user or its time limit ends that', async () => {
    const failed = await accepted();
    await untilAsked();
    await service.last.respond(404);
    assert.deepEqual(
      [(await failed.done).state, (await failed.done).followUrl, (await failed.done).runId],
      ['accepted', LATER, 'r7'],
    );
    const stop = new AbortController();
    const stopped = await accepted({ signal: stop.signal });
    stop.abort();
    assert.equal((await stopped.done).state, 'accepted');
    const limited = await accepted({ timeoutMs: 10_000 });
    const before = service.requests.length;
    for (let at = 0; at < 10_000; at += 100) {
      await service.pass(100);
      if (service.requests.length > before) break;
    }
    await service.pass(10_000);
    assert.equal((await limited.done).state, 'accepted');
    assert.equal(service.clock.timers, 0);
  });

  it('follows “See other” only to an address of the same origin', async () => {
    const { done } = await accepted({}, {}, 303, { location: '/base/later' });
    await untilAsked();
    assert.equal(service.last.path, '/base/later');
    await service.last.respond(200, {}, { status: 'succeeded', output: 1 });
    assert.equal((await done).state, 'finished');
    for (const headers of [{ location: 'https://store.test/x' }, { location: 'http://[' }, {}]) {
      const other = await accepted({}, {}, 303, headers);
      await failureOf(other.done, 'outcomeUnknown');
    }
    // The others but 302 say that the request was not carried out.
    for (const status of [301, 302, 307, 308]) {
      const other = await accepted({}, {}, status, { location: '/base/later' });
      await failureOf(other.done, status === 302 ? 'outcomeUnknown' : 'unreachable');
    }
  });
});

describe('A run on its way', () => {
  it('shows its phases, and calls back right before its bytes leave, each time', async () => {
    const service = new FakeService();
    const seen: string[] = [];
    const done = run(service.exchange(), REQUEST, {
      timeoutMs: HOUR_MS,
      onPhase: (phase) => seen.push(phase),
      onLeaving: () => seen.push('leaving'),
    });
    await service.pass();
    await service.last.respond(429, { 'retry-after': '1' });
    await service.pass(1_000);
    await service.last.respond(200, {}, { status: 'succeeded', output: 1 });
    await done;
    const once = ['leaving', 'sending', 'running', 'reading'];
    assert.deepEqual(seen, [...once, 'waiting', ...once]);
    assert.deepEqual([service.paths.at(-1), service.clock.timers], ['/base/api/runs', 0]);
    assert.match(service.logged[0]?.line ?? '', /^POST \/api\/runs: 429/);
    assert.deepEqual(JSON.parse(String(await service.last.take())), REQUEST);
    assert.equal(service.last.sent.headers['content-type'], 'application/json');
  });

  it('does not leave if the callback right before that throws', async () => {
    const service = new FakeService();
    const reached = new ServiceError('budgetReached');
    const onLeaving = () => {
      throw reached;
    };
    await assert.rejects(run(service.exchange(), REQUEST, { onLeaving }), reached);
    assert.equal(service.requests.length, 0);
  });

  it('calls back only once there is a connection', async () => {
    const service = new FakeService();
    let connect = () => {};
    const connected = new Promise<void>((resolve) => {
      connect = resolve;
    });
    const transport: Transport = {
      send: (sent) => connected.then(() => service.send(sent)),
      close: () => {},
    };
    let isTakenOver = false;
    const onLeaving = () => {
      if (isTakenOver) throw new ServiceError('cancelled');
    };
    const outcome = failureOf(run(service.exchange({ transport }), REQUEST, { onLeaving }), 'cancelled');
    await service.pass();
    isTakenOver = true;
    connect();
    await outcome;
    assert.equal(service.requests.length, 0);
  });
});
