import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { noteLateCosts, noteRecognizedCost } from '../../../src/experiments/results/lateCosts';
import { readResults } from '../../support/atOnce';
import { useStoreFolder } from '../../support/store/openStore';
import { flushResults, recordResults, writeResults } from '../../support/store/storedResults';

const SENT = Date.UTC(2026, 10, 25, 10);

describe('A cost that becomes known after an experiment has ended', () => {
  const use = useStoreFolder();

  const lineOf = (id: string, runId: string) =>
    JSON.stringify({
      ...{ custom_id: id, variation: {}, item: 'row 2', repeat: 0, request_sha256: id, state: 'finished' },
      ...{ started_at: new Date(SENT).toISOString(), run_id: runId, result: 'x' },
    });

  it('reaches the store and the results file, and leaves other runs unchanged', async () => {
    const store = await use.open();
    const file = path.join(use.folder, 'try.results.jsonl');
    await writeResults(store, file, [
      { customId: 'a', state: 'finished', line: lineOf('a', 'r1'), at: SENT + 5 },
      { customId: 'b', state: 'finished', line: lineOf('b', 'r2'), at: SENT + 5 },
      // Another service, of which a run has the same id.
      { customId: 'c', state: 'finished', line: lineOf('c', 'r1'), at: SENT - 86_400_000 },
      { customId: 'd', state: 'finished', line: 'no line', at: SENT + 5 },
    ]);
    const receipt = {
      ...{ runId: 'r1', sentAt: SENT, finishedAt: SENT + 4 },
      cost: { amount: '0.07', currency: 'USD' },
    };
    await noteLateCosts(store, [receipt, { ...receipt, runId: 'r9' }]);
    const { results, costs } = readResults(await readFile(file, 'utf8'));
    assert.deepEqual([...costs], [['a', [receipt.cost]]]);
    const lines = results.map(({ custom_id: id, cost }) => `${id} ${cost?.amount}`);
    assert.deepEqual(lines, ['c undefined', 'a 0.07', 'b undefined']);
    const written = await readFile(file, 'utf8');
    await noteLateCosts(store, [receipt]);
    assert.equal(await readFile(file, 'utf8'), written, 'a second time changes nothing');
    await writeFile(file, '');
    await store.experimentResults.writeAgain(file, ['a']);
    await flushResults(store, file);
    assert.match(await readFile(file, 'utf8'), /0\.07/, 'what is restored has its cost');
  });

  it('does not bring back a results file that was deleted', async () => {
    const store = await use.open();
    const file = path.join(use.folder, 'gone.results.jsonl');
    await recordResults(store, file, [
      { customId: 'a', state: 'finished', line: lineOf('a', 'r1'), at: SENT + 5 },
    ]);
    const cost = { amount: '0.07' };
    await noteLateCosts(store, [{ runId: 'r1', sentAt: SENT, finishedAt: SENT + 4, cost }]);
    await assert.rejects(readFile(file), { code: 'ENOENT' });
  });

  it('reaches an unconfirmed run that the user recognizes, but no later request of it', async () => {
    const store = await use.open();
    const file = path.join(use.folder, 'try.results.jsonl');
    const line = (state: string) =>
      JSON.stringify({ custom_id: 'a', state, started_at: new Date(SENT).toISOString(), sender: 'job' });
    await writeResults(store, file, [
      { customId: 'a', state: 'unconfirmed', line: line('unconfirmed'), at: SENT + 5 },
    ]);
    const cost = { amount: '0.07', currency: 'USD' };
    const costs = async () => [...readResults(await readFile(file, 'utf8')).costs];
    for (const [customId, sentAt] of [
      ['a', SENT + 1],
      ['b', SENT],
    ] as const)
      await noteRecognizedCost(store, file, { customId, sentAt }, cost);
    assert.deepEqual(await costs(), []);
    await noteRecognizedCost(store, file, { customId: 'a', sentAt: SENT }, cost);
    assert.deepEqual(await costs(), [['a', [cost]]]);
    const { results } = readResults(await readFile(file, 'utf8'));
    assert.deepEqual([results[0]?.state, results[0]?.cost], ['unconfirmed', cost]);
  });
});
