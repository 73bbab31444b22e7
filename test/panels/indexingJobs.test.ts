import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { indexJobs } from '../../src/indexing/indexJobs';
import { openStore, storeFolder } from '../../src/store/store';
import { check } from '../support/check';
import { eventually } from '../support/eventually';
import { JOB_IMAGES, writeJobFolders } from '../support/jobFolders';
import { timesIndexed } from '../support/sandbox';
import { useService } from './useService';

describe('Indexing jobs, from their start through a killed window to a changed file', () => {
  const suite = useService({
    prepare: writeJobFolders,
    // Then most files of a job are not yet sent when its first ones are indexed.
    settings: { 'modelBench.indexing.batchSize': 4, 'modelBench.indexing.concurrency': 4 },
  });

  const indexedIn = (scope: string) => timesIndexed(suite.sandbox, scope);

  /** The job has indexed a file, and the response of a further run is held back. */
  const untilUnderWay = async () => {
    await suite.panels.row('Scopes', /[1-9]\d* of \d+/);
    await suite.panels.until(() => suite.service.held() > 0, 'A run that is held back');
  };

  it('offers an interrupted job, and indexes every file once, although a run got a 402 meanwhile', async () => {
    const { panels, service } = suite;
    service.hold(1);
    await panels.index('images', 'pictures');
    (await panels.dialog()).pick(`Index ${JOB_IMAGES} Files`);
    await untilUnderWay();
    await panels.reload();
    const words = (await panels.notification(/Indexing into pictures was interrupted/)).text;
    assert.match(words, /^\w[^,]*, http:\/\/\S+: Indexing.*\d+ of 96 files remain/);
    service.cut();
    service.change('/api/runs', () => ({ status: 402, body: { message: 'not today' } }));
    const run = await panels.openRunPanel(/^Sentiment/);
    await run.fill('Text', 'Who pays?');
    await run.button('Run').click();
    await run.frame
      .getByText(/not today/)
      .first()
      .waitFor();
    service.change('/api/runs');
    await panels.press(/was interrupted/, 'Resume');
    const ended = await panels.indexedInto('pictures');
    const unconfirmed = Number(/(\d+) unconfirmed/.exec(ended)?.[1] ?? 0);
    const indexed = Number(/(\d+) of 96/.exec(ended)?.[1] ?? 0);
    assert.equal(indexed + unconfirmed, JOB_IMAGES, ended);
    const times = await indexedIn('pictures');
    assert.deepEqual(
      [...times].filter(([, often]) => often !== 1),
      [],
    );
    assert.ok(times.size >= indexed, `${times.size} in the service, ${indexed} known`);
  });

  it('indexes unconfirmed files again when the user chooses so', async () => {
    const { panels } = suite;
    const { faults } = suite.sandbox.sandbox;
    // A run whose response is lost: executed, but unconfirmed.
    faults.set([{ route: 'runs', mode: 'index', nth: 1, action: 'reset-after-execute' }]);
    await panels.index('pair', 'lost');
    (await panels.dialog()).pick('Index 2 Files');
    assert.match(await panels.indexedInto('lost'), /2 unconfirmed/);
    const dataset = await panels.row('Scopes', /^Image Similarity.*2 unconfirmed/);
    faults.set([]);
    await panels.rowMenu(dataset, 'Set Outcome of Unconfirmed Files');
    (await panels.dialog()).pick('Index Again');
    await panels.dialog(/charged twice/);
    (await panels.dialog()).pick(/Retry 2 Unconfirmed Files|Index 2/);
    assert.match(await panels.indexedInto('lost'), /2 of 2/);
  });

  it('retries failed files only, once they are fixed', async () => {
    const { panels } = suite;
    const few = path.join(panels.workspace, 'few/set-2');
    await panels.index('few', 'lost');
    (await panels.dialog()).pick('Index 6 Files');
    assert.match(await panels.indexedInto('lost'), /5 of 6 files.* 1 failed/);
    await fs.copyFile(path.join(few, 'picture-203.png'), path.join(few, 'picture-202.png'));
    const dataset = await panels.row('Scopes', /^Image Similarity.*1 failed/);
    await panels.rowMenu(dataset, 'Retry Failed Files');
    (await panels.dialog()).pick('Index 1 File');
    assert.match(await panels.indexedInto('lost'), /1 of 1/);
    await panels.row('Scopes', /^Image Similarity.*8 items/);
  });

  it('cancel, and keep the indexed files', async () => {
    const { panels, service } = suite;
    service.hold(1);
    await panels.index('others', 'cancelled');
    (await panels.dialog()).pick(`Index ${JOB_IMAGES} Files`);
    await untilUnderWay();
    // From the palette: the only job needs no question.
    await panels.runCommand('Model Bench: Cancel Indexing');
    const isStopping = async () =>
      (await panels.rows('Scopes')).some(({ contextValue }) => contextValue === 'modelBench.job.stopping');
    await panels.until(isStopping, 'The job that stops');
    service.release();
    const ended = await panels.indexedInto('cancelled');
    const indexed = Number(/(\d+) of 96/.exec(ended)?.[1]);
    const times = await indexedIn('cancelled');
    assert.equal(times.size, indexed);
    assert.ok(indexed < JOB_IMAGES, ended);
  });

  it('discards an interrupted job, and does not offer it again', async () => {
    const { panels, service } = suite;
    service.hold(1);
    await panels.index('others', 'cancelled');
    (await panels.dialog()).pick(/^Index \d+ Files$/);
    await untilUnderWay();
    await panels.reload();
    await panels.press(/Indexing into cancelled was interrupted/, 'Discard Remaining Files');
    const store = await openStore(storeFolder(panels.globalStorage));
    await eventually(() => assert.deepEqual(indexJobs(store).list(), []));
    await store.close();
    service.cut();
    // The tree shows its known state: no outcome is lost.
    const times = await indexedIn('cancelled');
    const { length } = [...times].filter(([, often]) => often > 1);
    assert.equal(length, 0);
    await panels.row('Scopes', 'cancelled');
  });

  it('indexes and searches texts, as the contract of their model describes', async () => {
    const { panels } = suite;
    await panels.index('notes', 'notes', /text similarity/i);
    (await panels.dialog()).pick('Index 3 Files');
    assert.match((await panels.notification(/Indexed \d+ of \d+ files? into notes/)).text, /3 of 3/);
    await panels.press(/Indexed \d+ of \d+ files? into notes/, 'Search Scope…');
    const page = await panels.page('Search notes');
    await page.getByLabel('Text to search with').fill('bicycle');
    await page.getByLabel('Text to search with').press('Enter');
    const first = page.getByRole('button', { name: /^Hit 1: / });
    await first.waitFor();
    assert.match((await first.getAttribute('aria-label')) ?? '', /notes\/bike\.txt/);
    await page.getByRole('listitem').first().getByText('Repair the bicycle before the weekend.').waitFor();
  });

  it('searches with a text file by its context menu, once such a model is known', async () => {
    const { panels } = suite;
    await panels.explorerMenu('Find Similar', 'notes/train.txt');
    // Images are in the other scopes: the text's own is the only one meant.
    const page = await panels.page('Search notes');
    await page.getByRole('button', { name: 'train.txt', exact: true }).waitFor();
    await check(page.getByRole('checkbox', { name: 'Show the query itself' }));
    await page.getByRole('button', { name: /^Hit 1: notes\/train\.txt/ }).waitFor();
    await page.getByRole('button', { name: 'Search with This File Again' }).waitFor();
    await panels.explorerMenu('Index Image with Model', 'notes/train.txt');
    await panels.answer(/Into which scope/, 'notes');
    await panels.notification(/the file is already in notes and unchanged/);
    panels.clearNotifications();
  });

  it('add a scope by name, and explain the consequences of forgetting a scope', async () => {
    const { panels } = suite;
    panels.command('modelBench.addScope');
    await panels.answer(/Search with which model/, /image similarity/i);
    await panels.enter(/Search in which scope/, 'elsewhere');
    await panels.answer(/Search in which scope/, 'elsewhere');
    const scope = await panels.row('Scopes', /^elsewhere/);
    await panels.rowMenu(scope, 'Forget Scope');
    await panels.dialog(/The service keeps the data/);
    (await panels.dialog()).pick('Forget');
    await panels.noRow('Scopes', 'elsewhere');
  });
});
