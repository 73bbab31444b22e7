import assert from 'node:assert/strict';
import { WalletReader, walletTimes } from '../../../src/connection/walletReader';
import type { WalletResponse } from '../../../src/domain/response';
import { ServiceError } from '../../../src/service/errors';
import { settled } from '../../support/fakeClock';

const raw = { status: 200, contentType: 'application/json', headers: {}, bytes: new Uint8Array() };
const usd = (amount: string): WalletResponse => ({ wallet: { balance: { amount, currency: 'USD' } }, raw });

/** A reader on a clock that only the test moves. */
function wallet() {
  let now = 1_000_000;
  let watched = true;
  let response: () => Promise<WalletResponse> = async () => usd('10');
  let requests = 0;
  const timers = new Set<{ at: number; callback: () => void }>();
  const reader = new WalletReader({
    read: () => {
      requests += 1;
      return response();
    },
    watched: () => watched,
    now: () => now,
    after: (ms, callback) => {
      const timer = { at: now + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
  return {
    reader,
    get requests() {
      return requests;
    },
    responseWith: (next: () => Promise<WalletResponse>) => {
      response = next;
    },
    look: (at: boolean) => {
      watched = at;
      reader.attend();
      return settled();
    },
    connect: async () => {
      reader.restart(true);
      await settled();
    },
    settled,
    pass: async (ms: number) => {
      const end = now + ms;
      for (;;) {
        const [next] = [...timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at);
        if (!next) break;
        timers.delete(next);
        now = next.at;
        next.callback();
        await settled();
      }
      now = end;
    },
  };
}

describe('The wallet', () => {
  it('loads at once after connecting, and sometimes while idle', async () => {
    const it = wallet();
    assert.equal(it.reader.state.kind, 'notConnected');
    await it.connect();
    assert.equal(it.reader.state.kind, 'read');
    assert.equal(it.requests, 1);
    await it.pass(walletTimes.quiet * 3);
    assert.equal(it.requests, 4);
  });

  it('loads once after a burst of runs', async () => {
    const it = wallet();
    await it.connect();
    await it.pass(walletTimes.spacing);
    for (let run = 0; run < 50; run++) it.reader.request();
    await it.pass(walletTimes.spacing);
    assert.equal(it.requests, 2);
  });

  it('never shows an old balance as new', async () => {
    const it = wallet();
    await it.connect();
    await it.look(false);
    await it.pass(walletTimes.stale);
    assert.equal(it.reader.state.kind === 'read' && it.reader.state.stale, true);
    await it.look(true);
    assert.equal(it.reader.state.kind === 'read' && it.reader.state.stale, false);
  });

  it('keeps the balance with its time while it cannot be read, and tries less and less often', async () => {
    const it = wallet();
    await it.connect();
    it.responseWith(async () => {
      throw new ServiceError('serviceFailing');
    });
    await it.pass(walletTimes.quiet);
    assert.equal(it.requests, 2);
    const { state } = it.reader;
    assert.ok(state.kind === 'read' && state.stale && state.error instanceof ServiceError);
    const before = it.requests;
    await it.pass(6 * 3_600_000);
    assert.ok(it.requests - before <= 30, `${it.requests - before} requests in six hours of failure`);
    it.responseWith(async () => usd('9'));
    await it.pass(walletTimes.longestBackoff);
    assert.ok(it.reader.state.kind === 'read' && !it.reader.state.stale && !it.reader.state.error);
  });

  it('waits as long as the service demands', async () => {
    const it = wallet();
    it.responseWith(async () => {
      throw new ServiceError('rateLimited', { retryAtMs: 1_000_000 + 3_600_000 });
    });
    await it.connect();
    it.reader.request();
    await it.pass(3_599_000);
    assert.equal(it.requests, 1);
    await it.pass(2_000);
    assert.equal(it.requests, 2);
  });

  it('forgets one environment for the next, even its late response', async () => {
    const it = wallet();
    let responseLate: (read: WalletResponse) => void = () => {};
    it.responseWith(() => new Promise((resolve) => (responseLate = resolve)));
    await it.connect();
    it.responseWith(async () => usd('3'));
    it.reader.restart(true);
    await it.pass(0);
    responseLate(usd('1000000'));
    await it.settled();
    const { state } = it.reader;
    assert.equal(state.kind === 'read' && state.wallet.balance.amount, '3');
    it.reader.restart(false);
    assert.equal(it.reader.state.kind, 'notConnected');
    await it.pass(walletTimes.quiet * 5);
    assert.equal(it.requests, 2);
  });
});
