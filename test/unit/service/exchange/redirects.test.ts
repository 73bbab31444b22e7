import assert from 'node:assert/strict';
import type { CallKind } from '../../../../src/service/call';
import { callOf, FakeService, SERVICE } from '../../../support/fakeService';
import { failureOf, TEST_KEY } from '../../../support/serviceClient';

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

  it('leads a read within its origin', async () => {
    for (const status of [301, 302, 303, 307, 308])
      assert.deepEqual(await followed('read', status, '../elsewhere'), {
        paths: ['/base/read', '/elsewhere'],
        outcome: 'read',
      });
  });

  it('fails elsewhere, without an address, with another status, or with a body', async () => {
    const none = { reason: 'redirect', target: undefined };
    const cases: [CallKind, number, string | undefined, unknown][] = [
      ['read', 302, 'https://store.test/x?a=1', { reason: 'redirect', target: 'https://store.test/x' }],
      ['read', 302, 'http://inner:8000/x', { reason: 'redirect', target: 'http://inner:8000/x' }],
      [
        'read',
        302,
        'http://models.test/base/read',
        { reason: 'redirect', target: 'http://models.test/base/read' },
      ],
      ['read', 302, undefined, none],
      ['read', 302, 'http://[', { reason: 'redirect', target: 'http://[' }],
      ['read', 300, target, { reason: 'redirect', target }],
      ['read', 304, target, { reason: 'redirect', target }],
      ['upload', 307, target, { reason: 'redirect', target }],
    ];
    for (const [kind, status, location, why] of cases)
      assert.deepEqual(await followed(kind, status, location), {
        paths: [`/base/${kind}`],
        outcome: ['unreadableResponse', why],
      });
    assert.deepEqual((await followed('run', 302, target)).outcome, [
      'outcomeUnknown',
      { reason: 'redirect', target },
    ]);
    for (const status of [301, 307, 308])
      assert.deepEqual((await followed('run', status, target)).outcome, [
        'unreachable',
        { reason: 'redirect', target, isNotExecuted: true },
      ]);
  });

  it('leads a run or an upload once to its own path with or without a slash', async () => {
    for (const kind of ['run', 'upload'] as const)
      for (const status of kind === 'run' ? [301, 307, 308] : [301, 302, 307, 308])
        for (const location of [`/base/${kind}/`, `http://models.test/base/${kind}/`]) {
          const service = new FakeService();
          const body = new TextEncoder().encode('{"a":1}');
          const done = service.exchange().send(callOf(kind, { body: () => body }));
          await service.pass();
          await service.last.respond(status, { location });
          await service.pass();
          const { sent } = service.last;
          assert.deepEqual(
            [sent.url.href, sent.method, sent.body, sent.headers['x-api-key']],
            [`${SERVICE}/base/${kind}/`, 'POST', body, TEST_KEY],
          );
          await service.last.respond(200);
          assert.equal((await done).status, 200);
        }
  });

  it('leaves a run to the user that is answered like a form, with a 302 to the list of runs', async () => {
    for (const location of ['/base/run', '/base/run/', '/base/run?page=1']) {
      const { paths, outcome } = await followed('run', 302, location);
      assert.deepEqual([paths, outcome[0]], [['/base/run'], 'outcomeUnknown'], location);
    }
  });

  it('ends a run, as not executed, that leads in a circle', async () => {
    const service = new FakeService();
    const done = failureOf(service.exchange().send(callOf('run')), 'unreachable');
    await service.pass();
    await service.last.respond(308, { location: '/base/run/' });
    await service.pass();
    await service.last.respond(308, { location: '/base/run' });
    assert.deepEqual((await done).details.why, {
      reason: 'redirect',
      target: `${SERVICE}/base/run`,
      isNotExecuted: true,
    });
    assert.deepEqual(service.paths, ['/base/run', '/base/run/']);
  });
});
