import assert from 'node:assert/strict';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import {
  decidedRuns,
  type KnownRunChoices,
  type SortedRuns,
  sortRuns,
} from '../../../src/experiments/plan/wantedRuns';
import type { ResultLine } from '../../../src/experiments/results/resultLine';
import { UnreadableLines } from '../../../src/experiments/results/resultsFile';
import type { Store } from '../../../src/store/store';
import { loadedOf, resultsIn, runWithId } from '../../support/experiments/plannedRuns';
import { useStoreFolder } from '../../support/store/openStore';
import { writeResults } from '../../support/store/storedResults';

const RUNS = ['a', 'b', 'c'];
const loaded = loadedOf(RUNS.map((id) => runWithId(id)));
const at = (minute: number) => new Date(Date.UTC(2026, 10, 26, 10, minute)).toISOString();
const lineOf = (id: string, state: string, minute: number, more: object = {}) =>
  JSON.stringify({ custom_id: id, state, started_at: at(minute), ...more });
const idsOf = (runs: SortedRuns['missing'] | undefined) => runs?.map(({ customId }) => customId).join('');

describe('The runs that an experiment still wants', () => {
  const use = useStoreFolder();
  let file: string;
  let store: Store;
  beforeEach(async () => {
    file = resultsIn(use.folder);
    store = await use.open();
  });

  /** Results in the store and in a file, each a minute later than the one before. */
  async function record(ids: string, state: ResultLine['state'] = 'finished', to = file) {
    const results = [...ids].map((id, n) => ({
      ...{ customId: id, state, at: n + 1, line: lineOf(id, state, n) },
    }));
    await writeResults(store, to, results);
  }
  const lines = async () => (await readFile(file, 'utf8')).trim().split('\n');
  const keep = async (kept: readonly string[]) => writeFile(file, kept.map((line) => `${line}\n`).join(''));
  const never = () => assert.fail('the user is not asked');
  const decided = (decide: Partial<KnownRunChoices>, runs = loaded.plan.runs) =>
    decidedRuns(store, loaded, file, { accepted: async () => 0, use: never, ...decide }, runs);

  it('leave out those with an outcome, by its kind, of the runs that are asked about', async () => {
    await record('a');
    await record('b', 'failed');
    await record('c', 'unconfirmed');
    const { missing, failed, unconfirmed, finished, leftOut } = (await decided({}))!;
    assert.deepEqual([missing, idsOf(failed), idsOf(unconfirmed), finished, leftOut], [[], 'b', 'c', 1, 0]);
    assert.equal((await decided({}, [runWithId('b')]))?.finished, 0);
    await keep([lineOf('c', 'sent', 0)]);
    assert.equal(idsOf((await sortRuns(store, loaded, file)).unconfirmed), 'c', 'it is still not known');
  });

  for (const [answer, missing, finished] of [
    [undefined, undefined, undefined],
    [false, 'bc', 1],
    [true, '', 3],
  ] as const)
    it(`lost the end of their file: the user answers ${answer}`, async () => {
      await record('abc');
      await keep((await lines()).slice(0, 1));
      const asked: number[] = [];
      const sorted = await decided({
        use: async ({ length }) => {
          asked.push(length);
          return answer;
        },
      });
      assert.deepEqual([asked, idsOf(sorted?.missing), sorted?.finished], [[2], missing, finished]);
      assert.equal((await lines()).length, finished ?? 1);
    });

  it('come back unpaid from any rest of the file', async () => {
    await record('abc');
    const whole = await readFile(file, 'utf8');
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), async (length) => {
        await writeFile(file, whole.slice(0, length));
        await decided({ use: async () => true }).catch(async (error: unknown) => {
          assert.ok(error instanceof UnreadableLines || length === 0, String(error));
          await keep((await lines()).filter((line) => line.endsWith('}')));
        });
        const sorted = await decided({ use: async () => true });
        assert.deepEqual([sorted?.missing.length, sorted?.finished], [0, 3]);
      }),
      { numRuns: 30 },
    );
  });

  it('lead to a question when lines before others are gone, as on another branch or by hand', async () => {
    await record('abc');
    const [, , last] = await lines();
    const asked: number[] = [];
    const use = async ({ length }: readonly unknown[]) => {
      asked.push(length);
      return false;
    };
    await keep([last!]);
    assert.equal(idsOf((await decided({ use }))?.missing), 'ab');
    await keep([lineOf('a', 'sent', 0), last!]);
    assert.equal(idsOf((await decided({ use }))?.missing), 'ab', 'its outcome settles the request');
    await keep([lineOf('a', 'sent', 9), last!]);
    const { missing, unconfirmed } = (await decided({ use }))!;
    assert.deepEqual([idsOf(missing), idsOf(unconfirmed)], ['b', 'a'], 'it was sent again elsewhere');
    assert.deepEqual(asked, [2, 2, 2]);
    assert.equal((await decided({ use: async () => true }))?.finished, 3);
  });

  it('include one that was sent and taken back, unasked', async () => {
    await record('a');
    await record('bc', 'unconfirmed');
    // The outcome that the end of the file lost was of the request that was taken back.
    await keep([lineOf('b', 'returned', 0), lineOf('c', 'returned', 1), lineOf('a', 'finished', 0)]);
    assert.equal(idsOf((await decided({}))?.missing), 'bc');
  });

  it('leave out one that was sent again since the lost outcome, as it may be paid', async () => {
    await record('a', 'failed');
    await keep([lineOf('a', 'sent', 9, { sender: 'elsewhere' })]);
    const { unconfirmed, missing, kept } = await sortRuns(store, loaded, file);
    assert.deepEqual([idsOf(unconfirmed), idsOf(missing), kept], ['a', 'bc', []]);
    await appendFile(file, lineOf('a', 'returned', 9, { sender: 'elsewhere' }));
    const after = await sortRuns(store, loaded, file);
    assert.deepEqual(idsOf(after.kept as never), 'a', 'and was not executed then');
  });

  for (const [answer, missing, finished] of [
    [undefined, undefined, undefined],
    [false, 'abc', 0],
    [true, '', 3],
  ] as const)
    it(`take results of a deleted file and of another: the user answers ${answer}`, async () => {
      const [kept, gone] = ['a-kept', 'b-gone'].map((name) => path.join(use.folder, `${name}.results.jsonl`));
      await record('bc', 'finished', kept);
      await record('a', 'finished', gone);
      await rm(gone!);
      const asked: unknown[] = [];
      const sorted = await decided({
        use: async (outcomes, count) => {
          asked.push([...outcomes.map((one) => [one.file, one.customId]), count]);
          return answer;
        },
      });
      assert.deepEqual(asked, [[[gone, 'a'], [kept, 'b'], [kept, 'c'], 3]]);
      assert.deepEqual([idsOf(sorted?.missing), sorted?.finished], [missing, finished]);
    });

  it('count in their own file only when finished ones are sent again', async () => {
    await record('ab', 'finished', path.join(use.folder, 'other.results.jsonl'));
    assert.equal(idsOf((await decided({ isAgain: true }))?.missing), 'abc');
    const asked = await decided({ isAgain: true, accepted: () => record('c') });
    assert.equal(idsOf(asked?.missing), 'ab', 'accepted runs are asked for before');
  });

  it('find the outcome of an unconfirmed one in another file', async () => {
    const before = path.join(use.folder, 'before.results.jsonl');
    await record('abc', 'finished', before);
    await rm(before);
    // As of a job whose folder was renamed: its lines that say “sent” moved with it.
    await keep([lineOf('a', 'sent', 0, { sender: 'job' }), lineOf('b', 'sent', 9, { sender: 'job' })]);
    const use3 = async (kept: readonly unknown[], open: number) => kept.length === 3 && open === 3;
    const sorted = await decided({ use: use3 });
    assert.deepEqual([sorted?.finished, idsOf(sorted?.unconfirmed)], [3, '']);
  });

  it('wait where a line is unreadable, unless no run is wanted', async () => {
    await record('a');
    const whole = await readFile(file, 'utf8');
    for (const torn of ['{"custom_id":"b","sta', 'nonsense\n}', '<<<<<<< HEAD']) {
      await writeFile(file, `${whole}${torn}\n`);
      await assert.rejects(decided({}), (error) => error instanceof UnreadableLines && error.line === 2);
    }
    await keep([whole.trim(), lineOf('b', 'finished', 1), lineOf('c', 'finished', 1), 'nonsense']);
    assert.equal((await decided({}))?.finished, 3);
  });
});
