import assert from 'node:assert/strict';
import type http from 'node:http';
import { createRequire } from 'node:module';
import { Agent } from 'undici';
import { messageOf, nextStepOf } from '../../../src/wording/errors';
import { eventually } from '../../support/eventually';
import { FakeClock } from '../../support/fakeClock';
import { type Fault, type FaultProxy, type StubResponse, startFaultProxy } from '../../support/faultProxy';
import { tellFigures } from '../../support/figures';
import { listenOnLoopback } from '../../support/loopback';
import { failureOf, REQUEST, testClient } from '../../support/serviceClient';

/** The suite of faults asks for the full number. */
const LOST = Number(process.env.MODEL_BENCH_FAULTS_RUNS ?? 250);
const DONE: StubResponse = { body: { run_id: 'r1', status: 'succeeded', output: { label: 'cat' } } };

describe('a run', () => {
  let proxy: FaultProxy;
  let fault: Fault | undefined;
  let responses: StubResponse[] = [];
  beforeEach(async () => {
    fault = undefined;
    responses = [];
    proxy = await startFaultProxy({ behind: () => responses.shift() ?? DONE, fault: () => fault });
  });
  afterEach(() => proxy.close());

  const lost: Record<string, Fault> = {
    'is reset': { kind: 'resetAfter' },
    'is cut in its body': { kind: 'truncate', bytes: 10 },
    'is cut before its body': { kind: 'truncate', bytes: 0 },
    'is a failing gateway’s': { kind: 'response', response: { status: 502, body: 'Bad gateway' } },
  };
  for (const [how, what] of Object.entries(lost))
    it(`stays unrepeated when its response ${how} (${LOST} runs)`, async () => {
      fault = what;
      const client = testClient(proxy.url);
      for (let done = 0; done < LOST; done += 10)
        await Promise.all(
          Array.from({ length: 10 }, async () => {
            const error = await failureOf(client.run(REQUEST), 'outcomeUnknown');
            assert.equal(nextStepOf(error), 'showUsage');
          }),
        );
      const doubled = Math.max(0, proxy.seen.length - LOST);
      tellFigures({ case: `a run whose response ${how}`, tried: LOST, lost: 0, doubled, leaked: 0 });
      assert.equal(proxy.seen.length, LOST);
      client.close();
    });

  it('becomes unknown when the user stops waiting, and the socket is closed', async () => {
    fault = { kind: 'silent' };
    const client = testClient(proxy.url);
    const stop = new AbortController();
    const run = failureOf(client.run(REQUEST, { signal: stop.signal }), 'outcomeUnknown');
    await eventually(() => proxy.seen.length === 1);
    stop.abort();
    await run;
    await eventually(() => proxy.openSockets === 0);
    client.close();
  });

  it('becomes unknown after its time limit, and timed out when it never left', async () => {
    fault = { kind: 'silent' };
    const clock = new FakeClock();
    const client = testClient(proxy.url, { clock });
    const sent = failureOf(client.run(REQUEST, { timeoutMs: 3_600_000 }), 'outcomeUnknown');
    await eventually(() => proxy.seen.length === 1);
    await clock.advance(3_600_000);
    assert.match(messageOf(await sent), /within your time limit/);
    fault = { kind: 'response', response: { status: 429, headers: { 'retry-after': '60' } } };
    const waiting = failureOf(client.run(REQUEST, { timeoutMs: 30_000 }), 'timedOut');
    await eventually(() => client.rateLimit.pausedUntilMs !== undefined);
    await clock.advance(30_000);
    await waiting;
    assert.equal(proxy.seen.length, 2);
    client.close();
  });

  it('leaves unchanged, with the key in X-API-Key and no other credential', async () => {
    const client = testClient(proxy.url);
    await client.run({ ...REQUEST, scope: 'a.b', options: { priority: 'low' } });
    const [seen] = proxy.seen;
    assert.deepEqual(JSON.parse(String(seen?.body)), {
      ...REQUEST,
      scope: 'a.b',
      options: { priority: 'low' },
    });
    assert.equal(seen?.headers['content-type'], 'application/json');
    assert.equal(seen?.headers['x-api-key'], 'mb-canary-5f1d0c');
    assert.equal(seen?.headers.authorization, undefined);
    client.close();
  });

  it('succeeds when its headers come after 310 s, where undici’s own default gives up', async () => {
    // undici keeps its timers on a clock of its own, which its tests may push forward.
    const timers = createRequire(import.meta.url)('undici/lib/util/timers.js') as { tick(ms: number): void };
    const held: http.ServerResponse[] = [];
    const { url, close } = await listenOnLoopback((_request, response) => void held.push(response));
    const client = testClient(url);
    const agent = new Agent();
    const run = client.run(REQUEST);
    const control = agent
      .request({ origin: new URL(url).origin, path: new URL(url).pathname, method: 'GET' })
      .then(
        () => 'answered',
        (error: { code?: string }) => error.code,
      );
    await eventually(() => held.length === 2);
    for (let tick = 0; tick < 4; tick++) timers.tick(310_000);
    assert.equal(await control, 'UND_ERR_HEADERS_TIMEOUT');
    for (const response of held) if (!response.destroyed) response.end(JSON.stringify(DONE.body));
    assert.equal((await run).state, 'finished');
    client.close();
    await agent.destroy();
    await close();
  });
});
