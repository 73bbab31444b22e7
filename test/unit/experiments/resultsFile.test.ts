import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { appendLines, appendResults } from '../../../src/experiments/resultsFile';

describe('The files of large results', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-results-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const append = (bytes: string) =>
    appendResults(path.join(folder, 'a.results.jsonl'), [
      { line: '{}', files: [{ name: 'a.results/1.png', bytes: Buffer.from(bytes) }] },
    ]);
  const place = () => path.join(folder, 'a.results', '1.png');

  it('stay untouched when the same is written again, as a table may be showing them', async () => {
    await append('picture');
    await utimes(place(), 1, 1);
    await append('picture');
    assert.equal((await stat(place())).mtimeMs, 1_000);
    assert.equal(await readFile(path.join(folder, 'a.results.jsonl'), 'utf8'), '{}\n{}\n');
  });

  for (const before of ['pictuRe', 'pict', 'a longer picture', ''])
    it(`replace the content of another writer: “${before}”`, async () => {
      await append(before);
      await writeFile(place(), before);
      await append('picture');
      assert.equal(await readFile(place(), 'utf8'), 'picture');
    });
});

describe('The lines of a results file', () => {
  it('stay whole where several writers add to them, however many one of them adds at once', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'model-bench-results-'));
    const file = path.join(folder, 'a.results.jsonl');
    // As long as results may be in their lines, and more than Node.js writes in one piece by itself.
    const many = Array.from({ length: 200 }, (_, n) => JSON.stringify({ n, text: 'x'.repeat(16_000) }));
    let isDone = false;
    const others = Array.from({ length: 4 }, async () => {
      while (!isDone) await appendLines(file, ['{"other":true}']);
    });
    for (let time = 0; time < 5; time++) await appendLines(file, many);
    isDone = true;
    await Promise.all(others);
    const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
    await rm(folder, { recursive: true });
    const torn = lines.filter((line) => line !== '{"other":true}' && !many.includes(line));
    assert.equal(torn.length, 0);
  });
});
