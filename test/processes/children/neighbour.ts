// A process of its own for together.test.ts: a window, or a terminal, that shares a store with others. It appends its
// requests and its messages to files, in place of the service and the user.
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { WorkspaceSpending } from '../../../src/runs/budget/workspaceSpending';
import { openHistory } from '../../../src/runs/history/history';
import { openStore } from '../../../src/store/store';
import { dataset, runNamed } from '../../support/store/samples';

const [folder = '', log = '', rounds = '', kind = ''] = process.argv.slice(2);
/** Runs of its own that it keeps: the history stays small however long it works. */
const KEPT = 40;
const COST = { amount: '0.01', currency: 'USD' };

const store = await openStore(folder);
const fail = (message: string) => {
  throw new Error(message);
};
const history = await openHistory(store, { limit: () => undefined, log: fail });
const spent = new WorkspaceSpending(store, 'w', { log: fail });
const idsNow = () =>
  history.runs
    .list({ limit: 10_000 })
    .map(({ id, state }) => `${id} ${state}`)
    .sort();
let shown = idsNow();
history.onDidChange(() => {
  shown = idsNow();
});

const own: string[] = [];
console.log('working');
for (let n = 0; n < Number(rounds); n++) {
  const id = `${process.pid}-${n}`;
  await history.put(runNamed(id, { state: 'running', sentAt: 1, startedAt: Date.now() }));
  appendFileSync(`${log}.sent`, `${id}\n`);
  spent.hold(dataset.baseUrl, id, { amount: '0.05' });
  await spent.reserve(dataset.baseUrl, id, () => undefined);
  spent.settle(dataset.baseUrl, id, { amount: COST.amount });
  await history.put(runNamed(id, { sentAt: 1, finishedAt: 2, startedAt: Date.now(), cost: COST }));
  appendFileSync(`${log}.shown`, `${id}\n`);
  own.push(id);
  if (own.length > KEPT) {
    await history.delete(own.splice(0, 1));
    appendFileSync(`${log}.deleted`, `${id}\n`);
  }
  await store.uploads.remember({ ...dataset, sha256: `${n % 50}`, mediaType: 'image' }, id);
  if (await store.database.write(() => store.leases.take('turnstile'))) {
    appendFileSync(`${log}.turnstile`, `in ${id}\n`);
    await wait(1);
    appendFileSync(`${log}.turnstile`, `out ${id}\n`);
    await store.leases.release('turnstile');
  }
}
console.log('written');
if (kind === 'window') {
  while (!existsSync(`${log}.over`)) await wait(50);
  // A window hears of others within two seconds; only one that never does takes a minute.
  for (let looks = 0; looks < 600 && shown.join() !== idsNow().join(); looks++) await wait(100);
  const same =
    shown.join() === idsNow().join() &&
    isDeepStrictEqual(spent.of(dataset.baseUrl), store.spending.of('w', dataset.baseUrl));
  console.log(same ? 'heard of everything' : 'missed something');
}
history.close();
await store.close();
