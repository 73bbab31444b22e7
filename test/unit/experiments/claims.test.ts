import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { Claims } from '../../../src/experiments/claims';
import { appendLines, readKnownResults } from '../../../src/experiments/resultsFile';
import { mergeResults, readResults } from '../../support/atOnce';

const IDS = ['a', 'b', 'c', 'd', 'e', 'f'];

describe('Claims of runs in a results file', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-claims-'));
    file = path.join(folder, 'try.results.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true }));
  let senders = 0;
  const unexpected = (): void => assert.fail('no other file takes the place of this one');
  const open = async (replaced = unexpected) =>
    new Claims(file, `sender ${senders++}`, await readKnownResults(file), replaced);
  const states = async () =>
    Object.fromEntries(
      readResults(await readFile(file, 'utf8')).results.map(({ custom_id: id, state }) => [id, state]),
    );
  const outcome = (id: string, state: string, at: number) =>
    JSON.stringify({ custom_id: id, state, started_at: new Date(at).toISOString() });

  it('let several senders send each run at most once, whenever they read, stop or are killed', async () => {
    /** The actions of a process with one run: sends it to its end, is killed before, or could not send it. */
    const step = fc.record({
      id: fc.constantFrom(...IDS),
      end: fc.constantFrom('finished', 'failed', 'killed', 'returned'),
      pause: fc.nat(3),
    });
    const process = fc.array(step, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.array(process, { minLength: 2, maxLength: 4 }), async (processes) => {
        await rm(file, { force: true });
        const sent = new Map<string, number>();
        let clock = 1_000_000;
        await Promise.all(
          processes.map(async (steps) => {
            const known = await readKnownResults(file);
            const done = new Set(
              readResults(await readFile(file, 'utf8').catch(() => '')).results.map((one) => one.custom_id),
            );
            const claims = new Claims(file, `sender ${senders++}`, known, unexpected);
            const tried = new Set<string>();
            for (const { id, end, pause } of steps) {
              for (let turn = 0; turn < pause; turn++) await new Promise((resolve) => setImmediate(resolve));
              // A known run is not chosen again, and a job has each run once, unless it was given back.
              if (known.entries.runs.has(id) || done.has(id) || tried.has(id)) continue;
              const at = clock++;
              if (!(await claims.take(id, at))) {
                tried.add(id);
                continue;
              }
              if (end === 'returned') {
                claims.giveBack(id);
                continue;
              }
              sent.set(id, (sent.get(id) ?? 0) + 1);
              tried.add(id);
              if (end === 'killed') return;
              await appendLines(file, [outcome(id, end, at)]);
            }
            await claims.flush();
          }),
        );
        for (const [id, times] of sent) assert.equal(times, 1, `${id} was sent ${times} times`);
        // Every later reader knows each run that was sent.
        const later = await states().catch(() => ({}));
        for (const id of sent.keys()) assert.ok(id in later, `${id} is not known to have been sent`);
      }),
      { numRuns: 300 },
    );
  });

  it('go to one of two senders that claim the same run in the same millisecond', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    const won = await Promise.all(IDS.flatMap((id) => [one.take(id, 1), other.take(id, 1)]));
    assert.equal(won.filter(Boolean).length, IDS.length);
  });

  it('let the user repeat runs that were known at the decision', async () => {
    await appendLines(file, [outcome('a', 'failed', 1), outcome('b', 'unconfirmed', 1)]);
    const killed = await open();
    assert.ok(await killed.take('c', 2));
    const claims = await open();
    assert.deepEqual(await Promise.all(['a', 'b', 'c'].map((id) => claims.take(id, 3))), [true, true, true]);
  });

  it('fail for a run if another sender has recorded its outcome meanwhile', async () => {
    const claims = await open();
    await appendLines(file, [outcome('a', 'failed', 1)]);
    assert.equal(await claims.take('a', 2), false);
    await claims.flush();
    assert.deepEqual(await states(), { a: 'failed' }, 'what was not sent is taken back');
  });

  it('return to a job that gave the run back, and then pass to another', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    assert.ok(await one.take('a', 1));
    one.giveBack('a');
    await one.flush();
    assert.deepEqual(await states(), {});
    assert.ok(await one.take('a', 2));
    assert.equal(await other.take('a', 3), false);
    one.giveBack('a');
    await one.flush();
    assert.ok(await other.take('a', 4));
  });

  it('hold in a file that was merged meanwhile, or is in another encoding', async () => {
    await appendLines(file, [outcome('z', 'finished', 1), outcome('a', 'failed', 1)]);
    const anyFile = () => open(() => undefined);
    const [one, other] = await Promise.all([anyFile(), anyFile()]);
    assert.ok(await one.take('b', 2));
    await writeFile(`${file}.new`, mergeResults([await readFile(file, 'utf8')]));
    await rm(file);
    await writeFile(file, await readFile(`${file}.new`));
    assert.equal(await other.take('b', 3), false);
    assert.ok(await other.take('a', 3));
    assert.ok(await one.take('c', 4));
    const text = await readFile(file, 'utf8');
    await writeFile(file, Buffer.from(`\ufeff${text}`, 'utf16le'));
    const third = await open();
    assert.ok(await third.take('d', 5));
    assert.equal(await other.take('d', 6), false);
    assert.ok(await third.take('e', 7));
  });

  it('fail when the file cannot be written, so that the run is not sent', async () => {
    const claims = new Claims(path.join(folder, 'no', 'folder.jsonl'), 's', await readKnownResults(file));
    await assert.rejects(claims.take('a', 1), /ENOENT/);
  });

  it('return once the file can be written again', async () => {
    const claims = await open();
    assert.ok(await claims.take('a', 1));
    await rename(file, `${file}.away`);
    await mkdir(file);
    claims.giveBack('a');
    await claims.flush();
    await rmdir(file);
    await rename(`${file}.away`, file);
    assert.deepEqual(await states(), { a: 'unconfirmed' });
    await claims.flush();
    assert.deepEqual(await states(), {});
  });

  it('write no line for a run that was not claimed', async () => {
    const claims = await open();
    claims.giveBack('a');
    await claims.flush();
    await assert.rejects(readFile(file), { code: 'ENOENT' });
    assert.ok(await claims.take('a', 1));
  });

  for (const [how, replace] of [
    [
      'beside it',
      async (text: string) => {
        await writeFile(`${file}.new`, text);
        await rename(`${file}.new`, file);
      },
    ],
    ['in it', (text: string) => writeFile(file, text.replace(/sender/g, 'SENDER'))],
  ] as const)
    it(`know another file of the same length that was written ${how}, as by a merge`, async () => {
      const lineOf = (id: string) => JSON.stringify({ custom_id: id, state: 'sent', sender: 'elsewhere' });
      await appendLines(file, [lineOf('x'), lineOf('y')]);
      const claims = await open(() => undefined);
      assert.ok(await claims.take('b', 1));
      await replace((await readFile(file, 'utf8')).replace(lineOf('x'), lineOf('c')));
      assert.equal(await claims.take('c', 2), false);
      await claims.flush();
    });

  it('fail in a file that loses their line before it is read', async () => {
    await appendLines(file, [outcome('z', 'finished', 1)]);
    const known = await readKnownResults(file);
    const claims = new Claims(file, 'sender', known, () => writeFileSync(file, ''));
    await writeFile(file, '');
    assert.equal(await claims.take('a', 2), false);
    await claims.flush();
  });

  it('skip the content of a torn line', async () => {
    await appendFile(file, '{"custom_id":"a","state":"se');
    const claims = await open();
    assert.ok(await claims.take('a', 1));
  });
});
