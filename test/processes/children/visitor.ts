// A process of its own: opens a store, records an item if it is given one's id, and prints the number of items. Then it
// closes the store, or keeps it open until it is killed.
import { openStore } from '../../../src/store/store';
import { dataset, itemNamed } from '../../support/store/samples';

const [folder = '', id, stays] = process.argv.slice(2);
const store = await openStore(folder);
if (id !== undefined) await store.datasets.record([itemNamed(id)]);
console.log(`items: ${store.datasets.summaries(dataset.baseUrl)[0]?.items ?? 0}`);
if (stays === undefined) await store.close();
else setInterval(() => undefined, 1_000);
