import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../support/eventually';
import { tellFigures } from '../../support/figures';
import { damageOf, useStoreFolder } from '../../support/store/openStore';
import { dataset, head, jobsOf, planned } from '../../support/store/samples';
import { start, useBundled } from '../children/childProcess';
import { printedRandom } from '../printedRandom';

/** `npm run faults` asks for a thousand. */
const KILLS = Number(process.env.MODEL_BENCH_FAULTS_KILLS ?? 20);
/** A job that one process cannot finish before it is killed. */
const ITEMS_PER_KILL = 80;

const lines = (file: string) =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').filter(Boolean) : [];

describe('A process that is killed in the midst of its writes', () => {
  const use = useStoreFolder();
  const child = useBundled('./sender.ts');

  it(`loses no outcome that was shown and sends no item twice, in ${KILLS} kills`, async () => {
    const store = await use.open();
    const jobs = jobsOf(store);
    const job = await jobs.plan(head, planned(KILLS * ITEMS_PER_KILL));
    const log = join(use.folder, 'log');
    const args = [join(use.folder, 'store'), log, job.id];
    const random = printedRandom('the items before each kill');
    for (let kill = 0; kill < KILLS; kill++) {
      const sender = start(child.file, args);
      await sender.said('working');
      const items = lines(`${log}.shown`).length + random.int(1, ITEMS_PER_KILL / 2);
      await eventually(() => lines(`${log}.shown`).length >= items);
      sender.process.kill('SIGKILL');
      await sender.ended;
    }
    const sent = lines(`${log}.sent`);
    assert.equal(new Set(sent).size, sent.length, 'An item was sent twice.');
    const state = new Map<string, string>();
    for (let from = 0; from < KILLS * ITEMS_PER_KILL; from += 1_000)
      for (const item of jobs.items(job.id, from, 1_000)) state.set(String(item.index), item.state);
    const shown = lines(`${log}.shown`);
    assert.ok(shown.length >= KILLS, `Only ${shown.length} items were indexed.`);
    const lost = [
      ...shown.filter((item) => state.get(item) !== 'done'),
      ...sent.filter((item) => !['inFlight', 'done', 'unknown'].includes(state.get(item) ?? '')),
    ];
    assert.deepEqual(lost, []);
    const counts = jobs.counts(job.id);
    const summary = store.datasets.summaries(dataset.baseUrl)[0]?.counts;
    assert.deepEqual([summary?.indexed, summary?.unknown], [counts.done, counts.unknown ?? 0]);
    assert.deepEqual(damageOf(store), []);
    tellFigures({
      case: 'store: SIGKILL in the midst of writes',
      ...{ tried: KILLS, lost: lost.length, doubled: sent.length - new Set(sent).size, leaked: 0 },
      note: `${sent.length} items sent, ${counts.unknown ?? 0} unknown`,
    });
  });

  it('passes the rest to one of two that wait for it', async () => {
    const store = await use.open();
    const jobs = jobsOf(store);
    const job = await jobs.plan(head, planned(200));
    const log = join(use.folder, 'log');
    const args = [join(use.folder, 'store'), log, job.id];
    const first = start(child.file, args);
    await first.said('working');
    const others = [start(child.file, args), start(child.file, args)];
    for (const other of others) await other.said('waiting');
    first.process.kill('SIGKILL');
    await Promise.all(others.map(({ ended }) => ended));
    const sent = lines(`${log}.sent`);
    assert.equal(new Set(sent).size, sent.length);
    const { done = 0, unknown = 0, ...rest } = jobs.counts(job.id);
    assert.deepEqual([done + unknown, rest], [200, {}]);
    assert.ok(unknown <= 4);
  });
});
