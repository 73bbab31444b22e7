import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { sortRuns } from '../../../src/experiments/plan/wantedRuns';
import { ServiceError } from '../../../src/service/errors';
import { readResults } from '../../support/atOnce';
import { loadedOf, planHere, resultsIn, runWithId } from '../../support/experiments/plannedRuns';
import { answered } from '../../support/runsInMemory';
import { useStoreFolder } from '../../support/store/openStore';

describe('A run that is given back and sent again in the same millisecond', () => {
  const use = useStoreFolder();

  it('counts as sent before its bytes leave', async () => {
    const store = await use.open();
    const { folder } = use;
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
    }
    assert.deepEqual(states, ['unconfirmed', 'unconfirmed']);
  });
});
