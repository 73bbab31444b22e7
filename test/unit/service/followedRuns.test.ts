import assert from 'node:assert/strict';
import type { AcceptedRun } from '../../../src/domain/response';
import type { SendOptions } from '../../../src/service/client';
import { followRun, run } from '../../../src/service/runs';
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

  it('asks on at its own pace while the service fails, cannot be reached or limits the rate', async () => {
    const { done } = await accepted();
    const waits: number[] = [];
    const next = async () => waits.push(Math.round(await untilAsked()));
    for (const status of [502, 503, 500, 504]) {
      await next();
      await service.last.respond(status);
    }
    await next();
    await service.last.fail('network', false);
    await next();
    await service.last.respond(429, { 'retry-after': '2' });
    await next();
    assert.deepEqual(waits, [500, 750, 1_125, 1_688, 2_531, 3_797, 2_000]);
    await service.last.respond(200, {}, { status: 'succeeded', output: 5 });
    assert.equal((await done).output, 5);
  });

  it('asks again for half a minute where the service does not know it yet', async () => {
    const { done } = await accepted();
    let waited = 0;
    for (let wait = await untilAsked(); !Number.isNaN(wait); wait = await untilAsked()) {
      waited += wait;
      await service.last.respond(404);
    }
    assert.ok(waited >= 30_000 && waited < 50_000, String(waited));
    const { state, followUrl, runId, notFollowed } = await done;
    assert.deepEqual([state, followUrl, runId, notFollowed?.reason], ['accepted', LATER, 'r7', 'failed']);
  });

  it('believes a service that no longer knows a run it has reported', async () => {
    const { done } = await accepted();
    await untilAsked();
    await service.last.respond(200, {}, { status: 'running' });
    await untilAsked();
    await service.last.respond(404);
    assert.equal((await done).notFollowed?.reason, 'failed');
  });

  it('stays accepted after ten minutes without a response, or where the key is rejected', async () => {
    const silent = await accepted();
    let waited = 0;
    for (let wait = await untilAsked(); !Number.isNaN(wait); wait = await untilAsked()) {
      waited += wait;
      await service.last.respond(503);
    }
    assert.ok(waited > 600_000 && waited < 700_000, String(waited));
    assert.equal((await silent.done).state, 'accepted');
    const rejected = await accepted();
    await untilAsked();
    await service.last.respond(401);
    assert.equal((await rejected.done).state, 'accepted');
  });

  it('tells where it is asked for before the first poll, and when that changes', async () => {
    const told: unknown[] = [];
    let keep = () => {};
    const onAccepted = ({ runId, followUrl }: AcceptedRun) => {
      told.push([runId, followUrl]);
      return new Promise<void>((resolve) => {
        keep = resolve;
      });
    };
    const { done } = await accepted({ onAccepted });
    await service.pass(10_000);
    assert.deepEqual([told, service.requests.length], [[['r7', LATER]], 1]);
    keep();
    await untilAsked();
    await service.last.respond(200, {}, { status: 'running', status_url: `${SERVICE}/base/other` });
    await service.pass();
    assert.deepEqual(told.at(-1), ['r7', `${SERVICE}/base/other`]);
    keep();
    await untilAsked();
    await service.last.respond(200, {}, { status: 'succeeded', output: 1 });
    await done;
    assert.equal(told.length, 2);
  });

  it('returns its outcome at once when another process asks for it', async () => {
    const done = followRun(service.exchange(), { runId: 'r7', followUrl: LATER }, {});
    await service.pass();
    assert.deepEqual([service.last.sent.method, service.last.sent.url.href], ['GET', LATER]);
    await service.last.respond(200, {}, { status: 'succeeded', output: 5 });
    assert.deepEqual([(await done).runId, (await done).output], ['r7', 5]);
    const once = failureOf(
      followRun(service.exchange(), { runId: 'r7', followUrl: LATER }, { once: true }),
      'serviceFailing',
    );
    await service.pass();
    await service.last.respond(503);
    await once;
  });

  it('stays accepted when its user or its time limit ends the asking', async () => {
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
});
