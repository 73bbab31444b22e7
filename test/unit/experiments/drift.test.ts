import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { openDrift, seenLossText } from '../../../src/experiments/figures/drift';
import type { LoadedExperiment } from '../../../src/experiments/file/load';
import { randomOrder } from '../../../src/experiments/file/sample';
import { resultText } from '../../../src/experiments/results/results';
import { rowOf, tableOf } from '../../support/experiments/table';

const COLUMNS = 3;
/** The result of a column for a row: right, wrong, or no finished run. */
type Outcome = 'yes' | 'no' | undefined;

describe('The runs that a drift check sends again', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'drift-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** An experiment whose file has these outcomes, by row and column, each in `repeats` repeats. */
  async function opened(
    outcomes: readonly (readonly Outcome[])[],
    inputs: number | undefined,
    seed = 0,
    repeats = 2,
  ) {
    const { plan, results } = tableOf({
      variations: Array.from({ length: COLUMNS }, (_, at) => ({ '/model': `${at}` })),
      items: outcomes.map((_, row) => rowOf(`text ${row}`, 'yes')),
      repeats,
      line: ({ item, variation }) => {
        const result = outcomes[item]![variation];
        return result === undefined ? { state: 'failed', reason: 'down' } : { result };
      },
    });
    const file = path.join(folder, 'try.experiment.json');
    await writeFile(path.join(folder, 'try.results.jsonl'), [...results.values()].map(resultText).join(''));
    const loaded = {
      ...{ judges: [], metrics: [{ name: 'accuracy', tolerance: 0 }], files: new Map() },
      experiment: { run: { model: 'm' }, failed: 'unmeasured', seed, repeats, stop: {} },
      plan: { ...plan, runs: plan.runs.map((run) => ({ ...run, request: {} })), unsent: [] },
      inputs: plan.items,
    } as unknown as LoadedExperiment;
    return (await openDrift(loaded, file, inputs)).loaded;
  }

  const outcome = fc.constantFrom<Outcome[]>('yes', 'no', undefined);
  const rows = fc.array(fc.array(outcome, { minLength: COLUMNS, maxLength: COLUMNS }), {
    minLength: 1,
    maxLength: 12,
  });
  it('come from finished first repeats, of the first inputs in the order of all runs', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 5 }), fc.nat(9), async (outcomes, inputs, seed) => {
        fc.pre(outcomes.flat().some((one) => one !== undefined));
        const { plan, experiment } = await opened(outcomes, inputs, seed);
        assert.equal(experiment.stop, undefined, 'no column ends early');
        const order = randomOrder(plan.items, seed);
        for (let column = 0; column < COLUMNS; column++) {
          const finished = order.filter((row) => outcomes[row]![column] !== undefined);
          const sent = plan.runs.flatMap(({ serves, repeat }) => {
            assert.equal(repeat, 0);
            return serves.filter(({ variation }) => variation === column).map(({ item }) => item);
          });
          assert.deepEqual(sent, finished.slice(0, inputs));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('show a loss of 10 points, and include some inputs twice where there are no repeats', async () => {
    const outcomes = Array.from({ length: 120 }, () => Array<Outcome>(COLUMNS).fill('yes'));
    const { plan } = await opened(outcomes, undefined, 0, 1);
    const [first, again] = [0, 1].map((repeat) =>
      plan.runs.filter((run) => run.repeat === repeat && run.serves[0]!.variation === 0),
    );
    // 0.05 / 3 columns is reached by 7 rows that all become wrong.
    assert.deepEqual([first!.length, again!.length], [70, 10]);
    assert.equal(new Set(plan.runs.map(({ customId }) => customId)).size, plan.runs.length);
    assert.match(seenLossText(70, 3), /show a loss of 10 points or more/);
    assert.match(seenLossText(20, 1), /show a loss of 30 points or more/);
    assert.match(seenLossText(5, 1), /too few/);
  });

  it('change with the seed', async () => {
    const outcomes = Array.from({ length: 30 }, () => Array<Outcome>(COLUMNS).fill('yes'));
    const chosen = async (seed: number) =>
      (await opened(outcomes, 5, seed)).plan.runs.map(({ customId }) => customId).join();
    assert.equal(await chosen(1), await chosen(1));
    assert.notEqual(await chosen(1), await chosen(2));
  });
});
