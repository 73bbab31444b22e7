import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ItemFile } from '../../../src/experiments/file/items';
import {
  discardExperiment,
  interruptedExperiments,
  remainingRuns,
} from '../../../src/experiments/plan/experimentJobs';
import { decidedRuns } from '../../../src/experiments/plan/wantedRuns';
import { loadedOf, planHere, type RunsOf, resultsIn, runWithId } from '../../support/experiments/plannedRuns';
import { useStoreFolder } from '../../support/store/openStore';

const items = ['first', 'second'].map((name) => ({ name, values: {}, files: [] as ItemFile[] }));
const other = runWithId('other');
const runs = [
  { ...other, request: { ...other.request, model: 'dogs' } },
  runWithId('own', [{ variation: 1, item: 1 }]),
];
const loaded = loadedOf(runs, { variations: [{ '/model': 'dogs' }, { '/params/k': 1 }], items });
const never = () => assert.fail('the user is not asked');

describe('The runs of an experiment whose window was closed', () => {
  const use = useStoreFolder();
  const experimentIn = (folder: string) => path.join(folder, 'try.experiment.json');

  /** The window sends the first run, and is closed before its response. */
  async function close(more: Partial<RunsOf> = {}) {
    const { folder } = use;
    await writeFile(experimentIn(folder), '{}');
    const store = await use.open();
    const decide = { accepted: async () => 0, restore: never, use: never, unreadable: never };
    const { since, known } = (await decidedRuns(store, loaded, resultsIn(folder), decide))!;
    let leaves = () => {};
    const sent = new Promise<void>((resolve) => {
      leaves = resolve;
    });
    const { job } = await planHere(store, folder, {
      ...{ loaded, runs, since, known, ...more },
      run: () => {
        leaves();
        return new Promise(() => {});
      },
      atOnce: 1,
    });
    job.start();
    await sent;
    await store.close();
    return use.open();
  }

  it('keep the consent, the agent and the model that they had, and are discarded once', async () => {
    const consent = { totals: [{ amount: '2', currency: 'USD' }], unpriced: 1, trusted: true };
    const agent = { agent: 'Agent', tool: 'run_experiment', call: '1' } as const;
    const store = await close({ consent, agent });
    const [interrupted, ...others] = interruptedExperiments(store).interrupted;
    const { id: _, at: __, since: ___, ...head } = interrupted!.head;
    assert.deepEqual(
      [head, others],
      [
        {
          ...{
            environment: 'test',
            baseUrl: 'https://models.test',
            name: 'try',
            model: 'cats',
            consent,
            agent,
          },
          ...{ file: experimentIn(use.folder), results: resultsIn(use.folder) },
        },
        [],
      ],
    );
    assert.deepEqual(await remainingRuns(store, interrupted!), new Set(['other', 'own']));
    assert.equal(await discardExperiment(store, interrupted!), true);
    assert.deepEqual(interruptedExperiments(store).interrupted, []);
    assert.equal(await discardExperiment(store, interrupted!), false);
    const line = JSON.parse(store.experimentResults.recorded(resultsIn(use.folder), 'other')!.line);
    assert.deepEqual([line.state, line.item, line.variation], ['unconfirmed', 'first', { '/model': 'dogs' }]);
    assert.match(line.item_sha256, /^[0-9a-f]{64}$/);
  });

  it('count for another experiment, as when theirs was renamed', async () => {
    const store = await close();
    const asked: unknown[] = [];
    const sorted = await decidedRuns(store, loaded, path.join(use.folder, 'other.results.jsonl'), {
      accepted: async () => 0,
      use: async (kept) => {
        asked.push(...kept.map(({ file, customId, state }) => [file, customId, state]));
        return true;
      },
    });
    assert.deepEqual(asked, [[resultsIn(use.folder), 'other', 'unconfirmed']]);
    const left = [sorted?.missing, sorted?.unconfirmed].map((all) => all?.map(({ customId: id }) => id));
    assert.deepEqual(left, [['own'], ['other']]);
  });
});
