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
    const summary = { runs: '', metrics: [], comparisons: [] };
    const texts = reportOf('x', { name: 'n', size: '', columns: [{ name: 'a', summary }] });
    const html = htmlReport(texts, rows, 'en');
    assert.equal(html.split('<img ').length - 1, 2_000);
    assert.ok(Buffer.byteLength(html) < 5_000_000, String(Buffer.byteLength(html)));
    assert.doesNotMatch(html, /left out|<script|file:|https:|model-bench-report/);
  });
});
