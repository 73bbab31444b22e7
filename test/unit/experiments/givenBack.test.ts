import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { planRuns } from '../../../src/experiments/experimentJobs';
import { sortRuns } from '../../../src/experiments/wantedRuns';
import { ServiceError } from '../../../src/service/errors';
import { openStore } from '../../../src/store/store';
import { readResults } from '../../support/atOnce';
import { oneRun } from '../../support/experiments/oneRun';
import { answered } from '../../support/runsInMemory';

describe('A run that is given back and sent again in the same millisecond', () => {
  it('counts as sent before its bytes leave', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'model-bench-back-'));
    const results = path.join(folder, 'try.results.jsonl');
    const store = await openStore(path.join(folder, 'store'));
    const { missing, since, known } = await sortRuns(store, oneRun, results);
    const states: (string | undefined)[] = [];
    const { job, done } = await planRuns(store, {
      environment: { name: 'test', baseUrl: 'https://models.test' },
      ...{
        file: path.join(folder, 'try.experiment.json'),
        results,
        name: 'try',
        loaded: oneRun,
        runs: missing,
      },
      ...{ since, known, cannotWrite: () => undefined },
      ports: {
        upload: () => new Promise(() => {}),
        forget: async () => undefined,
        run: async () => {
          states.push(readResults(await readFile(results, 'utf8')).results[0]?.state);
          if (states.length === 1) throw new ServiceError('rateLimited');
          return answered;
        },
        priceOf: () => undefined,
        concurrency: () => 1,
      },
    });
    const { now } = Date;
    const frozen = now();
    Date.now = () => frozen;
    try {
      job.start();
      await done;
    } finally {
      Date.now = now;
      await store.close();
      await rm(folder, { recursive: true });
    }
    assert.deepEqual(states, ['unconfirmed', 'unconfirmed']);
  });
});
