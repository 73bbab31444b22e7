// A process of its own for agentGrants.test.ts: an agent that makes 250 calls, 50 at once, each of them twice.
import { openStore } from '../../../src/store/store';

const [folder = '', name = ''] = process.argv.slice(2);
const store = await openStore(folder);
const environment = { name: 'Test', baseUrl: 'https://a.example' };

async function spend(n: number): Promise<void> {
  const admitted = await store.agentGrants.begin({
    ...{
      environment,
      tool: 'run_model',
      agent: 'Agent',
      request: `request ${n}`,
      idempotencyKey: `key ${n}`,
    },
    amount: { amount: '0.1' },
  });
  if (admitted.kind === 'begun')
    await store.agentGrants.settle(admitted.call.id, { outcome: 'finished', cost: { amount: '0.1' } });
}

for (let from = 0; from < 250; from += 25) {
  const some = Array.from({ length: 25 }, (_, n) => (name === 'a' ? from + n : 249 - from - n));
  await Promise.all([...some, ...some].map(spend));
}
await store.close();
