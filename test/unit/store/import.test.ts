import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { datasetKey } from '../../../src/domain/dataset';
import type { Store } from '../../../src/store/store';
import { start, useBundled } from '../../support/store/childProcess';
import { oldFiles, oldJob } from '../../support/store/oldFiles';
import { useStoreFolder } from '../../support/store/openStore';
import { dataset, head, itemNamed, jobsOf } from '../../support/store/samples';

const closedReason = 'VS Code was closed.';
/** `npm run faults` imports a hundred thousand. */
const ITEMS = Number(process.env.MODEL_BENCH_FAULTS_IMPORT ?? 10_000);

const exists = (file: string) =>
  fs.access(file).then(
    () => true,
    () => false,
  );

describe('Files of version 0.1.0', () => {
  const use = useStoreFolder();
  const open = () => use.open({ oldFolder: use.folder, closedReason });

  it('are taken over, and removed when that is done', async () => {
    await oldFiles(use.folder);
    const store = await open();
    const summaries = store.datasets.summaries(dataset.baseUrl);
    assert.deepEqual(summaries.map(({ scope, items, counts: { failed } }) => [scope, items, failed]).sort(), [
      ['again', 1, 0],
      ['empty', 0, 0],
      ['playground', 2, 1],
    ]);
    assert.deepEqual(
      store.datasets.find(dataset, 'a/1.png'),
      itemNamed('a/1.png', { at: 9, mediaRef: 'ref' }),
    );
    assert.deepEqual(
      store.runs
        .list({ limit: 10 })
        .map(({ id }) => id)
        .sort(),
      ['large', 'running', 'small'],
    );
    assert.deepEqual(store.runs.get('small')?.cost, { amount: '0.5' });
    assert.equal((await store.runs.result('small'))?.length, 10);
    assert.equal((await store.runs.result('large'))?.length, 300_000);
    assert.deepEqual(
      store.runs.search('words large', 5).map(({ id }) => id),
      ['large'],
    );
    assert.equal(await store.runs.settleLeft(closedReason), 1);
    assert.equal(store.jobRuns.list()[0]?.cost?.amount, '1');
    const ref = (sha256: string) => store.uploads.find({ baseUrl: 'u', sha256, mediaType: 'image' });
    assert.deepEqual([ref('one'), ref('two')], ['ref1', undefined]);
    for (const name of ['ledger.jsonl', 'uploads.jsonl', 'history/runs.jsonl', 'history/results'])
      assert.equal(await exists(join(use.folder, name)), false, name);
  });

  it('bring an interrupted job along, and what it had sent without a response as unknown', async () => {
    await oldJob(use.folder);
    const store = await open();
    const jobs = jobsOf(store);
    const [job] = jobs.list();
    assert.deepEqual(job, { ...head, id: 'j1', at: 100 });
    assert.deepEqual(
      jobs.items('j1', 0, 9).map(({ state }) => state),
      ['done', 'unknown', 'ready', 'planned'],
    );
    assert.equal(store.datasets.find(dataset, '0.png')?.outcome, 'indexed');
    assert.equal(store.datasets.find(dataset, '1.png')?.reason, closedReason);
    assert.deepEqual(jobs.costs('j1'), [{ amount: '0.1' }]);
    assert.equal(await jobs.takeOver(job!, closedReason), true);
    assert.equal(await jobs.sent(job!, [2, 3]), 2);
  });

  it('of a job that a window of 0.1.0 works on wait for the next start', async () => {
    const file = await oldJob(use.folder);
    const name = createHash('sha256').update(datasetKey(dataset)).digest('hex').slice(0, 32);
    const lock = join(use.folder, 'jobs/locks', `${name}.lock`);
    await fs.mkdir(lock, { recursive: true });
    const store = await open();
    assert.deepEqual(jobsOf(store).list(), []);
    assert.ok(await exists(file));
    await store.close();
    await fs.utimes(lock, 1, 1);
    assert.equal(jobsOf(await open()).list().length, 1);
  });

  it('with lines that cannot be read are kept under another name', async () => {
    await oldFiles(use.folder);
    const ledger = join(use.folder, 'ledger.jsonl');
    await fs.writeFile(ledger, `\0\0torn\n${await fs.readFile(ledger, 'utf8')}{"half": `);
    const store = await open();
    assert.equal(store.datasets.summaries(dataset.baseUrl).length, 3);
    assert.match(await fs.readFile(`${ledger}.unreadable`, 'utf8'), /torn/);
  });

  it('are imported once, by two windows that open together', async () => {
    await oldFiles(use.folder);
    const stores = await Promise.all([open(), open()]);
    for (const store of stores) assert.equal(store.runs.list({ limit: 10 }).length, 3);
  });
});

describe('An import that is killed', () => {
  const use = useStoreFolder();
  const child = useBundled('./importer.ts');

  it(`five times leaves all of ${ITEMS} items where they were, and then brings each over once`, async function () {
    this.timeout(300_000);
    await oldFiles(use.folder);
    const more = Array.from({ length: ITEMS }, (_, n) => JSON.stringify(itemNamed(`many/${n}.png`)));
    await fs.appendFile(join(use.folder, 'ledger.jsonl'), `${more.join('\n')}\n`);
    const args = [join(use.folder, 'store'), use.folder, join(use.folder, 'store/results')];
    const whole = (store: Store) =>
      store.datasets.summaries(dataset.baseUrl).find(({ scope }) => scope === 'playground');
    let killed = 0;
    for (let kill = 0; kill < 5; kill++) {
      const importer = start(child.file, args);
      await importer.said('importing');
      await new Promise((resolve) => setTimeout(resolve, Math.random() * (ITEMS / 50)));
      killed += importer.process.kill('SIGKILL') && importer.process.exitCode === null ? 1 : 0;
      await importer.ended;
      // Half of it is never seen.
      const store = await use.open();
      assert.ok([undefined, ITEMS + 2].includes(whole(store)?.items));
      assert.ok(whole(store) || (await exists(join(use.folder, 'ledger.jsonl'))));
      await store.close();
    }
    assert.ok(killed > 0);
    const store = await open();
    assert.equal(whole(store)?.items, ITEMS + 2);
    assert.equal(
      store.datasets.folders(dataset, '', { limit: 9 }).find(({ path }) => path === 'many')?.items,
      ITEMS,
    );
    assert.equal(store.runs.list({ limit: 10 }).length, 3);
    assert.equal((await store.runs.result('large'))?.length, 300_000);
    assert.equal(await exists(join(use.folder, 'ledger.jsonl')), false);
    assert.deepEqual(await store.check(), []);
  });

  const open = () => use.open({ oldFolder: use.folder, closedReason });
});
