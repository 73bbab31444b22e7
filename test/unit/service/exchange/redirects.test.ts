import assert from 'node:assert/strict';
import type { CallKind } from '../../../../src/service/call';
import { callOf, FakeService, SERVICE } from '../../../support/fakeService';
import { failureOf } from '../../../support/serviceClient';

describe('A redirect', () => {
  const target = `${SERVICE}/elsewhere`;
  /** The addresses that a read asked for, and how it ended. */
  async function followed(kind: CallKind, status: number, location?: string) {
    const service = new FakeService();
    const outcome = service
      .exchange()
      .send(callOf(kind))
      .then(
        () => 'read',
        (error: { kind: string; details: { why?: unknown } }) => [error.kind, error.details.why],
      );
    await service.pass();
    await service.last.respond(status, location === undefined ? {} : { location });
    await service.pass();
    if (service.requests.length > 1) await service.last.respond(200);
    return { paths: service.paths, outcome: await outcome };
  }

  it('of a read is followed within its origin', async () => {
    for (const status of [301, 302, 303, 307, 308])
      assert.deepEqual(await followed('read', status, '../elsewhere'), {
        paths: ['/base/read', '/elsewhere'],
        outcome: 'read',
      });
  });

  it('is not followed elsewhere, without an address, with another status, or with a body', async () => {
    const none = { reason: 'redirect', target: undefined };
    const cases: [CallKind, number, string | undefined, unknown][] = [
      ['read', 302, 'https://store.test/x', { reason: 'redirect', target: 'https://store.test' }],
      ['read', 302, 'http://models.test/x', { reason: 'redirect', target: 'http://models.test' }],
      ['read', 302, undefined, none],
      ['read', 302, 'http://[', none],
      ['read', 300, target, { reason: 'redirect', target: SERVICE }],
      ['read', 304, target, { reason: 'redirect', target: SERVICE }],
      ['upload', 307, target, { reason: 'redirect', target: SERVICE }],
    ];
    for (const [kind, status, location, why] of cases)
      assert.deepEqual(await followed(kind, status, location), {
        paths: [`/base/${kind}`],
        outcome: ['unreadableResponse', why],
      });
    assert.deepEqual((await followed('run', 302, target)).outcome, [
      'outcomeUnknown',
      { reason: 'redirect', target: SERVICE },
    ]);
  });

  it('is followed three times', async () => {
    const service = new FakeService();
    const outcome = failureOf(service.exchange().send(callOf('read')), 'unreadableResponse');
    for (let n = 0; n < 4; n++) {
      await service.pass();
      await service.last.respond(302, { location: `/${n}` });
    }
    assert.equal((await outcome).details.status, 302);
    assert.deepEqual(service.paths, ['/base/read', '/0', '/1', '/2']);
  });

  it('is its caller’s to read where the caller says so', async () => {
    const service = new FakeService();
    const asked: unknown[] = [];
    const accepts = (...args: unknown[]) => asked.push(args) > 0;
    const done = service.exchange().send(callOf('run', { accepts }));
    await service.pass();
    await service.last.respond(303, { location: '/later' });
    assert.deepEqual([(await done).status, asked], [303, [[303, '/later']]]);
  });
});
