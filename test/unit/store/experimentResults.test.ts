import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { StoredResult } from '../../../src/store/experimentResults';
import type { Store } from '../../../src/store/store';
import { useStoreFolder } from '../../support/store/openStore';

const FILE = '/results/a.results.jsonl';
const DAY_MS = 86_400_000;

const result = (customId: string, more: Partial<StoredResult> = {}): StoredResult => ({
  ...{ customId, state: 'finished', line: `{"id":"${customId}"}`, at: 1_000 },
  ...more,
});

const record = ({ database, experimentResults }: Store, file: string, results: readonly StoredResult[]) =>
  database.write(() => experimentResults.recordNow(file, results));

describe('Results of experiments in the store', () => {
  const use = useStoreFolder();

  it('read back unchanged, in the order of their outcomes, up to a limit', async () => {
    const store = await use.open();
    const { experimentResults } = store;
    const all = [
      result('c', { at: 2, state: 'failed' }),
      result('b', {
        at: 3,
        files: [
          { name: 'b.png', bytes: Uint8Array.of(0, 255) },
          { name: 'b-2.png', bytes: Uint8Array.of(7) },
          { name: 'b-3.png', bytes: Uint8Array.of() },
        ],
      }),
      result('a', { at: 3, state: 'unconfirmed' }),
    ];
    await record(store, FILE, all);
    await record(store, '/results/other.jsonl', [result('d')]);
    assert.deepEqual(experimentResults.unwritten(FILE, 9), [all[0]!, all[2]!, all[1]!]);
    assert.deepEqual(experimentResults.unwritten(FILE, 1), [all[0]!]);
    assert.deepEqual(
      ['c', 'd'].map((id) => experimentResults.recorded(FILE, id)?.at),
      [2, undefined],
    );
    assert.deepEqual(experimentResults.written(FILE), []);
  });

  it('count as written or still to write, for any order of recording and writing', async () => {
    const store = await use.open();
    const { experimentResults } = store;
    const id = fc.constantFrom('a', 'b', 'c');
    const at = fc.integer({ min: 1, max: 3 });
    const step = fc.oneof(
      fc.record({
        does: fc.constant('record' as const),
        file: fc.constantFrom('one', 'two'),
        results: fc.uniqueArray(
          fc.record({
            customId: id,
            at,
            state: fc.constantFrom('finished', 'failed', 'unconfirmed'),
            line: fc.string(),
          }),
          { selector: ({ customId }) => customId },
        ),
      }),
      fc.record({
        does: fc.constant('write' as const),
        file: fc.constantFrom('one', 'two'),
        results: fc.array(fc.record({ customId: id, at })),
      }),
      fc.record({
        does: fc.constant('lose' as const),
        file: fc.constantFrom('one', 'two'),
        ids: fc.array(id),
      }),
    );
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        round += 1;
        const kept = new Map<string, StoredResult & { written: boolean }>();
        const nameOf = (file: string) => `/${round}/${file}`;
        const keyOf = (file: string, customId: string) => `${file} ${customId}`;
        for (const one of steps) {
          const file = nameOf(one.file);
          if (one.does === 'record') {
            await record(store, file, one.results);
            for (const told of one.results)
              kept.set(keyOf(one.file, told.customId), { ...told, written: false });
          } else if (one.does === 'write') {
            await experimentResults.noteWritten(file, one.results);
            for (const { customId, at: when } of one.results) {
              const known = kept.get(keyOf(one.file, customId));
              // A result that was recorded meanwhile does not count as the written one.
              if (known?.at === when) kept.set(keyOf(one.file, customId), { ...known, written: true });
            }
          } else {
            await experimentResults.writeAgain(file, one.ids);
            for (const customId of one.ids) {
              const known = kept.get(keyOf(one.file, customId));
              if (known) kept.set(keyOf(one.file, customId), { ...known, written: false });
            }
          }
        }
        for (const file of ['one', 'two']) {
          const own = [...kept].filter(([key]) => key.startsWith(`${file} `)).map(([, value]) => value);
          const byId = (x: { customId: string }, y: { customId: string }) =>
            x.customId < y.customId ? -1 : 1;
          assert.deepEqual(
            experimentResults.unwritten(nameOf(file), 9).toSorted(byId),
            own
              .filter(({ written }) => !written)
              .map(({ written: _, ...rest }) => rest)
              .toSorted(byId),
          );
          assert.deepEqual(
            experimentResults
              .written(nameOf(file))
              .map(({ customId, state }) => ({ customId, state }))
              .toSorted(byId),
            own
              .filter(({ written }) => written)
              .map(({ customId, state }) => ({ customId, state }))
              .toSorted(byId),
          );
          for (const { customId, at: when } of own)
            assert.equal(experimentResults.recorded(nameOf(file), customId)?.at, when);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('move from another file by their ID, with their files, and follow a rename', async () => {
    const store = await use.open();
    const { experimentResults } = store;
    const files = [1, 2].map((n) => ({ name: `a.results/${n}.png`, bytes: Uint8Array.of(n) }));
    const others = [result('a', { files }), result('b', { at: 2 }), result('c', { at: 3 })];
    const [one, other, third] = [FILE, '/other.results.jsonl', '/third.results.jsonl'] as const;
    await record(store, other, others);
    await record(store, one, [result('b', { line: '"own"' })]);
    assert.deepEqual([...experimentResults.elsewhere(one, ['a', 'b', 'none'])], [[other, ['a', 'b']]]);
    await experimentResults.adopt(other, one, ['a', 'b']);
    assert.deepEqual(experimentResults.unwritten(one, 9), [others[0], result('b', { line: '"own"' })]);
    await experimentResults.noteWritten(other, others);
    await experimentResults.moved(other, third);
    assert.deepEqual([experimentResults.written(other), experimentResults.unwritten(third, 9)], [[], []]);
    assert.equal(experimentResults.written(third).length, 3);
    await experimentResults.writeAgain(third, ['a']);
    assert.deepEqual(experimentResults.unwritten(third, 9), [others[0]]);
  });

  it('expire half a year after they were written to their file, and never before that', async () => {
    const store = await use.open();
    const { experimentResults } = store;
    const now = 400 * DAY_MS;
    const old = Array.from({ length: 450 }, (_, n) => result(`old ${n}`, { at: now - 181 * DAY_MS }));
    const young = result('young', { at: now - 179 * DAY_MS });
    const waiting = result('waiting', { at: 1 });
    await record(store, FILE, [...old, young, waiting]);
    await experimentResults.noteWritten(FILE, [...old, young]);
    await experimentResults.sweep(now);
    assert.deepEqual(experimentResults.written(FILE), [
      { customId: 'young', state: 'finished', startedAt: '' },
    ]);
    assert.deepEqual(experimentResults.unwritten(FILE, 9), [waiting]);
  });

  it('disappear with the cleaning of the store', async () => {
    const store = await use.open();
    await record(store, FILE, [result('long ago'), result('now', { at: Date.now() })]);
    await store.experimentResults.noteWritten(FILE, [
      { customId: 'long ago', at: 1_000 },
      ...store.experimentResults.unwritten(FILE, 9),
    ]);
    await store.sweep();
    assert.deepEqual(store.experimentResults.written(FILE), [
      { customId: 'now', state: 'finished', startedAt: '' },
    ]);
  });
});
