// A process of its own for open.test.ts: reads a store in a folder that it cannot write.
import { sqlite } from '../../../src/store/sqlite';
import { openStore } from '../../../src/store/store';
import { StoreProblem } from '../../../src/store/storeProblem';
import { dataset, itemNamed } from './samples';

// Root may write anywhere, so this process drops its rights.
sqlite();
if (process.getuid?.() === 0) process.seteuid?.(65_534);
const store = await openStore(process.argv[2] ?? '');
const items = store.datasets.summaries(dataset.baseUrl)[0]?.items;
const kind = await store.datasets.record([itemNamed('b.png')]).then(
  () => 'written',
  (error: unknown) => (error instanceof StoreProblem ? error.kind : String(error)),
);
console.log(store.database.readOnly, items, kind);
await store.close();
