import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ExperimentItem } from '../../../../src/experiments/file/items';
import { htmlReport } from '../../../../src/experiments/report/html';
import { type DrawSmall, reportRows } from '../../../../src/experiments/report/rows';
import { reportOf } from '../../../support/experiments/reportTexts';
import { tableOf } from '../../../support/experiments/table';

const SMALL = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');

describe('The pictures of a report', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-report-'));
    await mkdir(path.join(folder, 'a.results'));
    for (const name of ['photo.jpg', 'a.results/drawn.png']) {
      await writeFile(path.join(folder, name), '');
      await truncate(path.join(folder, name), 5_000_000);
    }
    await writeFile(path.join(folder, 'small.gif'), SMALL);
  });
  after(() => rm(folder, { recursive: true }));

  const itemOf = (filename: string): ExperimentItem => {
    const place = path.join(folder, filename);
    const uri = pathToFileURL(place).href;
    const file = { path: place, uri, filename, sizeBytes: 5_000_000, sha256: '' };
    return { name: filename, values: { '/input/image': { media_ref: uri, filename } }, files: [file] };
  };
  const rowsOf = async (items: readonly ExperimentItem[], drawSmall?: DrawSmall) => {
    const table = tableOf({
      variations: [{ '/model': 'a' }],
      items,
      line: () => ({ result_file: 'a.results/drawn.png' }),
    });
    const source = {
      ...{ table, metrics: [], order: [...items.keys()], columns: [0], folder, locale: 'en' },
      resultPath: (name: string) => name,
      ...(drawSmall && { drawSmall }),
    };
    return (await reportRows(source, new AbortController().signal))!;
  };
  const uriOf = (length: number) => 'data:image/webp;base64,'.padEnd(length, 'A');

  it('fit for 1,000 rows into 5 MB, each up to its limit, without a path', async () => {
    const items = Array.from({ length: 1_000 }, () => itemOf('photo.jpg'));
    const rows = await rowsOf(items, async (_, __, most) => uriOf(most));
    const texts = reportOf('x', { name: 'n', size: '', columns: [{ name: 'a', words: [] }] });
    const html = htmlReport(texts, rows, 'en');
    assert.equal(html.split('<img ').length - 1, 2_000);
    assert.ok(Buffer.byteLength(html) < 5_000_000, String(Buffer.byteLength(html)));
    assert.doesNotMatch(html, /left out|<script|file:|https:|model-bench-report/);
  });

  it('stay unchanged when they are small, and are drawn within a limit of length', async () => {
    const asked: number[] = [];
    const [row] = await rowsOf([itemOf('small.gif')], async (_, __, most) => {
      asked.push(most);
      return uriOf(100);
    });
    assert.equal(row!.inputs[0]!.picture, `data:image/gif;base64,${SMALL.toString('base64')}`);
    assert.equal(row!.cells[0]!.picture, uriOf(100));
    assert.deepEqual(asked, [20_000]);
  });

  it('stay out when the page draws none, or one that is too long', async () => {
    for (const drawn of [undefined, uriOf(20_001)]) {
      const [row] = await rowsOf([itemOf('photo.jpg')], async () => drawn);
      assert.deepEqual([row!.inputs[0]!.picture, row!.cells[0]!.picture], [undefined, undefined]);
    }
    const [alone] = await rowsOf([itemOf('photo.jpg'), itemOf('small.gif')]);
    assert.deepEqual([alone!.inputs[0]!.text, alone!.inputs[0]!.picture], ['photo.jpg', undefined]);
    const [row] = await rowsOf([itemOf('photo.jpg')], () => Promise.reject(new Error('closed')));
    assert.equal(row!.inputs[0]!.text, 'photo.jpg');
  });

  it('come from local files of a type that a browser shows, and count further ones', async () => {
    const other = { ...itemOf('small.gif'), files: [] };
    const table = tableOf({
      variations: [{}, {}, {}].map((_, at) => ({ '/params/k': at })),
      items: [other],
      line: ({ variation }) => ({
        ...[
          { result_file: 'small.gif', other_files: ['small.gif', 'small.gif'] },
          { result_file: 'sound.mp3' },
          { result_file: '../small.gif' },
        ][variation]!,
      }),
    });
    const source = { table, metrics: [], order: [0], columns: [0, 1, 2], folder, locale: 'en' };
    const [row] = (await reportRows(
      { ...source, resultPath: (name) => (name.startsWith('..') ? undefined : name) },
      new AbortController().signal,
    ))!;
    assert.equal(row!.inputs[0]!.picture, undefined, 'not read for the run');
    assert.deepEqual(
      row!.cells.map(({ picture, facts, text, isCaptioned }) => [
        picture !== undefined,
        facts,
        text,
        isCaptioned,
      ]),
      [
        [true, '+2', 'small.gif', false],
        [false, undefined, 'sound.mp3', true],
        [false, undefined, 'small.gif', false],
      ],
    );
  });
});

describe('The cells of a report', () => {
  it('show scores as the table does, in the language of the report', async () => {
    for (const [score, locale, wanted] of [
      [0.9126, 'de', 'cat (0,913)'],
      [0.00042, 'en', 'cat (4.2e-4)'],
    ] as const) {
      const result = [
        { label: 'cat', score },
        { label: 'dog', score: score / 2 },
      ];
      const table = tableOf({
        variations: [{}],
        items: [{ name: 'row 1', values: {}, files: [] }],
        line: () => ({ result }),
      });
      const source = { table, metrics: [], order: [0], columns: [0], folder: '/', locale };
      const [row] = (await reportRows(
        { ...source, resultPath: () => undefined },
        new AbortController().signal,
      ))!;
      assert.equal(row!.cells[0]!.text, wanted);
    }
  });
});
