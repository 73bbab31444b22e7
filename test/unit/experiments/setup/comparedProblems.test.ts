import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ExperimentFile } from '../../../../src/experiments/file/format';
import { comparedProblems } from '../../../../src/experiments/setup/comparedProblems';

describe('The compared part, while an experiment is edited', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'compared-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** The warnings of an experiment whose inputs have these results. */
  const said = async (
    members: object,
    files: Readonly<Record<string, string>>,
    results: Readonly<Record<string, unknown>>,
  ) => {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), text);
    }
    const lines = Object.entries(results).map(([item, result], repeat) =>
      JSON.stringify({
        ...{ custom_id: `run-${repeat}`, variation: {}, item, repeat: 0, request_sha256: item },
        ...{ state: 'finished', result },
      }),
    );
    await writeFile(path.join(folder, 'try.results.jsonl'), `${lines.join('\n')}\n`);
    const experiment = { run: { model: 'a', input: {} }, ...members } as unknown as ExperimentFile;
    const found = await comparedProblems(experiment, path.join(folder, 'try.experiment.json'));
    return found.map(({ pointer, message }) => `${pointer}: ${message}`);
  };
  const isObject = (pointer: string) => [
    `${pointer}: The compared part, the whole result, is an object in every result of this model. Compare one of its parts: /label.`,
  ];
  const objects = { 'row 2': { label: 'cat' }, 'row 3': { label: 'dog' } };
  const rows = (name: string) => ({ rows: name, map: { '/input/text': 'text' } });

  it('replaces the whole result, an object each time, where a table expects labels', async () => {
    const experiment = { over: rows('rows.csv'), expected: { column: 'label' } };
    const csv = (label: string) => ({ 'rows.csv': `text,label\nfirst,${label}\nsecond,dog\n` });
    assert.deepEqual(await said(experiment, csv('cat'), objects), isObject('/expected'));
    assert.deepEqual(
      await said({ ...experiment, expected: { column: 'label', at: '/label' } }, {}, objects),
      [],
    );
    assert.deepEqual(await said(experiment, csv('cat'), { ...objects, 'row 4': 'cat' }), []);
    assert.deepEqual(await said(experiment, csv('"{""label"":""cat""}"'), objects), [], 'JSON is expected');
    assert.deepEqual(await said(experiment, { 'rows.csv': 'other\n1\n' }, objects), [], 'not known');
  });

  it('stays without a warning before the first result, and where people judge', async () => {
    const over = rows('rows.csv');
    const files = { 'rows.csv': 'text,label\nfirst,cat\n' };
    assert.deepEqual(await said({ over, expected: { column: 'label' } }, files, {}), []);
    assert.deepEqual(await said({ over, expected: { judged: true } }, files, objects), []);
    assert.deepEqual(await said({ over }, files, objects), []);
    assert.deepEqual(await said({ over, expected: { column: 'label', at: '/lable' } }, files, objects), [
      '/expected/at: None of the 2 results of this model has a value at /lable. Did you mean /label?',
    ]);
  });
});
