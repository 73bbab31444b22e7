import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PlannedRun } from '../../../src/experiments/plan';
import { resultsElsewhere } from '../../../src/experiments/wantedRuns';
import { useStoreFolder } from '../../support/store/openStore';

describe('Results of missing runs in other files', () => {
  const use = useStoreFolder();
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-elsewhere-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('come from a file that is gone before one that is there, and each run from one file', async () => {
    const store = await use.open();
    const [own, there, gone] = ['own', 'a', 'b'].map((name) => path.join(folder, `${name}.results.jsonl`));
    for (const [file, ids] of [
      [there!, ['1', '2']],
      [gone!, ['2', '3']],
    ] as const) {
      const lines = ids.map((customId) => ({
        ...{ customId, state: 'finished' as const, at: 1 },
        line: JSON.stringify({ custom_id: customId, state: 'finished' }),
      }));
      await store.database.write(() => store.experimentResults.recordNow(file, lines));
    }
    await writeFile(there!, '');
    const missing = ['1', '2', '3'].map((customId) => ({ customId }) as PlannedRun);
    const found = await resultsElsewhere(store, own!, missing);
    assert.deepEqual(found, [
      { file: gone, isGone: true, ids: ['2', '3'] },
      { file: there, isGone: false, ids: ['1'] },
    ]);
  });
});
