import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { appendLines, appendResults, readKnownResults } from '../../../src/experiments/resultsFile';
import { ResultsWriter } from '../../../src/experiments/resultsWriter';
import { StoreProblem } from '../../../src/store/storeProblem';
import { eventually } from '../../support/eventually';

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

describe('The known end of a results file', () => {
  it('follows its last whole line, in a file of any length', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'model-bench-results-'));
    const file = path.join(folder, 'a.results.jsonl');
    // Around the half megabyte that is read at once.
    const length = fc.oneof(fc.nat(200), fc.integer({ min: 2 ** 19 - 80, max: 2 ** 19 + 80 }));
    await fc.assert(
      fc.asyncProperty(fc.array(length, { maxLength: 3 }), fc.nat(80), async (lengths, torn) => {
        const lines = lengths.map((n) => `${'x'.repeat(n)}\n`).join('');
        await writeFile(file, lines + 'y'.repeat(torn));
        const { end } = await readKnownResults(file);
        const mark = Buffer.from(end!.mark).toString();
        assert.deepEqual([end!.offset, mark], [lines.length, lines.slice(-64)]);
      }),
      { numRuns: 40 },
    );
    await rm(folder, { recursive: true });
  });
});

describe('New results', () => {
  const nothing = { noteWritten: async () => undefined };

  it('reach their file soon, without a request for that', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'model-bench-results-'));
    const file = path.join(folder, 'a.results.jsonl');
    const left = [['{"n":1}'], ['{"n":2}']].map((lines) => lines.map((line) => ({ line }) as never));
    const writer = new ResultsWriter({ ...nothing, unwritten: () => left.shift() ?? [] }, file, (error) =>
      assert.fail(String(error)),
    );
    writer.poke();
    writer.poke();
    await eventually(async () => assert.equal(await readFile(file, 'utf8'), '{"n":1}\n{"n":2}\n'));
    await rm(folder, { recursive: true });
  });

  it('say why they cannot be written, but not when the store is closed, which keeps them', async () => {
    const failing = async (error: Error) => {
      const told: unknown[] = [];
      let isTried = false;
      const unwritten = () => {
        isTried = true;
        throw error;
      };
      new ResultsWriter({ ...nothing, unwritten }, 'none', (one) => told.push(one)).poke();
      await eventually(() => isTried);
      await new Promise((resolve) => setImmediate(resolve));
      return told;
    };
    const full = new StoreProblem('diskFull', 'full');
    assert.deepEqual(await failing(full), [full]);
    assert.deepEqual(await failing(new StoreProblem('closed', 'closed')), []);
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
