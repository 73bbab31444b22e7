import assert from 'node:assert/strict';
import type { CallKind } from '../../../../src/service/call';
import { callOf, FakeService } from '../../../support/fakeService';

describe('The pace of a job', () => {
  it('slows down only for failures of the service under it', async () => {
    const trouble = async (
      bulk: boolean,
      end: (service: FakeService) => Promise<void>,
      kind: CallKind = 'run',
    ) => {
      const service = new FakeService();
      const exchange = service.exchange();
      const outcome = exchange.send(callOf(kind, { bulk, mostAttempts: 1 })).catch(() => undefined);
      await service.pass();
      await end(service);
      await outcome;
      return exchange.throttle.bulk.pause?.reason;
    };
    const ends: [string, (service: FakeService) => Promise<void>, CallKind?][] = [
      ['a lost response', ({ last }) => last.fail('network')],
      ['no connection', ({ last }) => last.fail('network', false)],
      ['a failing service', ({ last }) => last.respond(500), 'upload'],
      ['silence', ({ last }) => last.fail('silent'), 'upload'],
    ];
    for (const [name, end, kind] of ends) {
      assert.equal(await trouble(true, end, kind), 'trouble', name);
      assert.equal(await trouble(false, end, kind), undefined, name);
    }
    for (const status of [200, 400, 401, 402, 403, 404, 409])
      assert.equal(await trouble(true, ({ last }) => last.respond(status)), undefined, `${status}`);
    assert.equal(await trouble(true, ({ last }) => last.fail('cancelled', false)), undefined);
    assert.equal(await trouble(true, ({ last }) => last.fail('tooLarge')), undefined);
  });

  it('follows the remaining requests in headers', async () => {
    const service = new FakeService();
    const exchange = service.exchange();
    void exchange.send(callOf('run'));
    await service.pass();
    const headers = { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '10' };
    await service.last.respond(200, headers);
    void exchange.send(callOf('run'));
    await service.pass(900);
    assert.equal(service.requests.length, 1);
    await service.pass(100);
    assert.equal(service.requests.length, 2);
  });
});
