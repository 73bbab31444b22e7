import assert from 'node:assert/strict';
import { type Fault, startFaultProxy } from '../../support/faultProxy';
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
    it(`costs at most 1.1 requests for each operation when it ${how}`, async () => {
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
});
