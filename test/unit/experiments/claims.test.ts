import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { Claims } from '../../../src/experiments/plan/claims';
import { appendLines, FileReplaced, ResultsFile } from '../../../src/experiments/results/resultsFile';
import { readResults } from '../../support/atOnce';

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
  const open = async () => new Claims(await ResultsFile.open(file), `sender ${senders++}`);
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
            const known = await ResultsFile.open(file);
            const atFirst = new Set(known.lines.runs.keys());
            const done = new Set(
              readResults(await readFile(file, 'utf8').catch(() => '')).results.map((one) => one.custom_id),
            );
            const claims = new Claims(known, `sender ${senders++}`);
            const tried = new Set<string>();
            for (const { id, end, pause } of steps) {
              for (let turn = 0; turn < pause; turn++) await new Promise((resolve) => setImmediate(resolve));
              // A known run is not chosen again, and a job has each run once, unless it was given back.
              if (atFirst.has(id) || done.has(id) || tried.has(id)) continue;
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
      { numRuns: 100 },
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
    await other.flush();
    await rename(folder, `${folder}.away`);
    one.giveBack('a');
    await one.flush();
    await rename(`${folder}.away`, folder);
    await one.flush();
    assert.ok(await other.take('a', 4), 'once the file can be written again');
  });

  it('fail when the file cannot be written, so that the run is not sent', async () => {
    const claims = new Claims(await ResultsFile.open(path.join(folder, 'no', 'folder.jsonl')), 's');
    await assert.rejects(claims.take('a', 1), /ENOENT/);
  });

  it('fail in a file that was replaced or has lost their line, and are given back', async () => {
    await appendLines(file, [outcome('z', 'finished', 1)]);
    const claims = await open();
    assert.ok(await claims.take('a', 1));
    await writeFile(`${file}.new`, `${await readFile(file, 'utf8')}{"custom_id":"b","state":"sent"}\n`);
    await rename(`${file}.new`, file);
    await assert.rejects(claims.take('c', 2), FileReplaced);
    claims.giveBack('a');
    await claims.flush();
    assert.deepEqual(await states(), { z: 'finished', b: 'unconfirmed' });
  });

  it('skip the content of a torn line', async () => {
    await appendFile(file, '{"custom_id":"a","state":"se');
    const claims = await open();
    assert.ok(await claims.take('a', 1));
  });
});
