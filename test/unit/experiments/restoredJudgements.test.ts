import assert from 'node:assert/strict';
import path from 'node:path';
import type { JudgementLine } from '../../../src/experiments/results/judgements';
import { appendLines } from '../../../src/experiments/results/resultsFile';
import { useStoreFolder } from '../../support/store/openStore';
import { writeResults } from '../../support/store/storedResults';

describe('Judgements of people', () => {
  const use = useStoreFolder();

  const judgement = (id: string, value: number, minute: number): JudgementLine => ({
    ...{ custom_id: id, judgement: 'score', value },
    judged_at: new Date(Date.UTC(2026, 10, 26, 10, minute)).toISOString(),
  });

  /** A file with three judged results. */
  async function judged() {
    const store = await use.open();
    const file = path.join(use.folder, 'a.results.jsonl');
    await writeResults(
      store,
      file,
      ['a', 'b', 'c'].map((id) => ({
        ...{ customId: id, state: 'finished', at: 1 },
        line: JSON.stringify({ custom_id: id, state: 'finished', result: id }),
      })),
    );
    const lines = [judgement('a', 2, 1), judgement('b', 3, 2), judgement('a', 5, 3)];
    await appendLines(
      file,
      lines.map((line) => JSON.stringify(line)),
    );
    await store.experimentResults.recordJudgements(
      file,
      lines.map((line) => ({
        ...{ customId: line.custom_id, kind: line.judgement, line: JSON.stringify(line) },
        at: Date.parse(line.judged_at),
      })),
    );
    return { store, file };
  }

  it('stay in the store as long as results do', async () => {
    const { store } = await judged();
    await store.experimentResults.sweep(Date.UTC(2027, 0, 1));
    assert.equal(store.experimentResults.judgements(['a', 'b']).length, 2);
    await store.experimentResults.sweep(Date.UTC(2028, 0, 1));
    assert.deepEqual(store.experimentResults.judgements(['a', 'b']), []);
  });
});
