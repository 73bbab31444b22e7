import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { openJournal } from '../../../src/journal/openJournal';
import { tellFigures } from '../../support/figures';

interface Entry {
  readonly id: string;
  readonly value?: unknown;
}

function parseEntry(value: unknown): Entry | undefined {
  return typeof value === 'object' && value !== null && 'id' in value ? (value as Entry) : undefined;
}

/** `npm run faults` asks for ten times as many. */
const JOURNALS = Number(process.env.MODEL_BENCH_FAULTS_JOURNALS ?? 5);

describe('A journal', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await fs.mkdtemp(join(tmpdir(), 'journal-'));
  });
  afterEach(() => fs.rm(folder, { recursive: true }));
  const open = (name = 'a.jsonl') => openJournal(join(folder, name), parseEntry);

  it('gives back what was appended, in order, after it is opened again', async () => {
    const journal = await open();
    await Promise.all(Array.from({ length: 500 }, (_, n) => journal.append({ id: String(n) })));
    await journal.close();
    assert.deepEqual(
      (await open()).records.map((entry) => entry.id),
      Array.from({ length: 500 }, (_, n) => String(n)),
    );
  });

  it('writes what is appended together in few writes', async () => {
    const journal = await open();
    await Promise.all(Array.from({ length: 100 }, (_, n) => journal.append({ id: String(n) })));
    const text = await fs.readFile(join(folder, 'a.jsonl'), 'utf8');
    const batches = text.split('\n\n').length;
    assert.ok(batches <= 2, `${batches} batches`);
  });

  it('opens when cut at every byte of its last two records, and loses at most the one that was cut', async () => {
    let cuts = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 4 }), async (values) => {
        const file = join(folder, `cut-${Math.random()}.jsonl`);
        const journal = await openJournal(file, parseEntry);
        const entries = values.map((value, n) => ({ id: `é${n}`, value: JSON.parse(JSON.stringify(value)) }));
        const ends: number[] = [];
        for (const entry of entries) {
          await journal.append(entry);
          ends.push((await fs.stat(file)).size);
        }
        const whole = await fs.readFile(file);
        const from = ends.at(-3) ?? 0;
        for (let cut = from; cut <= whole.length; cut++) {
          cuts++;
          const torn = join(folder, 'torn.jsonl');
          await fs.writeFile(torn, whole.subarray(0, cut));
          const opened = await openJournal(torn, parseEntry);
          const complete = ends.filter((end) => end <= cut).length;
          assert.deepEqual(opened.records.slice(0, complete), entries.slice(0, complete));
          assert.ok(opened.records.length <= complete + 1);
          // And what is appended after the cut is not glued to it.
          await opened.append({ id: 'after' });
          const again = await openJournal(torn, parseEntry);
          assert.equal(again.records.at(-1)?.id, 'after');
          assert.deepEqual(again.records, opened.records);
        }
      }),
      { numRuns: JOURNALS },
    );
    tellFigures({
      case: 'a journal cut at a byte of its last two records',
      ...{ tried: cuts, lost: 0, doubled: 0, leaked: 0 },
      note: 'no more than the record that was cut',
    });
  }).timeout(20_000 + JOURNALS * 2_000);

  it('skips and reports a torn line in the middle', async () => {
    await fs.writeFile(join(folder, 'a.jsonl'), '{"id":"1"}\n{"id":"2","va\n{"id":"3"}\n');
    const told: string[] = [];
    const journal = await openJournal(join(folder, 'a.jsonl'), parseEntry, {
      onUnreadable: (line) => told.push(line),
    });
    assert.deepEqual(
      journal.records.map((entry) => entry.id),
      ['1', '3'],
    );
    assert.deepEqual(told, ['{"id":"2","va']);
    assert.equal(journal.unreadable, 1);
  });

  it('sees on refresh what another has appended, and only that', async () => {
    const ours = await open();
    const theirs = await open();
    await ours.append({ id: 'ours' });
    await theirs.append({ id: 'theirs 1' });
    await ours.append({ id: 'ours too' });
    await theirs.append({ id: 'theirs 2' });
    assert.deepEqual(
      (await ours.refresh()).map((entry) => entry.id),
      ['theirs 1', 'theirs 2'],
    );
    assert.deepEqual(await ours.refresh(), []);
    assert.deepEqual(
      ours.records.map((entry) => entry.id),
      ['ours', 'theirs 1', 'ours too', 'theirs 2'],
    );
  });

  it('is replaced as a whole, keeps what others appended meanwhile, and the others notice', async () => {
    const ours = await open();
    const theirs = await open();
    await ours.append({ id: 'old' });
    await theirs.refresh();
    await theirs.append({ id: 'unseen' });
    await ours.rewrite([{ id: 'new' }]);
    assert.deepEqual(
      ours.records.map((entry) => entry.id),
      ['new', 'unseen'],
    );
    const generation = theirs.generation;
    await theirs.refresh();
    assert.notEqual(theirs.generation, generation);
    assert.deepEqual(theirs.records, ours.records);
    await theirs.append({ id: 'later' });
    assert.deepEqual((await ours.refresh()).at(-1), { id: 'later' });
  });

  it('loses nothing when several processes append while one of them compacts', async () => {
    const file = join(folder, 'shared.jsonl');
    const writers = ['a', 'b', 'c'].map((name) =>
      spawn(process.execPath, ['--import', 'tsx', 'test/support/journalWriter.ts', file, name, '60'], {
        stdio: 'inherit',
      }),
    );
    const codes = await Promise.all(writers.map(async (writer) => (await once(writer, 'exit'))[0]));
    assert.deepEqual(codes, [0, 0, 0]);
    const ids = new Set((await openJournal(file, parseEntry)).records.map((entry) => entry.id));
    for (const name of ['a', 'b', 'c'])
      for (let n = 0; n < 60; n++) assert.ok(ids.has(`${name}${n}`), `${name}${n} is there`);
  }).timeout(30_000);

  it('opens 100,000 records, whole and in order', async () => {
    const entries = Array.from({ length: 100_000 }, (_, n) => ({
      id: `folder/of/images/picture-${n}.png`,
      value: { sha256: 'a'.repeat(64), at: n },
    }));
    const file = join(folder, 'long.jsonl');
    await fs.writeFile(file, `${entries.map((entry) => JSON.stringify(entry)).join('\n')}\n`);
    assert.deepEqual((await openJournal(file, parseEntry)).records, entries);
  });
});
