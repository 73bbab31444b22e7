import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readModel } from '../../../src/contracts/model';
import { loadExperiment } from '../../../src/experiments/file/load';
import { turnsOfOthers } from '../../support/turnsOfOthers';

const contract = readModel({ slug: 'm', modes: { execute: { input_schema: { type: 'object' } } } }, 'm')!;

describe('An experiment that is too large', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-size-'));
    await writeFile(path.join(folder, 'rows.csv'), `text\n${'a\n'.repeat(5_000)}`);
  });
  after(() => rm(folder, { recursive: true }));

  const load = async (variations: number, more: object) => {
    const experiment = {
      run: { model: 'm', input: {} },
      vary: { '/params/k': { from: 1, to: variations, step: 1 } },
      over: { rows: 'rows.csv', map: { '/input/text': 'text' } },
      ...more,
    };
    const text = JSON.stringify(experiment);
    const file = path.join(folder, 'a.experiment.json');
    const { loaded, problems } = await loadExperiment(file, text, async () => contract);
    return loaded ? loaded.plan.runs.length : problems.map(({ message }) => message).join(' ');
  };

  it('fails with a message instead of filling the memory: by its runs, and by the cells of its table', async () => {
    const most = 'are possible at once. Choose some of them with "sample".';
    assert.equal(await load(100, { repeats: 1000 }), `This experiment has 500000000 runs; 200000 ${most}`);
    assert.match(String(await load(10_000, {})), /more cells than a table can have \(2000000\)/);
    const texts = Array.from({ length: 50 }, (_, at) => `text ${at}\n`).join('');
    await writeFile(path.join(folder, 'texts.csv'), `text\n${texts}`);
    const over = { rows: 'texts.csv', map: { '/input/text': 'text' } };
    assert.equal(await load(10, { over, sample: { inputs: 3 }, repeats: 2 }), 10 * 3 * 2);
  });

  it('names texts of files that are too long together', async () => {
    await writeFile(path.join(folder, 'long.text'), 'x'.repeat(990_000));
    const places = Array.from({ length: 51 }, (_, at) => [`/input/p${at}`, 'text']);
    const over = { files: '*.text', map: Object.fromEntries(places) };
    assert.match(String(await load(1, { over })), /^The texts of the files have more than 50 MB together/);
  });

  it('lets others work while its runs are planned', async () => {
    const texts = Array.from({ length: 2_000 }, (_, at) => `text ${at}\n`).join('');
    await writeFile(path.join(folder, 'many.csv'), `text\n${texts}`);
    const over = { rows: 'many.csv', map: { '/input/text': 'text' } };
    const { result, turns } = await turnsOfOthers(() => load(10, { over }));
    assert.equal(result, 20_000);
    assert.ok(turns > 20, String(turns));
  }).timeout(60_000);
});
