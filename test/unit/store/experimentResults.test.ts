import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { StoredResult } from '../../../src/store/experimentResults';
import type { Store } from '../../../src/store/store';
import { useStoreFolder } from '../../support/store/openStore';
import { head, jobsOf, planned } from '../../support/store/samples';

const FILE = '/results/a.results.jsonl';

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
  });

  it('count as written or still to write, for any order of recording and writing', async () => {
    const store = await use.open();
    const { experimentResults } = store;
    const id = fc.constantFrom('a', 'b', 'c');
    const line = fc.constantFrom('"one"', '"two"');
    const step = fc.oneof(
      fc.record({
        does: fc.constant('record' as const),
        file: fc.constantFrom('one', 'two'),
        results: fc.uniqueArray(
          fc.record({
            ...{ customId: id, at: fc.nat(3), line },
            state: fc.constantFrom('finished', 'failed', 'unconfirmed'),
          }),
          { selector: ({ customId }) => customId },
        ),
      }),
      fc.record({
        does: fc.constant('write' as const),
        file: fc.constantFrom('one', 'two'),
        results: fc.array(fc.record({ customId: id, line })),
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
            for (const { customId, line: text } of one.results) {
              const known = kept.get(keyOf(one.file, customId));
              // A result that was recorded meanwhile does not count as the written one.
              if (known?.line === text) kept.set(keyOf(one.file, customId), { ...known, written: true });
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
          for (const { customId, at: when } of own)
            assert.equal(experimentResults.recorded(nameOf(file), customId)?.at, when);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('come from another file by their ID, the finished first, with their files, and follow a rename', async () => {
    const store = await use.open();
    const { experimentResults } = store;
    const files = [1, 2].map((n) => ({ name: `a.results/${n}.png`, bytes: Uint8Array.of(n) }));
    const others = [result('a', { files }), result('b', { at: 2, state: 'failed' }), result('c', { at: 3 })];
    const [one, other, third] = [FILE, '/other.results.jsonl', '/third.results.jsonl'] as const;
    await record(store, other, others);
    await record(store, one, [
      result('b', { line: '"own"', state: 'failed' }),
      result('c', { state: 'failed' }),
    ]);
    const kept = experimentResults.kept(one, ['a', 'b', 'c', 'none']);
    assert.deepEqual(kept.map(({ customId, file, state }) => [customId, file, state]).sort(), [
      ['a', other, 'finished'],
      ['b', one, 'failed'],
      ['c', other, 'finished'],
    ]);
    await experimentResults.noteWritten(one, [result('b', { line: '"own"' })]);
    await experimentResults.bring(one, kept);
    const unwritten = experimentResults.unwritten(one, 9);
    assert.deepEqual(unwritten.map(({ customId, state }) => [customId, state]).sort(), [
      ['a', 'finished'],
      ['b', 'failed'],
      ['c', 'finished'],
    ]);
    assert.deepEqual(
      unwritten.find(({ customId }) => customId === 'a'),
      others[0],
    );
    await experimentResults.moved(other, third);
    assert.deepEqual(experimentResults.unwritten(other, 9), []);
    assert.deepEqual(new Set(experimentResults.unwritten(third, 9)), new Set(others));
    // A clock that was set back says nothing of the order.
    await record(store, other, [result('d', { at: 9, state: 'failed' })]);
    await record(store, third, [result('d', { at: 8, state: 'unconfirmed' })]);
    assert.equal(experimentResults.kept(one, ['d'])[0]?.file, third);
  });

  it('keep the lines of earlier requests that may have been paid, until they are written', async () => {
    const store = await use.open();
    const { experimentResults } = store;
    const paid = result('a', { line: '{"cost":{"amount":"1"}}' });
    const known = result('a', { at: 2_000, line: '{"run_id":"r"}', state: 'failed' });
    const free = result('a', { at: 3_000, line: '{"reason":"full"}', state: 'failed' });
    const last = result('a', { at: 4_000 });
    for (const one of [paid, paid, known, free, last]) await record(store, FILE, [one]);
    assert.deepEqual(experimentResults.unwritten(FILE, 9), [paid, known, last]);
    assert.deepEqual(experimentResults.unwritten(FILE, 2), [paid, known]);
    await experimentResults.noteWritten(FILE, [known]);
    assert.deepEqual(experimentResults.unwritten(FILE, 9), [paid, last]);
    await experimentResults.bring(
      '/copy.results.jsonl',
      experimentResults.kept('/copy.results.jsonl', ['a']),
    );
    assert.deepEqual(experimentResults.unwritten('/copy.results.jsonl', 9), [paid, known, last]);
    await experimentResults.noteWritten(FILE, [paid, last]);
    assert.deepEqual(experimentResults.unwritten(FILE, 9), []);
    await experimentResults.moved(FILE, '/moved.results.jsonl');
    assert.deepEqual(experimentResults.unwritten('/moved.results.jsonl', 9), []);
    await experimentResults.writeAgain('/moved.results.jsonl', ['a']);
    assert.deepEqual(experimentResults.unwritten('/moved.results.jsonl', 9), [paid, known, last]);
  });

  it('change in every line of a run of the service, and are to be written again', async () => {
    const store = await use.open();
    const { experimentResults } = store;
    const line = (at: number, runId = 'r') => JSON.stringify({ at, run_id: runId });
    const of = (customId: string, at: number, runId?: string) =>
      result(customId, { at, line: line(at, runId) });
    await record(store, FILE, [of('a', 1), of('b', 2), of('c', 3, 'other'), of('early', 0), of('late', 5)]);
    await record(store, FILE, [of('a', 4)]);
    await record(store, '/other.jsonl', [of('a', 1), result('d', { at: 2, line: 'no JSON' })]);
    for (const file of [FILE, '/other.jsonl'])
      await experimentResults.noteWritten(file, experimentResults.unwritten(file, 9));
    const changed = await experimentResults.changeLines('r', { from: 1, to: 4 }, (one) =>
      one === line(2) ? undefined : one.replace('{', '{"paid":true,'),
    );
    assert.deepEqual(new Set(changed), new Set([FILE, '/other.jsonl']));
    assert.deepEqual(
      experimentResults.unwritten(FILE, 9).map(({ customId, line: text }) => [customId, text]),
      [1, 4].map((at) => ['a', `{"paid":true,"at":${at},"run_id":"r"}`]),
    );
    assert.equal(experimentResults.unwritten('/other.jsonl', 9).length, 1);
    const none = await experimentResults.changeLines('r', { from: 1, to: 4 }, () => undefined);
    assert.deepEqual(none, []);
  });

  it('change in the last line of a run, which the writer of the earlier one does not mark as written', async () => {
    const store = await use.open();
    const { experimentResults } = store;
    await record(store, FILE, [result('a')]);
    await experimentResults.changeLine(FILE, 'a', () => undefined);
    assert.deepEqual(experimentResults.unwritten(FILE, 9), [result('a')]);
    await experimentResults.changeLine(FILE, 'a', (line) => line.replace('{', '{"n":1,'));
    await experimentResults.changeLine(FILE, 'none', () => assert.fail('there is no line'));
    await experimentResults.noteWritten(FILE, [result('a')]);
    assert.deepEqual(experimentResults.unwritten(FILE, 9), [result('a', { line: '{"n":1,"id":"a"}' })]);
  });

  it('get further files in their order, unless they have changed meanwhile', async () => {
    const store = await use.open();
    const { experimentResults } = store;
    const file = (n: number) => ({ name: `a-${n}.png`, bytes: Uint8Array.of(n) });
    const before = [result('a'), result('b', { files: [file(1), file(2)] })];
    await record(store, FILE, before);
    await experimentResults.noteWritten(FILE, before);
    for (const one of before)
      await experimentResults.addFiles(FILE, one, { line: '{"more":1}', files: [file(3), file(4)] });
    const changed = { line: '{"more":1}' };
    assert.deepEqual(experimentResults.unwritten(FILE, 9), [
      result('a', { ...changed, files: [file(3), file(4)] }),
      result('b', { ...changed, files: [file(1), file(2), file(3), file(4)] }),
    ]);
    await experimentResults.addFiles(FILE, before[0]!, { line: 'late', files: [file(5)] });
    assert.equal(experimentResults.recorded(FILE, 'a')?.line, '{"more":1}');
    await record(store, FILE, [result('b', { at: 9_000, files: [file(6)] })]);
    assert.deepEqual(experimentResults.unwritten(FILE, 9)[1]?.files, [file(6)], 'those of the last outcome');
  });

  it('tell whether a reader of the file can have missed them, and which runs are under way', async () => {
    const store = await use.open();
    const { experimentResults } = store;
    const begun = (customId: string) => result(customId, { line: '{"started_at":"2026-11-22"}' });
    const before = experimentResults.revision();
    await record(store, FILE, [begun('a'), begun('b'), result('c', { line: 'no JSON' })]);
    const after = experimentResults.revision();
    await experimentResults.noteWritten(FILE, [begun('b')]);
    const isNew = (id: string, since: number) => experimentResults.isNewSince(FILE, id, since);
    assert.deepEqual(
      [isNew('a', after), isNew('b', before), isNew('b', after), isNew('none', before)],
      [true, true, false, false],
    );
    const sample = jobsOf(store);
    const jobs = store.jobs({ ...sample.kind, name: 'experiment', target: () => FILE }, sample.outcomes);
    const job = await jobs.plan(head, planned(2));
    await jobs.takeOver(job, 'closed');
    await jobs.sent(job, [1]);
    assert.deepEqual([...experimentResults.inFlight(FILE)].sort(), [
      ['1.png', { job: job.id }],
      ['a', { startedAt: '2026-11-22' }],
      ['c', { startedAt: '' }],
    ]);
    assert.deepEqual(
      [...experimentResults.inFlight('/other.jsonl')],
      [['1.png', { job: job.id, isElsewhere: true }]],
    );
    const isElsewhere = (id: string, file: string, since = 0) =>
      experimentResults.isElsewhere(file, id, since);
    assert.deepEqual(
      [isElsewhere('1.png', FILE), isElsewhere('1.png', '/other.jsonl'), isElsewhere('a', '/other.jsonl')],
      [false, true, true],
    );
    assert.deepEqual([isElsewhere('a', FILE), isElsewhere('a', '/other.jsonl', after)], [false, false]);
  });

  it('go after half a year where their file has them, and never before', async () => {
    const store = await use.open();
    const { experimentResults } = store;
    const all = [result('old'), result('unwritten'), result('young', { at: Date.now() })];
    await record(store, FILE, all);
    await experimentResults.noteWritten(FILE, [all[0]!, all[2]!]);
    await store.sweep();
    const kept = all.filter(({ customId }) => experimentResults.recorded(FILE, customId));
    assert.deepEqual(kept, all.slice(1));
  });

  it('keep the last judgement of each kind', async () => {
    const store = await use.open();
    const { experimentResults } = store;
    const judgement = (customId: string, kind: string, line: string, at: number) => ({
      ...{ customId, kind, line, at },
    });
    const now = Date.now();
    await record(store, FILE, [result('a', { at: now }), result('b', { at: now })]);
    await experimentResults.recordJudgements(FILE, [
      judgement('b', 'score', 'b 3', now + 3),
      judgement('a', 'score', 'a 1', now + 1),
      judgement('a', 'score', 'a 2', now + 2),
      judgement('a', 'note', 'a note', now),
      judgement('a', 'old', 'a old', 1),
    ]);
    const all = ['a old', 'a note', 'a 2', 'b 3'];
    assert.deepEqual(experimentResults.judgements(['a', 'b', 'none']), all);
    assert.deepEqual(experimentResults.judgements(['b']), ['b 3']);
    await store.sweep();
    assert.deepEqual(experimentResults.judgements(['a', 'b']), all.slice(1));
  });
});
