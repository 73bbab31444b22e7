import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ServiceError } from '../../../src/service/errors';
import { FakeService, SERVICE } from '../../support/fakeService';
import { failureOf, REQUEST, TEST_KEY, testClient } from '../../support/serviceClient';
import { sourceOf } from '../../support/uploadSource';

describe('A client', () => {
  let service: FakeService;
  let closed: number;
  let client: ReturnType<typeof testClient>;
  beforeEach(() => {
    service = new FakeService();
    closed = 0;
    service.close = () => void closed++;
    client = testClient(`${SERVICE}/base/`, { transport: service, clock: service.clock, random: () => 0 });
  });
  afterEach(() => client.close());

  /** The requests of a call, and its result for a response. */
  const asked = async <T>(call: Promise<T>, body: unknown) => {
    await nextTurn();
    const { path, sent } = service.last;
    assert.equal(sent.headers['x-api-key'], TEST_KEY);
    await service.last.respond(200, {}, body);
    return { path, method: sent.method, result: await call };
  };

  /** A run that was accepted and not awaited. */
  const acceptedRun = async () => {
    const running = client.run(REQUEST, { timeoutMs: 100 });
    await nextTurn();
    await service.last.respond(200, {}, { status: 'queued', url: '/base/api/runs/1' });
    await service.pass(100);
    const accepted = await running;
    assert.equal(accepted.state, 'accepted');
    return accepted;
  };

  it('knows the name and the address of its environment', () => {
    assert.deepEqual([client.environment, client.baseUrl], ['test', `${SERVICE}/base`]);
  });

  it('fails for an address that must not get a key', () => {
    for (const [baseUrl, problem] of [
      ['no address', 'notAnAddress'],
      ['http://models.test', 'insecure'],
      ['https://me:pw@models.test', 'credentials'],
      ['https://models.test/?a=b', 'query'],
    ] as const)
      assert.throws(
        () => testClient(baseUrl),
        (error) => {
          assert.ok(error instanceof ServiceError && error.kind === 'invalidRequest');
          assert.deepEqual(error.details.why, { reason: 'baseUrl', problem });
          return true;
        },
      );
  });

  it('sends each request to its own place, and returns its response', async () => {
    const wallet = await asked(client.wallet(), { balance: '12.50', currency: 'USD' });
    assert.deepEqual([wallet.method, wallet.path], ['GET', '/base/api/billing/wallet']);
    assert.equal(wallet.result.wallet?.balance.amount, '12.50');
    for (const [call, path] of [
      [client.usageSummary, '/usage/summary'],
      [client.usageTimeseries, '/usage/timeseries'],
      [client.activity, '/activity'],
    ] as const) {
      const plain = await asked(call(), { a: 1 });
      assert.deepEqual([plain.method, plain.path], ['GET', `/base/api/billing${path}`]);
      assert.deepEqual(plain.result.json, { a: 1 });
      const narrowed = await asked(call({ from: '2026-01-01' }), {});
      assert.equal(narrowed.path, `/base/api/billing${path}?from=2026-01-01`);
    }
    const model = await asked(client.getModel('m'), { slug: 'm' });
    assert.deepEqual([model.method, model.path], ['GET', '/base/api/marketplace/models/m']);
    assert.equal(model.result.slug, 'm');
    const page = await asked(client.listModels()[Symbol.asyncIterator]().next(), [{ slug: 'm' }]);
    assert.deepEqual([page.method, page.path], ['GET', '/base/api/marketplace/models']);
    const run = await asked(client.run(REQUEST), { output: 'x' });
    assert.deepEqual([run.method, run.path, run.result.output], ['POST', '/base/api/runs', 'x']);
    const following = client.followRun(await acceptedRun());
    await service.pass(5_000);
    const followed = await asked(following, { status: 'succeeded', output: 'y' });
    assert.deepEqual(
      [followed.method, followed.path, followed.result.output],
      ['GET', '/base/api/runs/1', 'y'],
    );
  });

  it('uploads in three steps', async () => {
    const uploading = client.upload(sourceOf('a.png', 'image/png', Buffer.from('bytes')));
    await nextTurn();
    await service.last.respond(200, {}, { upload_url: 'https://store.test/put', upload_id: 'u' });
    await service.last.take();
    await service.last.respond(200, {}, {});
    await service.last.respond(200, {}, { media_ref: 'ref' });
    assert.equal((await uploading).mediaRef, 'ref');
    assert.deepEqual(service.paths, [
      '/base/api/media/upload/init',
      '/put',
      '/base/api/media/upload/complete',
    ]);
  });

  it('ends each call with its signal', async () => {
    const aborted = { signal: AbortSignal.abort() };
    for (const call of [
      client.wallet(aborted),
      client.usageSummary({}, aborted),
      client.usageTimeseries({}, aborted),
      client.activity({}, aborted),
      client.getModel('m', aborted),
      client.listModels(aborted)[Symbol.asyncIterator]().next(),
      client.run(REQUEST, aborted),
      client.upload(sourceOf('a.png', 'image/png', Buffer.from('bytes')), aborted),
    ])
      await failureOf(call, 'cancelled');
    assert.deepEqual(service.paths, []);
    const accepted = await acceptedRun();
    assert.equal((await client.followRun(accepted, aborted)).state, 'accepted');
    assert.equal(service.paths.length, 1);
  });

  it('says when it waits for its service, and until when', async () => {
    const states: (string | undefined)[] = [];
    const end = client.onRateLimit(({ reason }) => states.push(reason));
    assert.equal(client.rateLimit.pausedUntilMs, undefined);
    assert.equal(client.bulk.limit(4), 4);
    const reading = client.wallet();
    await nextTurn();
    await service.last.respond(429, { 'retry-after': '7' });
    assert.equal(client.rateLimit.pausedUntilMs, service.clock.now() + 7000);
    assert.equal(client.bulk.limit(4), 0);
    assert.deepEqual(states, ['rateLimit']);
    await service.pass(7000);
    assert.deepEqual([states.length, client.rateLimit.pausedUntilMs], [2, undefined]);
    end();
    await service.last.respond(429, { 'retry-after': '7' });
    assert.equal(states.length, 2, 'nobody watches any more');
    await service.pass(7000);
    await service.last.respond(200, {}, { balance: 1 });
    await reading;
  });

  it('ends waiting calls and connections when it is closed', async () => {
    const reading = client.wallet();
    await nextTurn();
    await service.last.respond(429, { 'retry-after': '7' });
    client.close();
    await failureOf(reading, 'cancelled');
    assert.equal(closed, 1);
    assert.equal(service.paths.length, 1);
  });

  it('asks for its key for each request', async () => {
    let keys = 0;
    client = testClient(SERVICE, {
      ...{ transport: service, clock: service.clock },
      apiKey: async () => `key-${++keys}-of-many`,
    });
    for (const key of ['key-1-of-many', 'key-2-of-many']) {
      const reading = client.wallet();
      await nextTurn();
      assert.equal(service.last.sent.headers['x-api-key'], key);
      await service.last.respond(200, {}, {});
      await reading;
    }
  });
});
