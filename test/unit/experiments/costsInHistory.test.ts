import assert from 'node:assert/strict';
import { mkdtemp, readFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { sumByCurrency } from '../../../src/domain/amounts';
import type { RunResponse } from '../../../src/domain/response';
import type { LoadedExperiment } from '../../../src/experiments/file/load';
import type { PlannedRun } from '../../../src/experiments/plan/plan';
import { sortRuns } from '../../../src/experiments/plan/wantedRuns';
import { noteLateCosts } from '../../../src/experiments/results/lateCosts';
import { comparingOf } from '../../../src/experiments/results/measuredValue';
import { paidByColumn, paidInAll } from '../../../src/experiments/table/paid';
import { ExperimentTable } from '../../../src/experiments/table/table';
import type { Guard } from '../../../src/runs/budget/guard';
import { JobRuns } from '../../../src/runs/history/jobRuns';
import { performJobRun } from '../../../src/runs/jobRun';
import type { ServiceClient } from '../../../src/service/client';
import { ServiceError } from '../../../src/service/errors';
import type { Store } from '../../../src/store/store';
import { readResults } from '../../support/atOnce';
import { loadedOf, planHere, resultsIn, runWithId } from '../../support/experiments/plannedRuns';
import { answered } from '../../support/runsInMemory';
import { useStoreFolder } from '../../support/store/openStore';

/** The outcome of a request. */
interface Ending {
  readonly state: RunResponse['state'] | 'lost';
  readonly cents: number;
  /** When its cost becomes known: with the response, after the start that sent it, or at the end. */
  readonly known: 'atOnce' | 'later' | 'last' | 'never';
}

const ending: fc.Arbitrary<Ending> = fc.record({
  state: fc.constantFrom<Ending['state'][]>('finished', 'finished', 'failed', 'accepted', 'unclear', 'lost'),
  cents: fc.integer({ min: 1, max: 500 }),
  known: fc.constantFrom('atOnce', 'atOnce', 'later', 'last', 'never'),
});
const [COLUMNS, ROWS] = [3, 3];
/** The places of one run: it may serve several rows and columns. */
const places = fc.uniqueArray(fc.record({ variation: fc.nat(COLUMNS - 1), item: fc.nat(ROWS - 1) }), {
  minLength: 1,
  maxLength: 3,
  selector: ({ variation, item }) => variation * ROWS + item,
});
/** Which runs are sent again. */
const start = fc.record({ failed: fc.boolean(), unconfirmed: fc.boolean() });

const moneyOf = (cents: number) => ({ amount: (cents / 100).toFixed(2), currency: 'USD' });
const centsOf = (costs: Parameters<typeof sumByCurrency>[0]) =>
  sumByCurrency(costs).reduce((sum, { amount }) => sum + Math.round(100 * Number(amount)), 0);

const admission = {
  ...{ reserve: async () => undefined, confirm: () => undefined, settle: () => undefined },
  ...{ release: () => undefined, cannotPay: () => undefined },
};

/** One experiment at a service of its own, whose runs are in the history of a store. */
class Played {
  readonly #due: { readonly runId: string; readonly ending: Ending }[] = [];
  readonly #jobRuns: JobRuns;
  readonly #loaded: LoadedExperiment;
  #sent = 0;

  constructor(
    private readonly store: Store,
    private readonly folder: string,
    private readonly baseUrl: string,
    readonly runs: readonly PlannedRun[],
    private readonly endings: readonly Ending[],
  ) {
    this.#jobRuns = new JobRuns(store, (line) => assert.fail(String(line)));
    const items = Array.from({ length: ROWS }, (_, at) => ({ name: `row ${at}`, values: {}, files: [] }));
    const variations = Array.from({ length: COLUMNS }, (_, at) => ({ '/params/k': at }));
    this.#loaded = loadedOf(runs, { variations, items });
  }

  async start({ failed, unconfirmed }: { readonly failed: boolean; readonly unconfirmed: boolean }) {
    const sorted = await sortRuns(this.store, this.#loaded, resultsIn(this.folder));
    const runs = [
      ...sorted.missing,
      ...(failed ? sorted.failed : []),
      ...(unconfirmed ? sorted.unconfirmed : []),
    ];
    if (runs.length === 0) return;
    const { job, done } = await planHere(this.store, this.folder, {
      ...sorted,
      ...{ loaded: this.#loaded, runs, baseUrl: this.baseUrl },
      run: ({ request, ...order }) => {
        const client = { run: async () => this.#respond(String(request.input.id)) };
        const parts = {
          client: async () => client as unknown as ServiceClient,
          guard: { admit: () => admission } as unknown as Guard,
          jobRuns: this.#jobRuns,
        };
        const environment = { name: 'test', baseUrl: this.baseUrl };
        return performJobRun(parts, { ...order, request, environment, timeoutMs: 0 });
      },
    });
    job.start();
    await done;
  }

  #respond(id: string): RunResponse {
    const ending = this.endings[this.#sent % this.endings.length]!;
    const runId = `${id} ${this.#sent++}`;
    const { state, cents, known } = ending;
    if (state === 'lost') throw new ServiceError('outcomeUnknown');
    const { cost: _, ...response } = answered;
    if (known !== 'atOnce') this.#due.push({ runId, ending });
    return { ...response, state, runId, ...(known === 'atOnce' && { cost: moneyOf(cents) }) };
  }

  /** Reports the cost of these runs in the service's activity. */
  async receipts(known: Ending['known']): Promise<void> {
    const runs = this.#due.flatMap(({ runId, ending }) => {
      const run = this.store.jobRuns.withRunId(this.baseUrl, runId);
      return run && ending.known === known ? [{ ...run, cost: moneyOf(ending.cents) }] : [];
    });
    await this.#jobRuns.put(runs);
    await noteLateCosts(this.store, runs);
  }

  /** Of the history: in all, and of the runs of each column. */
  history(): { readonly all: number; readonly columns: readonly number[] } {
    const runs = this.store.jobRuns.list().filter(({ baseUrl }) => baseUrl === this.baseUrl);
    const sum = (ids: ReadonlySet<string>) =>
      centsOf(runs.flatMap(({ runId, cost }) => (cost && ids.has(runId!.split(' ')[0]!) ? [cost] : [])));
    const idsOf = (column?: number) =>
      new Set(
        this.runs
          .filter(({ serves }) => column === undefined || serves.some((one) => one.variation === column))
          .map(({ customId }) => customId),
      );
    return { all: sum(idsOf()), columns: Array.from({ length: COLUMNS }, (_, at) => sum(idsOf(at))) };
  }

  /** Of the experiment, as its table has it. */
  async table(): Promise<{ readonly all: number; readonly columns: readonly number[] }> {
    const { results, costs } = readResults(await readFile(resultsIn(this.folder), 'utf8'));
    const known = new Map(results.map((line) => [line.custom_id, line]));
    const table = new ExperimentTable(this.#loaded.plan, known, comparingOf(undefined), [], costs);
    return { all: centsOf(paidInAll(table)), columns: paidByColumn(table).map(({ cost }) => centsOf(cost)) };
  }
}

describe('The cost of an experiment, by its table', () => {
  const use = useStoreFolder();

  it('equals the sum of its runs in the history, in all and by column', async () => {
    const store = await use.open();
    let round = 0;
    const seen = { late: 0, retried: 0, shared: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(places, { minLength: 1, maxLength: 5 }),
        fc.array(ending, { minLength: 3, maxLength: 9 }),
        fc.array(start, { minLength: 1, maxLength: 4 }),
        async (runs, endings, starts) => {
          const name = `${++round}`;
          const cells = runs.map((serves, at) => runWithId(`run-${at}`, serves));
          const own = await mkdtemp(path.join(use.folder, 'round-'));
          const played = new Played(store, own, `https://${name}.test`, cells, endings);
          for (const one of starts) {
            await played.start(one);
            assert.deepEqual(await played.table(), played.history(), 'before receipts');
            const before = played.history().all;
            await played.receipts('later');
            if (played.history().all > before) seen.late += 1;
            assert.deepEqual(await played.table(), played.history(), 'after receipts');
          }
          await played.receipts('last');
          const { all, columns } = played.history();
          assert.deepEqual(await played.table(), { all, columns }, 'at the end');
          if (all < columns.reduce((sum, cents) => sum + cents, 0)) seen.shared += 1;
          if (
            store.jobRuns.list().filter(({ baseUrl }) => baseUrl.includes(`/${name}.`)).length > cells.length
          )
            seen.retried += 1;
        },
      ),
      { numRuns: 25 },
    );
    // Experiments without any of these prove nothing.
    assert.ok(seen.late > 2 && seen.retried > 2 && seen.shared > 2, JSON.stringify(seen));
  });
});
