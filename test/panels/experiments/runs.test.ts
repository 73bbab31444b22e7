import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { readResults } from '../../support/atOnce';
import { makePictures } from '../../support/pictures';
import { useService } from '../useService';

const IMAGES = 10;
const COLORS = [2, 3, 4, 5];
/** Runs that get a response before the window is closed, and those in flight then: as many as are sent at once. */
const [ANSWERED, AT_ONCE] = [10, 8];

describe('The runs of an experiment, from a right-click through a closed window to their results', () => {
  const suite = useService({
    environments: ['test'],
    prepare: (folder) => makePictures(path.join(folder, 'photos'), IMAGES),
  });
  const { sent } = suite;
  const file = () => path.join(suite.panels.workspace, 'photos.experiment.json');
  const resultsFile = () => path.join(suite.panels.workspace, 'photos.results.jsonl');
  const results = async () => readResults(await fs.readFile(resultsFile(), 'utf8')).results;

  it('writes an experiment over a folder, of a model that takes its files, and runs nothing', async () => {
    const { panels } = suite;
    await panels.explorerMenu('Experiment with Model…', 'photos');
    await panels.answer(/Run which model on the files/, /palette/i);
    await panels.page('photos.experiment.json');
    assert.deepEqual(JSON.parse(await fs.readFile(file(), 'utf8')), {
      version: 1,
      run: { model: 'color-palette', input: {} },
      over: { files: 'photos/**/*.png', map: { '/input/image': 'file' } },
    });
    assert.equal(await sent(), 0);
  });

  it('ask once, with their number and cost, and then run', async () => {
    const { panels, service } = suite;
    const document = panels.window.documents.open.find(({ fileName }) => fileName === file())!;
    const experiment = JSON.parse(document.getText());
    panels.window.documents.type(
      document,
      JSON.stringify({ ...experiment, vary: { '/params/colors': COLORS } }),
    );
    await document.save();
    service.hold(ANSWERED);
    await panels.runCommand('Model Bench: Run Experiment');
    const text = (await panels.dialog()).text.replaceAll(/\s+/g, ' ');
    assert.match(text, /Start 40 runs in “test”\?/);
    assert.match(text, /4 values × 10 files = 40 runs/);
    assert.match(text, /40 runs, about \$/);
    assert.equal(await sent(), 0);
    await panels.answer(/Start 40 runs/, 'Start 40 Runs');
    await panels.until(
      () => panels.window.progress.some((text) => text.includes('Running photos.experiment.json')),
      'The progress of the runs',
    );
  });

  it('resume after their window was closed', async () => {
    const { panels, service } = suite;
    // One that has not left yet is given back when the window closes, and is not unconfirmed.
    await panels.until(async () => (await sent()) === ANSWERED + AT_ONCE, 'All runs in flight');
    await panels.reload();
    const { text } = await panels.notification(/photos\.experiment\.json was interrupted/);
    service.cut();
    await panels.press(/was interrupted/, 'Resume');
    const unconfirmed = Number(/(\d+) are unconfirmed/.exec(text)?.[1] ?? 0);
    const page = await panels.page('photos.experiment.json');
    await page.getByText(`${40 - unconfirmed} of 40 runs finished.`).waitFor({ state: 'attached' });
    await panels.until(async () => (await results()).length === 40, 'All results');
    const lines = await results();
    assert.equal(lines.filter(({ state }) => state === 'unconfirmed').length, unconfirmed);
    assert.ok((await sent()) <= 40);
    assert.deepEqual(new Set(lines.map(({ variation }) => variation['/params/colors'])), new Set(COLORS));
  });

  it('restores results that git has rolled back, and pays for nothing again', async () => {
    const { panels } = suite;
    panels.clearNotifications();
    const before = await sent();
    const all = await results();
    const whole = await fs.readFile(resultsFile(), 'utf8');
    const left = whole.split('\n').slice(0, 6).join('\n');
    await fs.writeFile(resultsFile(), `${left}\n`);
    await panels.runCommand('Model Bench: Run Experiment');
    const kept = readResults(left);
    const lost = all.length - (kept.results.length - kept.sent.size);
    await panels.answer(
      `${lost} results are no longer in photos.results.jsonl. Restore them?`,
      'Restore Results',
    );
    // Unconfirmed runs may be sent again, by the user's choice.
    if (all.some(({ state }) => state === 'unconfirmed'))
      (await panels.dialog(/Start \d+ runs? in/)).cancel();
    else await panels.notification(/Nothing to run: all 40 runs have finished/);
    assert.equal((await results()).length, 40);
    assert.equal(await sent(), before);
  });

  it('restore the result of an unreadable line, and send no run again', async () => {
    const { panels } = suite;
    panels.clearNotifications();
    const before = await sent();
    const lines = (await fs.readFile(resultsFile(), 'utf8')).split('\n');
    const at = lines.findIndex((line) => line.includes('"state":"finished"'));
    const torn = lines.with(at, lines[at]!.slice(0, 120));
    await fs.writeFile(resultsFile(), torn.join('\n'));
    await panels.runCommand('Model Bench: Run Experiment');
    await panels.answer('1 result is no longer in photos.results.jsonl. Restore it?', 'Restore Results');
    await panels.until(
      async () => (await fs.readFile(resultsFile(), 'utf8')).split('\n').length > lines.length || undefined,
      'The result of that line',
    );
    assert.equal(await sent(), before);
  });
});

describe('The runs under way of an experiment that is changed meanwhile', () => {
  const text = (colors: readonly number[]) =>
    JSON.stringify({
      run: { model: 'color-palette', input: {} },
      vary: { '/params/colors': colors },
      over: { files: 'photos/**/*.png', map: { '/input/image': 'file' } },
    });
  const suite = useService({
    prepare: async (folder) => {
      await makePictures(path.join(folder, 'photos'), IMAGES);
      await fs.writeFile(path.join(folder, 'photos.experiment.json'), text(COLORS));
    },
  });

  it('differ by the version of the file that planned them', async () => {
    const { panels, service } = suite;
    panels.openFile('photos.experiment.json');
    const page = await panels.page('photos.experiment.json');
    await page.getByRole('button', { name: /^Run 40/ }).click();
    service.hold(0);
    await panels.answer(/Start 40 runs/, 'Start 40 Runs');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    const { documents } = panels.window;
    const document = documents.open.find(({ fileName }) => fileName.endsWith('photos.experiment.json'))!;
    documents.type(document, text([2, 3, 4, 6]));
    await page
      .getByText(
        /10 runs under way are of an earlier version of the file\. 10 new runs of the file are not among them\. Cancel, then run it again/,
      )
      .waitFor();
    documents.type(document, text(COLORS));
    await page.getByText(/Cancel, then run it again/).waitFor({ state: 'detached' });
    service.release();
  });
});
