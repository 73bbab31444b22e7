import assert from 'node:assert/strict';
import type http from 'node:http';
import { ServiceError } from '../../../src/service/errors';
import { messageOf } from '../../../src/wording/errors';
import { tellFigures } from '../../support/figures';
import { REQUEST, TEST_KEY, testClient } from '../../support/serviceClient';
import { openTunnel } from '../../support/tunnel';

/** The suite of faults asks for the full number. */
const RUNS = Number(process.env.MODEL_BENCH_FAULTS_RUNS ?? 60);
/** Bytes both ways of a TLS handshake, a run and its response: tunnels are cut at every stage of it. */
const WHOLE = 6_000;

describe('a proxy that cuts its tunnels', () => {
  it('gets a name, and no requests without end, where it opens none', async () => {
    const tunnel = await openTunnel(() => assert.fail('nothing gets through'));
    tunnel.cutAfterBytes = () => 0;
    const client = testClient(tunnel.url, { network: { proxy: tunnel.proxy } });
    try {
      await assert.rejects(client.run(REQUEST), (error) => {
        assert.match(messageOf(error), /The proxy .* did not open a connection to models\.example/);
        return error instanceof ServiceError && error.kind === 'unreachable';
      });
      assert.ok(tunnel.connects.length < 9, `${tunnel.connects.length} tunnels`);
    } finally {
      client.close();
      await tunnel.close();
    }
  });

  it(`causes no run to be executed twice, and no false outcome (${RUNS} runs)`, async () => {
    const executed = new Map<string, number>();
    const tunnel = await openTunnel(responseRuns(executed));
    let turn = 0;
    // Every tenth is rejected before it is open, the others end after some bytes, each after others.
    tunnel.cutAfterBytes = () => (turn++ % 10 === 0 ? 0 : (turn * 977) % WHOLE);
    const client = testClient(tunnel.url, {
      network: { proxy: tunnel.proxy, env: { NODE_EXTRA_CA_CERTS: tunnel.certificate } },
      random: () => 0,
    });
    const outcomes: Record<string, number> = {};
    let lost = 0;
    const run = async (id: string) => {
      const outcome = await client.run({ ...REQUEST, input: { text: id } }).then(
        ({ state }) => state,
        (error: unknown) => {
          if (error instanceof ServiceError) return error.kind;
          throw error;
        },
      );
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      const times = executed.get(id) ?? 0;
      if (outcome === 'finished' ? times === 0 : outcome !== 'outcomeUnknown' && times > 0) lost += 1;
    };
    try {
      for (let at = 0; at < RUNS; at += 6)
        await Promise.all(Array.from({ length: Math.min(6, RUNS - at) }, (_, n) => run(`run ${at + n}`)));
      const doubled = [...executed.values()].filter((times) => times > 1).length;
      const leaked = tunnel.connects.filter((connect) => JSON.stringify(connect).includes(TEST_KEY)).length;
      const { finished = 0, outcomeUnknown = 0, unreachable = 0 } = outcomes;
      tellFigures({
        ...{ case: 'a proxy that cuts its tunnels', tried: RUNS, lost, doubled, leaked },
        note: `${finished} finished, ${outcomeUnknown} unknown, ${unreachable} never left`,
      });
      assert.deepEqual({ lost, doubled, leaked }, { lost: 0, doubled: 0, leaked: 0 });
      assert.equal(finished + outcomeUnknown + unreachable, RUNS, JSON.stringify(outcomes));
      assert.ok(finished > 0 && outcomeUnknown > 0, JSON.stringify(outcomes));
    } finally {
      client.close();
      await tunnel.close();
    }
  });
});

/** A service that counts the runs it executed, by their text. */
function responseRuns(executed: Map<string, number>): http.RequestListener {
  return (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      const { text } = (JSON.parse(body) as { input: { text: string } }).input;
      executed.set(text, (executed.get(text) ?? 0) + 1);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ run_id: text, status: 'succeeded', output: 'x'.repeat(500) }));
    });
    request.on('error', () => undefined);
  };
}
