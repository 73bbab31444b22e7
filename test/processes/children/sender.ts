// A process of its own for kills.test.ts: works on a job until it is killed, or until all items are sent. It appends
// its requests and its messages to two files, in place of the service and the user.
import { appendFileSync } from 'node:fs';
import { openStore } from '../../../src/store/store';
import { StoreProblem } from '../../../src/store/storeProblem';
import { jobsOf, runNamed } from '../../support/store/samples';

const [folder = '', log = '', jobId = ''] = process.argv.slice(2);
// A clock that runs twenty times as fast: the lease of the process before this one is free after a moment.
const store = await openStore(folder, { owner: { now: () => performance.now() * 20 } });
const jobs = jobsOf(store);
const job = jobs.get(jobId);
if (!job) throw new Error('There is no such job.');
console.log('waiting');
while (!(await jobs.takeOver(job, 'killed'))) await new Promise((resolve) => setTimeout(resolve, 6));
console.log('working');
for (let from = 0; ; ) {
  const batch = jobs.items(job.id, from, 4);
  if (batch.length === 0) break;
  from = (batch.at(-1)?.index ?? 0) + 1;
  const items = batch
    .filter(({ state }) => state === 'planned' || state === 'ready')
    .map(({ index }) => index);
  if (items.length === 0) continue;
  try {
    for (const item of batch)
      if (items.includes(item.index)) await jobs.prepared(job, { ...item, mediaRef: `ref${item.index}` });
    const request = await jobs.sent(job, items);
    for (const item of items) appendFileSync(`${log}.sent`, `${item}\n`);
    const cost = { amount: '0.01', currency: 'USD' };
    await jobs.answered(job, request, { outcome: 'done', cost });
    await store.runs.put(runNamed(`${process.pid} ${request}`));
    await store.spending.write(() =>
      store.spending.settle('w', job.baseUrl, `${request}`, { amount: cost.amount }),
    );
    for (const item of items) appendFileSync(`${log}.shown`, `${item}\n`);
  } catch (error) {
    // A sibling works on the same dataset.
    if (!(error instanceof StoreProblem && error.kind === 'notOwner')) throw error;
    break;
  }
}
console.log('done');
await store.close();
