import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { messageOf, nextStepOf } from '../../../src/wording/errors';
import { FakeClock } from '../../support/fakeClock';
import { type Fault, type FaultProxy, startFaultProxy } from '../../support/faultProxy';
import { tellFigures } from '../../support/figures';
import { failureOf, testClient } from '../../support/serviceClient';

const OPERATIONS = 100;

describe('a total outage', () => {
  const outages: Record<string, Fault> = {
    'resets every connection': { kind: 'resetBefore' },
    'responses 503': { kind: 'response', response: { status: 503, body: 'down' } },
    'responses 500': { kind: 'response', response: { status: 500 } },
  };
  for (const [how, fault] of Object.entries(outages))
    it(`costs at most 1.1 requests for each operation when it ${how}`, async function () {
      this.timeout(30_000);
      const proxy = await startFaultProxy({ behind: () => ({}), fault: () => fault });
      const client = testClient(proxy.url, { random: () => 0 });
      for (let done = 0; done < OPERATIONS; done += 10)
        await Promise.all(Array.from({ length: 10 }, () => failureOf(client.wallet())));
      tellFigures({
        case: `a total outage that ${how}`,
        ...{ tried: OPERATIONS, lost: 0, doubled: 0 },
        leaked: Math.max(0, proxy.seen.length - 1.1 * OPERATIONS),
        note: `${proxy.seen.length} requests for ${OPERATIONS} operations`,
      });
      assert.ok(proxy.seen.length / OPERATIONS <= 1.1, `${proxy.seen.length} requests`);
      client.close();
      await proxy.close();
    });

  it('costs at most 1.1 connections for each operation when connections are accepted and dropped', async () => {
    let connections = 0;
    const server = net.createServer((socket) => {
      connections++;
      socket.on('error', () => {});
      socket.destroy();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = testClient(`http://127.0.0.1:${(server.address() as net.AddressInfo).port}`, {
      random: () => 0,
    });
    for (let done = 0; done < OPERATIONS; done += 10)
      await Promise.all(Array.from({ length: 10 }, () => failureOf(client.wallet())));
    assert.ok(connections / OPERATIONS <= 1.1, `${connections} connections`);
    client.close();
    server.close();
  });
});

describe('a response that drips in without end', () => {
  let proxy: FaultProxy;
  afterEach(() => proxy.close());

  it('ends after five minutes, once, and its connection is closed', async () => {
    const clock = new FakeClock();
    let closed = 0;
    proxy = await startFaultProxy({
      behind: () => ({ body: { balance: '5.00', padding: 'x'.repeat(10_000) } }),
      fault: () => ({ kind: 'drip', everyMs: 5 }),
      onClosed: () => closed++,
    });
    const client = testClient(proxy.url, { clock });
    const failure = failureOf(client.wallet(), 'timedOut');
    while (proxy.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await clock.advance(5 * 60_000 - 1);
    assert.equal(closed, 0);
    await clock.advance(1);
    assert.match(messageOf(await failure), /did not respond in time/);
    while (closed === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(proxy.seen.length, 1);
    client.close();
  });
});

describe('a passing failure', () => {
  let proxy: FaultProxy;
  afterEach(() => proxy.close());

  it('repeats a GET, visibly in the log', async () => {
    proxy = await startFaultProxy({
      behind: () => ({ body: { balance: '1.50', currency: 'EUR' } }),
      fault: (_request, index) => (index < 2 ? { kind: 'resetBefore' } : undefined),
    });
    const client = testClient(proxy.url, { random: () => 0 });
    const { wallet } = await client.wallet();
    assert.deepEqual(wallet?.balance, { amount: '1.50', currency: 'EUR' });
    assert.equal(proxy.seen.length, 3);
    assert.equal(client.logged.filter((line) => line.includes('retry in')).length, 2);
    client.close();
  });

  it('ends without a retry when the user must act: a bad key, an empty wallet, no permission, an unknown model', async () => {
    for (const [status, kind] of [
      [400, 'invalidRequest'],
      [401, 'badKey'],
      [402, 'cannotPay'],
      [403, 'noPermission'],
      [404, 'notFound'],
      [409, 'conflict'],
      [422, 'invalidRequest'],
      [501, 'serviceFailing'],
    ] as const) {
      proxy = await startFaultProxy({
        behind: () => ({
          status,
          headers: { 'x-request-id': 'req-7' },
          body: { error: { message: 'because of this' } },
        }),
      });
      const client = testClient(proxy.url);
      const error = await failureOf(client.getModel('m'), kind);
      assert.match(messageOf(error), /because of this/);
      assert.deepEqual([error.details.status, error.details.requestId], [status, 'req-7']);
      assert.notEqual(nextStepOf(error), 'none');
      assert.equal(proxy.seen.length, 1);
      client.close();
      if (status !== 501) await proxy.close();
    }
  });
});
