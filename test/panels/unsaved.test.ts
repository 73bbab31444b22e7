import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readResults } from '../support/atOnce';
import { useService } from './useService';

/** Of SQLite. */
const FULL = 13;

describe('A response that is received while the disk is full', () => {
  const suite = useService();
  let isFull = false;
  const { exec } = DatabaseSync.prototype;
  before(() => {
    // Of this process only the extension begins its changes so.
    DatabaseSync.prototype.exec = function (sql: string) {
      if (isFull && sql.includes('BEGIN IMMEDIATE'))
        throw Object.assign(new Error('database or disk is full'), {
          ...{ code: 'ERR_SQLITE_ERROR', errcode: FULL },
        });
      exec.call(this, sql);
    };
  });
  afterEach(() => {
    isFull = false;
  });
  after(() => {
    DatabaseSync.prototype.exec = exec;
  });
  const fillsUp = () =>
    suite.service.change('/api/runs', () => {
      isFull = true;
      suite.service.change('/api/runs');
      return {};
    });
  const shown = (text: RegExp) =>
    suite.panels.until(() => suite.panels.window.progress.find((one) => text.test(one)), String(text));

  it('stays in memory with a notice, and is saved when there is room', async () => {
    const { panels } = suite;
    await panels.runCommand('Model Bench: Run Model…');
    await panels.answer('Choose a model to run', /Sentiment/);
    const page = await panels.page(/Sentiment/);
    await page.getByRole('textbox', { name: /text/i }).first().fill('What a lovely day.');
    fillsUp();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await shown(/Responses not saved yet.*1 response was received but is not saved yet\. .*full/s);
    isFull = false;
    await panels.row('History', /\$0\.00.*Sentiment/);
    await page.getByRole('region', { name: 'Result' }).getByText('positive').first().waitFor();
  });

  it('holds an experiment back, and counts in its results', async () => {
    const { panels } = suite;
    const file = path.join(panels.workspace, 'try.experiment.json');
    const vary = { '/input/text': ['good', 'bad', 'so so'] };
    await writeFile(file, JSON.stringify({ run: { model: 'sentiment', input: {} }, vary }));
    fillsUp();
    panels.command('modelBench.runExperiment', panels.uri('try.experiment.json'));
    await panels.answer(/Start 3 runs/, /Start 3 Runs/);
    await shown(/Running try\.experiment\.json.*not saved yet/s);
    isFull = false;
    const results = file.replace('.experiment.json', '.results.jsonl');
    await panels.until(async () => {
      const read = readResults(await readFile(results, 'utf8').catch(() => ''));
      return read.results.filter(({ state }) => state === 'finished').length >= 1;
    }, 'the results');
    assert.ok((await suite.sent()) <= 4, 'no run is sent twice');
  });
});
