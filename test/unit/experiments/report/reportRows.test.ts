import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ExperimentItem } from '../../../../src/experiments/items';
import { htmlReport } from '../../../../src/experiments/report/html';
import { type DrawSmall, reportRows } from '../../../../src/features/experiments/reportRows';
import { ShownTable } from '../../../../src/features/experiments/shownTable';
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
  const shownOf = (items: readonly ExperimentItem[]) => {
    const table = tableOf({
      variations: [{ '/model': 'a' }],
      items,
      line: () => ({ result_file: 'a.results/drawn.png' }),
    });
    const addresses = {
      input: () => 'https://page/input',
      result: () => 'https://page/result',
      resultPath: (name: string) => name,
    };
    return new ShownTable(
      { metrics: [], table, problems: [], compared: [], earlier: new Map() },
      addresses,
      'en',
    );
  };
  const query = { text: '', show: 'all', fold: false, columns: [0] } as const;
  const rowsOf = async (items: readonly ExperimentItem[], drawSmall: DrawSmall) =>
    (await reportRows(
      shownOf(items),
      folder,
      { ...query, columns: [0] },
      drawSmall,
      new AbortController().signal,
    ))!;
  const uriOf = (length: number) => 'data:image/webp;base64,'.padEnd(length, 'A');

  it('fit for 1,000 rows into 5 MB, each up to its limit, without a path', async () => {
    const items = Array.from({ length: 1_000 }, () => itemOf('photo.jpg'));
    const rows = await rowsOf(items, async (_, __, most) => uriOf(most));
    const summary = { runs: '', metrics: [], comparisons: [] };
    const html = htmlReport({ name: 'n', size: '', columns: [{ name: 'a', summary }] }, rows, 'en');
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
    const [row] = await rowsOf([itemOf('photo.jpg')], () => Promise.reject(new Error('closed')));
    assert.equal(row!.inputs[0]!.text, 'photo.jpg');
  });
});
