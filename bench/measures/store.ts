import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { jobsOf, planned } from '../../test/support/store/samples';
import { type Measure, spread, timed } from '../measure';
import { dataset, fillStore, itemAt } from '../support/storeData';

const window = path.join(import.meta.dirname, '../support/storeWindow.ts');

/** The store as it grows: the same questions at three sizes. A window's own figures are those of a process of its own. */
export const storeMeasures: readonly Measure[] = [
  growth('store-10k', 10_000, 1_000),
  growth('store-100k', 100_000, 10_000),
  growth('store-1m', 1_000_000, 100_000),
];

function growth(name: string, items: number, runs: number): Measure {
  return {
    name,
    what: `the store with ${items.toLocaleString('en')} items in scopes and ${runs.toLocaleString('en')} runs in the history`,
    goals: [
      { figure: 'first', label: 'first query from the opening on', unit: 'ms', atMost: 20 },
      { figure: 'grownMb', label: 'memory over an empty one’s', unit: 'MB', atMost: 20 },
      { figure: 'counts', label: 'counts of the tree', unit: 'ms', atMost: 5 },
      { figure: 'item', label: 'an item by its id', unit: 'ms', atMost: 0.1 },
      { figure: 'search', label: 'text search over the history', unit: 'ms', atMost: 50 },
      { figure: 'outcomes', label: '16 outcomes, synced', unit: 'ms', atMost: 3 },
      { figure: 'known', label: 'what is known of 100,000 files', unit: 'ms' },
      { figure: 'stall', label: 'longest hold of the thread in all of it', unit: 'ms', atMost: 8 },
      { figure: 'size', label: 'on the disk', unit: 'MB' },
    ],
    pairs: 5,
    whyFewer: 'no ratio, and a median of many calls inside each pair',
    async prepare({ folder }) {
      const empty = await fillStore(path.join(folder, 'empty'), 0, 0);
      await empty.close();
      const own = path.join(folder, 'store');
      const store = await fillStore(own, items, runs);
      const head = { ...dataset, environment: 'e', modelName: 'm', mode: 'index', params: {} };
      const jobs = jobsOf(store);
      const job = await jobs.plan(head, planned(16 * 50 * 10));
      await jobs.takeOver(job, '');
      let next = 0;
      return {
        async pair() {
          const stall = watchStalls();
          const bare = await look(path.join(folder, 'empty'));
          const { first, grownMb } = await look(own);
          const counts = median(50, (n) => {
            store.datasets.summaries(dataset.baseUrl);
            store.datasets.folders(dataset, n % 2 ? '' : 'images', { limit: 500 });
          });
          const item = median(2_000, (n) =>
            store.datasets.find(dataset, itemAt((n * 7_919) % items).imageId),
          );
          const search = median(20, (n) => store.runs.search(['bicycle river', `number${n}`][n % 2]!, 50));
          stall.begin();
          const outcomes: number[] = [];
          for (let n = 0; n < 50; n++) {
            const batch = Array.from({ length: 16 }, () => next++);
            const request = await jobs.sent(job, batch);
            outcomes.push(await timed(() => jobs.answered(job, request, { outcome: 'done' })));
            await new Promise((resolve) => setImmediate(resolve));
          }
          let seen = 0;
          const known = await timed(async () => {
            for await (const page of store.datasets.knownFiles(dataset)) {
              seen += page.length;
              if (seen >= 100_000) break;
            }
          });
          return {
            ...{ first, grownMb: grownMb - bare.grownMb, counts, item, search },
            ...{ outcomes: spread(outcomes).median, known, stall: stall.end() },
            size: statSync(path.join(own, 'model-bench.db')).size / 1e6,
          };
        },
        close: () => store.close(),
      };
    },
  };
}

async function look(folder: string): Promise<{ first: number; grownMb: number }> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    '--import',
    'tsx',
    window,
    folder,
  ]);
  return JSON.parse(stdout);
}

function median(times: number, work: (n: number) => unknown): number {
  const took: number[] = [];
  for (let n = 0; n < times; n++) {
    const start = performance.now();
    work(n);
    took.push(performance.now() - start);
  }
  return spread(took).median;
}

/** How long the thread was held at most while asynchronous work went on. */
function watchStalls() {
  let longest = 0;
  let last = 0;
  let timer: NodeJS.Immediate;
  const tick = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    timer = setImmediate(tick);
  };
  return {
    begin: () => {
      last = performance.now();
      tick();
    },
    end: () => {
      clearImmediate(timer);
      return longest;
    },
  };
}
