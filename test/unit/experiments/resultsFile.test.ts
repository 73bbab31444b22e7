import assert from 'node:assert/strict';
import { appendFile, mkdtemp, open, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import {
  appendLines,
  appendResults,
  FileReplaced,
  ResultsFile,
} from '../../../src/experiments/results/resultsFile';
import { ResultsWriter } from '../../../src/experiments/results/resultsWriter';
import { StoreProblem } from '../../../src/store/storeProblem';
import { readResults } from '../../support/atOnce';
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

describe('A results file that is read again and again', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-results-'));
    file = path.join(folder, 'a.results.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true }));
  const lineOf = (id: string) =>
    `${JSON.stringify({ custom_id: id, state: 'finished', note: 'ä'.repeat(9) })}\n`;

  it('gives the same results as one that is read once, however it has grown, been cut, edited or replaced', async () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c').map(lineOf)).map((lines) => lines.join(''));
    const end = fc.constantFrom('', '{"custom_id": "to', '\r\n', '\n');
    const length = fc.constantFrom(0, 2 ** 19 - 20, 2 ** 19);
    const step = fc.record({ text, end, blank: length, does: fc.constantFrom('add', 'write', 'replace') });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 5 }), async (steps) => {
        await rm(file, { force: true });
        const opened = new ResultsFile(file);
        for (const { text: more, end: last, blank, does } of steps) {
          const added = `${' '.repeat(blank)}${more}${last}`;
          if (does === 'add') await appendFile(file, added);
          else if (does === 'write') await writeFile(file, added);
          else {
            await writeFile(`${file}.new`, added);
            await rename(`${file}.new`, file);
          }
          assert.deepEqual(await opened.read(), readResults(await readFile(file, 'utf8')));
        }
      }),
      { numRuns: 60 },
    );
  });

  const ways: Readonly<Record<string, () => Promise<void>>> = {
    shorter: () => writeFile(file, lineOf('a')),
    'another of the same length': async () => {
      await writeFile(`${file}.new`, await readFile(file));
      await rename(`${file}.new`, file);
    },
    'one with other lines': async () => writeFile(file, `${lineOf('c')}${await readFile(file, 'utf8')}`),
    gone: () => rm(file),
  };
  for (const [way, change] of Object.entries(ways))
    it(`takes no line once it is ${way}`, async () => {
      await writeFile(file, lineOf('a') + lineOf('b'));
      const opened = await ResultsFile.open(file);
      await opened.append(['{"custom_id":"d","state":"sent"}']);
      await change();
      const before = await readFile(file, 'utf8').catch(() => undefined);
      await assert.rejects(opened.append([lineOf('e')]), FileReplaced);
      assert.equal(await readFile(file, 'utf8').catch(() => undefined), before);
    });

  it('loses the half line that a full disk has left', async () => {
    await writeFile(file, lineOf('a'));
    const handle = await open(file);
    const files = Object.getPrototypeOf(handle) as {
      write: (...call: readonly unknown[]) => Promise<unknown>;
    };
    await handle.close();
    const { write } = files;
    let times = 0;
    files.write = function (bytes, ...more) {
      if (times++ > 0) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      return Reflect.apply(write, this, [(bytes as Uint8Array).subarray(0, 10), ...more.slice(1)]);
    };
    try {
      await assert.rejects(appendLines(file, [lineOf('b')]), /full/);
    } finally {
      files.write = write;
    }
    assert.equal(await readFile(file, 'utf8'), lineOf('a'));
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

  it('stay to be written while their file cannot be', async () => {
    const noted: unknown[] = [];
    const results = {
      unwritten: () => [{ customId: 'a', state: 'finished', line: '{}', at: 1 } as const].slice(noted.length),
      noteWritten: async () => void noted.push('a'),
    };
    const file = path.join(tmpdir(), 'no such folder', 'a.results.jsonl');
    await assert.rejects(new ResultsWriter(results, file, () => assert.fail()).flush(), { code: 'ENOENT' });
    assert.deepEqual(noted, []);
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
