// A window that opens the store at argv[2]: prints as JSON how long the first query took from the opening on, and by how
// much the process grew.
import { sqlite } from '../../src/store/open';
import { openStore } from '../../src/store/store';
import { dataset } from './storeData';

sqlite();
globalThis.gc?.();
const before = process.memoryUsage().rss;
const start = performance.now();
const store = await openStore(process.argv[2] ?? '');
const [summary] = store.datasets.summaries(dataset.baseUrl);
const first = performance.now() - start;
for (let n = 0; n < 200; n++) store.datasets.itemsIn(dataset, `images/folder-${n}`, { limit: 200 });
store.runs.list({ limit: 200 });
store.runs.search('bicycle river', 50);
console.log(
  JSON.stringify({
    first,
    grownMb: (process.memoryUsage().rss - before) / 2 ** 20,
    items: summary?.items ?? 0,
  }),
);
await store.close();
