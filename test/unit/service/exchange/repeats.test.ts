import assert from 'node:assert/strict';
import type { ErrorKind } from '../../../../src/domain/failure';
import type { Call, CallKind } from '../../../../src/service/call';
import { callOf, FakeService } from '../../../support/fakeService';
import { failureOf } from '../../../support/serviceClient';

const KINDS: readonly CallKind[] = ['read', 'upload', 'run'];
const HOUR_MS = 3_600_000;

describe('A retry', () => {
  let service: FakeService;
  beforeEach(() => {
    service = new FakeService();
  });

  /** Sends a call, and ends each of its requests in the same way; how many there were. */
  async function requestsOf(
    call: Call,
    end: (service: FakeService) => Promise<void>,
    exchange = service.exchange(),
  ): Promise<number> {
    const before = service.requests.length;
    const outcome = exchange.send(call).catch(() => undefined);
    for (;;) {
      const seen = service.requests.length;
      await service.pass(10_000);
      if (service.requests.length === seen) break;
      await end(service);
    }
    await outcome;
    return service.requests.length - before;
  }

  it('follows a passing failure of the service for a read or an upload, never for a run', async () => {
    for (const status of [408, 500, 502, 503, 504])
      for (const kind of KINDS)
        assert.equal(
          await requestsOf(callOf(kind), ({ last }) => last.respond(status)),
          kind === 'run' ? 1 : 3,
          `${kind} ${status}`,
        );
  });

  it('never follows a certain rejection', async () => {
    for (const status of [400, 401, 402, 403, 404, 409, 410, 422, 501, 505])
      for (const kind of KINDS)
        assert.equal(
          await requestsOf(callOf(kind), ({ last }) => last.respond(status)),
          1,
          `${kind} ${status}`,
        );
  });

  it('follows a lost connection, but for a run only if no byte of it had left', async () => {
    for (const reason of ['network', 'silent'] as const)
      for (const left of [true, false])
        for (const kind of KINDS)
          assert.equal(
            await requestsOf(callOf(kind), ({ last }) => last.fail(reason, left)),
            kind === 'run' && left ? 1 : 3,
            `${kind} ${reason} ${left}`,
          );
    for (const reason of ['cancelled', 'tooLarge', 'body'] as const)
      for (const kind of KINDS)
        for (const left of [true, false])
          assert.equal(
            await requestsOf(callOf(kind), ({ last }) => last.fail(reason, left)),
            1,
            `${kind} ${reason} ${left}`,
          );
  });

  it('stays within the limit of the call', async () => {
    for (const mostAttempts of [1, 2])
      assert.equal(
        await requestsOf(callOf('upload', { mostAttempts }), ({ last }) => last.respond(500)),
        mostAttempts,
      );
  });

  it('waits before each attempt, three times as long before the second', async () => {
    for (const [random, waits] of [
      [0, [150, 450]],
      [1, [450, 1_350]],
    ] as const) {
      service = new FakeService();
      const outcome = failureOf(service.exchange({ random: () => random }).send(callOf('read')));
      for (const wait of waits) {
        await service.pass();
        const before = service.requests.length;
        await service.last.respond(500);
        await service.pass(wait - 1);
        assert.equal(service.requests.length, before);
        await service.pass(1);
        assert.equal(service.requests.length, before + 1);
      }
      await service.last.respond(500);
      assert.equal((await outcome).kind, 'serviceFailing');
      assert.equal(service.clock.timers, 0);
      const retries = service.logged.filter(({ line }) => line.includes('retry'));
      assert.deepEqual(
        retries.map(({ line }) => line),
        [2, 3].map(
          (attempt) =>
            `a read: retry in ${waits[attempt - 2]} ms (attempt ${attempt}), because: serviceFailing`,
        ),
      );
    }
  });

  it('stays rare in an outage: only responses allow more retries', async () => {
    const exchange = service.exchange();
    const ask = (status: number) => requestsOf(callOf('read'), ({ last }) => last.respond(status), exchange);
    assert.deepEqual([await ask(500), await ask(500), await ask(500), await ask(500)], [3, 3, 1, 1]);
    for (let n = 0; n < 9; n++) await ask(200);
    assert.equal(await ask(500), 1, 'nine responses are too few for a retry');
    // A response with an error of the service earns nothing; one that rejects is healthy.
    await ask(404);
    await ask(404);
    assert.equal(await ask(500), 2);
  });

  it('follows a rate limit, even for a run, up to the eleventh time', async () => {
    for (const kind of KINDS) {
      service = new FakeService();
      const outcome = failureOf(service.exchange().send(callOf(kind, { patient: true })), 'rateLimited');
      for (let n = 1; n <= 11; n++) {
        await service.pass(2_000);
        assert.equal(service.requests.length, n, kind);
        await service.last.respond(429, { 'retry-after': '1' });
      }
      const { retryAtMs, status } = (await outcome).details;
      assert.equal(status, 429);
      assert.equal(retryAtMs, service.clock.wallTime() + 1_000);
      await service.pass(HOUR_MS);
      assert.equal(service.requests.length, 11, kind);
    }
  });
});

describe('A run that failed at a gateway', () => {
  it('stays unconfirmed, with the message of the response; a rejection is certain', async () => {
    const rejections = {
      404: 'notFound',
      423: 'invalidRequest',
      425: 'invalidRequest',
      498: 'invalidRequest',
    };
    for (const status of [500, 503, 599, 408, 424, 499, 404, 423, 425, 498]) {
      const kind = (rejections as Record<number, ErrorKind>)[status] ?? 'outcomeUnknown';
      const service = new FakeService();
      const outcome = failureOf(service.exchange().send(callOf('run')), kind);
      await service.pass();
      await service.last.respond(status, { 'x-request-id': 'r-1' }, { error: 'because' });
      const { details } = await outcome;
      assert.deepEqual(
        [details.status, details.requestId, details.serviceMessage],
        [status, 'r-1', 'because'],
      );
    }
  });
});
