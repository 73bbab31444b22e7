import assert from 'node:assert/strict';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { sortRuns } from '../../../src/experiments/wantedRuns';
import type { Store } from '../../../src/store/store';
import { readResults } from '../../support/atOnce';
import { eventually } from '../../support/eventually';
import { loadedOf, planHere, resultsIn, runWithId } from '../../support/experiments/plannedRuns';
import { answered } from '../../support/runsInMemory';
import { useStoreFolder } from '../../support/store/openStore';

const loaded = loadedOf(['a', 'b', 'c', 'd'].map((id) => runWithId(id)));

describe('A results file that loses lines while an experiment runs', () => {
  const use = useStoreFolder();
  let file: string;
  let store: Store;
  beforeEach(async () => {
    file = resultsIn(use.folder);
    store = await use.open();
  });

  const text = () => readFile(file, 'utf8').catch(() => '');
  const outcomes = async () =>
    readResults(await text())
      .results.filter(({ state }) => state === 'finished')
      .map(({ custom_id: id }) => id)
      .sort()
      .join('');

  /** Runs the missing runs, one after another. @param before called when a run leaves */
  async function run(before: (id: string) => Promise<void> = async () => undefined): Promise<string> {
    const { missing, ...sorted } = await sortRuns(store, loaded, file);
    let sent = '';
    const { job, done } = await planHere(store, use.folder, {
      ...{ ...sorted, runs: missing, atOnce: 1 },
      run: async ({ request }) => {
        const id = String(request.input.id);
        sent += id;
        await before(id);
        return answered;
      },
    });
    job.start();
    await done;
    return sent;
  }

  const WAYS: Readonly<Record<string, (older: string) => Promise<void>>> = {
    'another file takes its place': async (older) => {
      await writeFile(`${file}.older`, older);
      await rename(`${file}.older`, file);
    },
    'it gets its earlier text': (older) => writeFile(file, older),
    'it is deleted': () => rm(file),
  };
  for (const [way, lose] of Object.entries(WAYS))
    for (const at of ['b', 'c', 'd'])
      it(`gets them again when ${way} while ${at} runs`, async () => {
        const older = await text();
        const before = 'abcd'.slice(0, 'abcd'.indexOf(at));
        const sent = await run(async (id) => {
          if (id !== at) return;
          await eventually(async () => assert.equal(await outcomes(), before));
          await lose(older);
        });
        assert.deepEqual([sent, await outcomes()], ['abcd', 'abcd']);
        assert.equal((await sortRuns(store, loaded, file)).finished, 4);
      });

  it('stays without those that were deleted before', async () => {
    await run();
    const lines = (await text()).trim().split('\n');
    await writeFile(file, lines.filter((line) => !/"custom_id":"[bc]"/.test(line)).join('\n'));
    const { missing, ...sorted } = await sortRuns(store, loaded, file);
    const { job, done } = await planHere(store, use.folder, {
      ...{ ...sorted, runs: missing.filter(({ customId }) => customId === 'c') },
      run: async () => answered,
    });
    job.start();
    await done;
    assert.equal(await outcomes(), 'acd');
  });
});
