import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sortRuns } from '../../../src/experiments/wantedRuns';
import { ServiceError } from '../../../src/service/errors';
import { openStore } from '../../../src/store/store';
import { readResults } from '../../support/atOnce';
import { loadedOf, planHere, resultsIn, runWithId } from '../../support/experiments/plannedRuns';
import { answered } from '../../support/runsInMemory';

describe('A run that is given back and sent again in the same millisecond', () => {
  it('counts as sent before its bytes leave', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'model-bench-back-'));
    const store = await openStore(path.join(folder, 'store'));
    const loaded = loadedOf([runWithId('run')]);
    const { missing, ...sorted } = await sortRuns(store, loaded, resultsIn(folder));
    const states: (string | undefined)[] = [];
    const run = async () => {
      states.push(readResults(await readFile(resultsIn(folder), 'utf8')).results[0]?.state);
      if (states.length === 1) throw new ServiceError('rateLimited');
      return answered;
    };
    const { job, done } = await planHere(store, folder, { ...sorted, loaded, runs: missing, run });
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
