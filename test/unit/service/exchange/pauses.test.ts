import assert from 'node:assert/strict';
import type { CallKind } from '../../../../src/service/call';
import { callOf, FakeService } from '../../../support/fakeService';
import { failureOf, TEST_KEY } from '../../../support/serviceClient';

const MINUTE_MS = 60_000;
const STORE = new URL('https://store.test/put');

describe('A pause that the service asked for', () => {
  let service: FakeService;
  beforeEach(() => {
    service = new FakeService();
  });

  /** Begins a pause with a run, which then also waits. */
  async function paused(headers: Record<string, string>, status = 429, kind: CallKind = 'run') {
    const exchange = service.exchange();
    const first = exchange.send(callOf(kind)).catch((error: unknown) => error);
    await service.pass();
    await service.last.respond(status, headers);
    return { exchange, first };
  }

  /** How many requests of a kind leave within a time. */
  async function leaving(ms: number): Promise<number> {
    const before = service.requests.length;
    await service.pass(ms);
    return service.requests.length - before;
  }

  it('holds everything back until it ends, for every origin', async () => {
    const { exchange } = await paused({ 'retry-after': '30' });
    for (const kind of ['read', 'upload', 'run'] as const) void exchange.send(callOf(kind));
    void exchange.send(callOf('upload', { url: STORE }));
    assert.equal(await leaving(29_999), 0);
    assert.equal(exchange.throttle.state.reason, 'rateLimit');
    assert.equal(await leaving(1), 2, 'one of each origin leaves alone');
  });

  it('holds back a call that was reading the key when it began, which then reads the key again', async () => {
    let give: ((key: string) => void)[] = [];
    const exchange = service.exchange({ apiKey: () => new Promise((resolve) => give.push(resolve)) });
    const answerAll = async () => {
      for (const one of give.splice(0)) one(TEST_KEY);
      await service.pass();
    };
    give = [];
    void exchange.send(callOf('run'));
    await service.pass();
    await answerAll();
    void exchange.send(callOf('run'));
    await service.pass();
    await service.requests[0]?.respond(429, { 'retry-after': '5' });
    await answerAll();
    assert.equal(service.requests.length, 1);
    await service.pass(5_100);
    await answerAll();
    assert.equal(service.requests.length, 2, 'one leaves alone after a pause');
    await service.last.respond();
    await service.pass();
    await answerAll();
    assert.equal(service.requests.length, 3);
  });

  it('lasts twice as long with each 429 in a row that names no time, up to a minute', async () => {
    for (const headers of [{}, { 'retry-after': '0' }, { 'retry-after': 'soon' }]) {
      service = new FakeService();
      const { first } = await paused(headers as Record<string, string>);
      for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60, 60, 60]) {
        assert.equal(await leaving(seconds * 1_000 - 1), 0, `${seconds}`);
        assert.equal(await leaving(1_001), 1, `${seconds}`);
        await service.last.respond(429, headers as Record<string, string>);
      }
      const error = await first;
      assert.ok(error instanceof Error && 'details' in error);
    }
  });

  it('lasts an hour at most, and the log contains the named time', async () => {
    const { exchange } = await paused({ 'retry-after': '7200' });
    const { pausedUntilMs, cappedFromMs } = exchange.throttle.state;
    assert.deepEqual([pausedUntilMs! - service.clock.wallTime(), cappedFromMs], [3_600_000, 7_200_000]);
    const [pause] = service.logged.filter(({ level }) => level === 'warn');
    assert.equal(
      pause?.line,
      'a run: 429, everything pauses for 3600 s; the service named 7200 s, which is over the limit',
    );
    service = new FakeService();
    await paused({ 'retry-after-ms': '1500' });
    assert.equal(service.logged.at(-1)?.line, 'a run: 429, everything pauses for 2 s');
  });

  it('follows the service’s date by the wall clock', async () => {
    const { clock } = service;
    clock.wallTimeOffMs = -600_000;
    const at = (ms: number) => new Date(clock.wallTime() + ms).toUTCString();
    const { exchange } = await paused({ 'retry-after': at(20_000) });
    assert.equal(exchange.throttle.state.pausedUntilMs, clock.wallTime() + 20_000);
  });

  it('follows a 503 that names a time, and no other failure', async () => {
    const { exchange } = await paused({ 'retry-after': '20' }, 503, 'upload');
    assert.equal(exchange.throttle.state.reason, 'unavailable');
    assert.equal(await leaving(19_999), 0);
    assert.equal(await leaving(1), 1);
    for (const [status, headers] of [
      [503, {}],
      [503, { 'x-ratelimit-reset': '20' }],
      [500, { 'retry-after': '20' }],
      [502, { 'retry-after': '20' }],
      [404, { 'retry-after': '20' }],
    ] as const) {
      service = new FakeService();
      const other = await paused(headers as Record<string, string>, status);
      assert.equal(other.exchange.throttle.state.pausedUntilMs, undefined, `${status}`);
    }
  });

  it('fails a read that would wait longer than a minute, unless it has patience; runs and uploads wait', async () => {
    for (const [status, kind] of [
      [429, 'rateLimited'],
      [503, 'serviceFailing'],
    ] as const) {
      service = new FakeService();
      const { exchange } = await paused({ 'retry-after': '61' }, status, 'upload');
      const error = await failureOf(exchange.send(callOf('read')), kind);
      assert.deepEqual(error.details, {
        ...(status === 503 && { status }),
        retryAtMs: service.clock.wallTime() + 61_000,
      });
      let left = 0;
      const waiting = [callOf('run'), callOf('upload'), callOf('read', { patient: true })];
      for (const call of waiting) void exchange.send({ ...call, onSending: () => left++ });
      await service.pass(61_000 + 1_000);
      for (let n = 0; n < 4; n++) {
        await service.last.respond();
        await service.pass(2_000);
      }
      assert.equal(left, 3);
    }
    service = new FakeService();
    const { exchange } = await paused({ 'retry-after': '60' });
    let left = false;
    void exchange.send(callOf('read', { onSending: () => (left = true) }));
    await service.pass(61_000);
    await service.last.respond();
    await service.pass();
    assert.ok(left);
  });

  it('ends for every waiting call: cancelled by the user, timed out by the time limit, or closed with the client', async () => {
    const { exchange, first } = await paused({ 'retry-after': '60' });
    const stop = new AbortController();
    const byUser = failureOf(exchange.send(callOf('run', { signal: stop.signal })), 'cancelled');
    const late = new AbortController();
    const byLimit = failureOf(exchange.send(callOf('run', { deadline: late.signal })), 'timedOut');
    await service.pass(10);
    stop.abort();
    late.abort();
    await byUser;
    assert.deepEqual((await byLimit).details.why, { reason: 'notSentInTime' });
    const reads = failureOf(exchange.send(callOf('read')), 'cancelled');
    const uploads = failureOf(exchange.send(callOf('upload', { url: STORE })), 'cancelled');
    await service.pass();
    exchange.close();
    await Promise.all([reads, uploads]);
    assert.equal(((await first) as { kind?: string }).kind, 'cancelled');
    assert.equal(service.clock.timers, 0);
    assert.equal(await leaving(2 * MINUTE_MS), 0);
  });
});

describe('The end of a pause', () => {
  /** A service that has reopened: one request is under way, others wait behind it. */
  async function reopened() {
    const service = new FakeService();
    const exchange = service.exchange();
    const calls = Array.from({ length: 4 }, () => exchange.send(callOf('run')).catch(() => undefined));
    await service.pass();
    for (const request of service.requests.slice()) await request.respond(429, { 'retry-after': '1' });
    await service.pass(1_000);
    assert.equal(service.requests.length, 5);
    return { service, calls };
  }

  it('lets one request leave alone, and the next at once if the first gets no response', async () => {
    const { service } = await reopened();
    await service.last.fail('network', true);
    await service.pass();
    assert.equal(service.requests.length, 6, 'it showed nothing, so again one leaves alone');
    await service.last.respond();
    await service.pass();
    assert.equal(service.requests.length, 8);
  });
});

describe('A key that is rejected, or a wallet that is empty', () => {
  /** The outcomes of waiting calls when a request is rejected. */
  async function waitingAt(status: number, kind: CallKind, url?: URL): Promise<readonly string[]> {
    const service = new FakeService();
    const exchange = service.exchange();
    void exchange.send(callOf('run')).catch(() => undefined);
    await service.pass();
    // Already under way when the pause begins: its response comes while the others wait.
    void exchange.send(callOf(kind, url && { url })).catch(() => undefined);
    await service.pass();
    await service.requests[0]?.respond(429, { 'retry-after': '30' });
    const outcomes = ['waits', 'waits', 'waits'];
    (['read', 'upload', 'run'] as const).forEach((each, index) => {
      exchange.send(callOf(each)).catch((error: { kind: string; details: { status?: number } }) => {
        outcomes[index] = `${error.kind} ${error.details.status}`;
      });
    });
    await service.pass();
    await service.requests[1]?.respond(status);
    await service.pass();
    return outcomes;
  }

  it('ends all waiting requests for the key, and uploads and runs for the wallet or a permission', async () => {
    const badKey = 'badKey 401';
    for (const kind of ['read', 'upload', 'run'] as const)
      assert.deepEqual(await waitingAt(401, kind), [badKey, badKey, badKey], kind);
    for (const kind of ['upload', 'run'] as const) {
      assert.deepEqual(await waitingAt(402, kind), ['waits', 'cannotPay 402', 'cannotPay 402']);
      assert.deepEqual(await waitingAt(403, kind), ['waits', 'noPermission 403', 'noPermission 403']);
    }
  });

  it('leaves other requests running when one read is forbidden, or another server rejects its address', async () => {
    const waits = ['waits', 'waits', 'waits'];
    for (const status of [402, 403, 404]) assert.deepEqual(await waitingAt(status, 'read'), waits);
    for (const status of [401, 402, 403]) assert.deepEqual(await waitingAt(status, 'upload', STORE), waits);
    for (const status of [400, 404, 409, 500]) assert.deepEqual(await waitingAt(status, 'run'), waits);
  });
});
