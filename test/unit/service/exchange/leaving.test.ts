import assert from 'node:assert/strict';
import { ServiceError } from '../../../../src/service/errors';
import { callOf, FakeService, SERVICE } from '../../../support/fakeService';
import { failureOf, TEST_KEY } from '../../../support/serviceClient';

const MINUTE_MS = 60_000;
const MIB = 2 ** 20;

describe('A request that leaves', () => {
  let service: FakeService;
  beforeEach(() => {
    service = new FakeService();
  });

  it('goes to its route below the base URL, with the key, and with the limits of time and size for its kind', async () => {
    const exchange = service.exchange();
    assert.equal(exchange.url('/api/runs').href, `${SERVICE}/base/api/runs`);
    async function* pieces() {
      yield new Uint8Array();
    }
    const limits = {
      read: { silenceMs: MINUTE_MS, maxBytes: 8 * MIB, freshConnection: false },
      upload: { silenceMs: 5 * MINUTE_MS, maxBytes: 8 * MIB, freshConnection: false },
      run: { silenceMs: 0, maxBytes: 512 * MIB, freshConnection: true },
    } as const;
    for (const kind of ['read', 'upload', 'run'] as const) {
      const extra = kind === 'upload' ? { body: pieces } : {};
      const done = exchange.send(callOf(kind, { headers: { 'x-one': '1' }, ...extra }));
      await service.pass();
      const { silenceMs, maxBytes, freshConnection, headers, secret, method } = service.last.sent;
      assert.deepEqual({ silenceMs, maxBytes, freshConnection }, limits[kind]);
      assert.deepEqual(headers, {
        ...{ accept: 'application/json', 'accept-encoding': 'identity' },
        ...{ 'x-one': '1', 'x-api-key': TEST_KEY },
      });
      assert.deepEqual([secret, method], [TEST_KEY, kind === 'read' ? 'GET' : 'POST']);
      await service.last.respond();
      await done;
    }
  });

  it('names its environment when it fails, for each kind of failure', async () => {
    const environment = { name: 'drf', baseUrl: 'https://drf.test' };
    const noKey = service.exchange({ environment, apiKey: async () => undefined });
    assert.deepEqual((await failureOf(noKey.send(callOf('run')), 'notConnected')).environment, environment);
    const exchange = service.exchange({ environment });
    for (const [status, kind] of [
      [401, 'badKey'],
      [403, 'noPermission'],
      [402, 'cannotPay'],
      [500, 'outcomeUnknown'],
    ] as const) {
      const failure = failureOf(exchange.send(callOf('run')), kind);
      await service.pass();
      await service.last.respond(status);
      assert.deepEqual((await failure).environment, environment);
    }
  });

  it('carries the key to its own origin and nowhere else', async () => {
    const exchange = service.exchange();
    for (const [address, key] of [
      [`${SERVICE}/x`, TEST_KEY],
      ['http://models.test/x', undefined],
      ['https://models.test:444/x', undefined],
      ['https://store.test/x', undefined],
      ['https://sub.models.test/x', undefined],
    ] as const) {
      const done = exchange.send(callOf('upload', { url: new URL(address) }));
      await service.pass();
      assert.equal(service.last.sent.headers['x-api-key'], key, address);
      assert.equal(service.last.sent.secret, key, address);
      await service.last.respond();
      await done;
    }
  });

  it('needs a key that a header can carry', async () => {
    for (const [apiKey, kind, why] of [
      [undefined, 'notConnected', undefined],
      ['', 'notConnected', undefined],
      ['two words', 'badKey', { reason: 'keyFault', fault: 'characters' }],
      ['"key-1"', 'badKey', { reason: 'keyFault', fault: 'quotes' }],
      ['Bearer key-1', 'badKey', { reason: 'keyFault', fault: 'scheme' }],
      ['schlüssel', 'badKey', { reason: 'keyFault', fault: 'characters' }],
      ['line\nbreak', 'badKey', { reason: 'keyFault', fault: 'characters' }],
      [' edge', 'badKey', { reason: 'keyFault', fault: 'characters' }],
      ['edge ', 'badKey', { reason: 'keyFault', fault: 'characters' }],
    ] as const) {
      const error = await failureOf(
        service.exchange({ apiKey: async () => apiKey }).send(callOf('run')),
        kind,
      );
      assert.deepEqual(error.details.why, why);
    }
    for (const apiKey of ['!', '~', 'mb-1']) {
      const done = service.exchange({ apiKey: async () => apiKey }).send(callOf('run'));
      await service.pass();
      assert.equal(service.last.sent.headers['x-api-key'], apiKey);
      await service.last.respond();
      await done;
    }
    assert.equal(service.requests.length, 3);
  });

  it('does not leave when its key cannot be read, and says why', async () => {
    const cause = new Error('the keychain\nis locked');
    const throwing = (error: unknown) => ({ apiKey: () => Promise.reject(error) });
    const error = await failureOf(service.exchange(throwing(cause)).send(callOf('run')), 'notConnected');
    assert.deepEqual(error.details.why, { reason: 'keyUnreadable', cause: 'the keychain is locked' });
    assert.equal(error.cause, cause);
    const own = new ServiceError('noPermission');
    assert.equal(await failureOf(service.exchange(throwing(own)).send(callOf('run'))), own);
    assert.equal(service.requests.length, 0);
  });

  it('does not leave when its body cannot be made, and passes that error on', async () => {
    const own = new ServiceError('invalidRequest');
    const body = () => {
      throw own;
    };
    assert.equal(await failureOf(service.exchange().send(callOf('run', { body }))), own);
    assert.equal(service.requests.length, 0);
  });

  it('lets the next one leave when it cannot, even if only one may be in flight', async () => {
    let apiKey: string | undefined = TEST_KEY;
    const exchange = service.exchange({ apiKey: async () => apiKey });
    const limited = exchange.send(callOf('run'));
    await service.pass();
    await service.last.respond(429, { 'retry-after': '1' });
    await service.pass(1_100);
    await service.last.respond(429, { 'retry-after': '1' });
    apiKey = undefined;
    const body = () => {
      throw new ServiceError('invalidRequest');
    };
    const stayed = [
      failureOf(limited, 'notConnected'),
      failureOf(exchange.send(callOf('run')), 'notConnected'),
    ];
    await service.pass(1_100);
    await Promise.all(stayed);
    apiKey = TEST_KEY;
    await failureOf(exchange.send(callOf('run', { body })), 'invalidRequest');
    const next = exchange.send(callOf('run'));
    await service.pass();
    assert.equal(service.requests.length, 3);
    await service.last.respond();
    await next;
  });

  it('reports when it waits, leaves, has left and gets its response', async () => {
    const seen: string[] = [];
    const exchange = service.exchange();
    const call = callOf('run', {
      onWaiting: () => seen.push('waiting'),
      onSending: () => seen.push('sending'),
      onSent: () => seen.push('sent'),
      onAnswering: () => seen.push('answering'),
    });
    const done = exchange.send(call);
    await service.pass();
    assert.deepEqual(seen, ['sending', 'sent']);
    await service.last.respond(429, { 'retry-after': '1' });
    await service.pass();
    assert.deepEqual(seen.splice(0), ['sending', 'sent', 'answering', 'waiting']);
    await service.pass(1_100);
    await service.last.respond();
    await done;
    assert.deepEqual(seen, ['sending', 'sent', 'answering']);
  });
});

describe('A response that takes its time', () => {
  it('ends a short request after five minutes as timed out, without a retry', async () => {
    for (const kind of ['read', 'upload'] as const) {
      const service = new FakeService();
      const outcome = failureOf(service.exchange().send(callOf(kind)), 'timedOut');
      await service.pass(5 * MINUTE_MS - 1);
      assert.equal(service.last.sent.signal?.aborted, false);
      await service.pass(1);
      assert.ok((await outcome).cause);
      await service.pass(MINUTE_MS);
      assert.deepEqual([service.requests.length, service.clock.timers], [1, 0]);
    }
  });

  it('waits for a run, and for an upload that is still in progress', async () => {
    async function* pieces() {
      yield new Uint8Array();
    }
    for (const call of [callOf('run'), callOf('upload', { body: pieces })]) {
      const service = new FakeService();
      const done = service.exchange().send(call);
      await service.pass(60 * MINUTE_MS);
      await service.last.respond();
      assert.equal((await done).status, 200);
    }
  });

  it('ends with the first of its user, its time limit and the limit of all', async () => {
    const [user, limit] = [new AbortController(), new AbortController()];
    const call = callOf('run', { signal: user.signal, deadline: limit.signal });
    for (const [end, reason] of [
      [limit, 'timeLimit'],
      [user, 'stoppedWaiting'],
    ] as const) {
      const service = new FakeService();
      const ends = end === limit ? call : { ...call, deadline: new AbortController().signal };
      const outcome = failureOf(service.exchange().send(ends), 'outcomeUnknown');
      await service.pass();
      end.abort();
      assert.deepEqual((await outcome).details.why, { reason });
    }
  });
});
