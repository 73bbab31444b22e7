import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunResponse } from '../../../src/domain/response';
import type { ExperimentPorts } from '../../../src/experiments/experimentWork';
import type { LoadedExperiment } from '../../../src/experiments/load';
import type { PlannedRun } from '../../../src/experiments/plan';
import type { ResultLine } from '../../../src/experiments/resultLine';
import { restoreResults, type SortedRuns, sortRuns } from '../../../src/experiments/wantedRuns';
import { ServiceError } from '../../../src/service/errors';
import { openStore, type Store } from '../../../src/store/store';
import { Random } from '../../simulation/random';
import { answered } from '../runsInMemory';
import { loadedOf, planHere, resultsIn, runWithId } from './plannedRuns';

/** The result of one order of events. */
export interface PlayedOrder {
  readonly seed: number;
  readonly sent: number;
  readonly kills: number;
  readonly unconfirmed: number;
  /** Runs that a process wanted and left to another one. */
  readonly elsewhere: number;
  /** Runs that were sent and are not known to be, or whose response came and is not kept. */
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
}

type Send = ExperimentPorts['run'];
type Ending = 'finished' | 'failed' | 'responseLost' | 'notExecuted';

/** Where a process ends: at which of its runs, and how far that was, or at which change of its store. Missing: it lives. */
interface Death {
  readonly run: number;
  readonly when: 'beforeSending' | 'executed' | 'responded' | 'saving';
}

/** A process sees another one's silence this many times faster than the clock. */
const CLOCK = 50;
const LONGEST_PAUSE_MS = 12;
/** Looks of the last process at the other's remains. */
const ROUNDS = 20;

let pids = 1_000_000;

/** One experiment on two stores and one results file; the seed decides the order of starts, ends and kills. */
export async function playOrder(seed: number, folder: string): Promise<PlayedOrder> {
  const order = new Order(new Random(seed), folder);
  await mkdir(folder, { recursive: true });
  try {
    return { seed, ...(await order.play()) };
  } finally {
    await order.close();
    await rm(folder, { recursive: true, force: true });
  }
}

class Order {
  readonly #cells: readonly PlannedRun[];
  readonly #loaded: LoadedExperiment;
  readonly #results: string;
  readonly #alive = new Set<number>();
  readonly #stores: Store[] = [];
  readonly #executed = new Map<string, number>();
  /** Responses that a process had which was not killed. */
  readonly #received = new Map<string, 'finished' | 'failed'>();
  #kills = 0;
  #wanted = 0;
  #sent = 0;

  constructor(
    private readonly random: Random,
    private readonly folder: string,
  ) {
    this.#results = resultsIn(folder);
    this.#cells = Array.from({ length: random.int(2, 8) }, (_, n) => runWithId(`run-${n}`));
    this.#loaded = loadedOf(this.#cells);
  }

  async play(): Promise<Omit<PlayedOrder, 'seed'>> {
    const starts = Array.from({ length: this.random.int(2, 5) }, (_, n) => this.random.of(n));
    await Promise.all(
      starts.map(async (random) => {
        await delay(random.int(0, 40));
        const death: Death | undefined = random.chance(0.5)
          ? random.pick<Death>([
              { run: random.int(1, 4), when: random.pick(['beforeSending', 'executed', 'responded']) },
              { run: random.int(1, 16), when: 'saving' },
            ])
          : undefined;
        await this.#process(random.pick(['one', 'other']), random, death);
      }),
    );
    const elsewhere = this.#wanted - this.#sent;
    // Both go on without trouble, and then a clone of the repository, which has the results file only.
    let last: SortedRuns | undefined;
    for (const store of ['one', 'other', 'clone'])
      for (let round = 0; round < ROUNDS; round++) {
        last = await this.#process(store, this.random.of(99, round), undefined);
        if (last && last.missing.length === 0) break;
        await delay(10);
      }
    const stateOf = ({ customId }: PlannedRun) =>
      last?.failed.some((cell) => cell.customId === customId)
        ? 'failed'
        : last?.unconfirmed.some((cell) => cell.customId === customId)
          ? 'unconfirmed'
          : last?.missing.some((cell) => cell.customId === customId)
            ? 'missing'
            : 'finished';
    const states = new Map(this.#cells.map((cell) => [cell.customId, stateOf(cell)]));
    const times = (id: string) => this.#executed.get(id) ?? 0;
    const ofOthers = await unconfirmedByOthers(this.#results);
    const ids = [...states.keys()];
    return {
      sent: ids.reduce((sum, id) => sum + times(id), 0),
      ...{ kills: this.#kills, elsewhere },
      unconfirmed: [...states.values()].filter((state) => state === 'unconfirmed').length,
      doubled: ids.filter((id) => times(id) > 1).map((id) => `${id} was executed ${times(id)} times`),
      lost: [
        ...ids.filter((id) => states.get(id) === 'missing').map((id) => `${id} was never run`),
        ...[...this.#received]
          .filter(([id, state]) => state !== states.get(id) && !(state === 'failed' && ofOthers.has(id)))
          .map(([id, state]) => `${id} ${state}, and is ${states.get(id)}`),
        ...ids
          .filter((id) => states.get(id) === 'finished' && times(id) === 0)
          .map((id) => `${id} is finished and was never executed`),
      ],
    };
  }

  async close(): Promise<void> {
    for (const store of this.#stores) {
      // A killed one's writes come back, to close its file.
      Reflect.deleteProperty(store.database, 'write');
      await store.close();
    }
  }

  /**
   * The actions of a window or terminal: it looks, sends missing runs, and ends. Undefined: it was killed, or others
   * work on it.
   */
  async #process(name: string, random: Random, death: Death | undefined): Promise<SortedRuns | undefined> {
    const pid = pids++;
    this.#alive.add(pid);
    const store = await openStore(path.join(this.folder, name), {
      owner: {
        ...{ pid, beatEveryMs: 10 },
        isAlive: (other) => this.#alive.has(other),
        now: () => performance.now() * CLOCK,
      },
    });
    this.#stores.push(store);
    const isAlive = () => this.#alive.has(pid);
    let end = () => {};
    const killed = new Promise<undefined>((resolve) => {
      end = () => resolve(undefined);
    });
    const kill = () => {
      if (!isAlive()) return;
      this.#alive.delete(pid);
      this.#kills++;
      // Writes of a dead process are dropped.
      store.database.write = () => new Promise(() => {});
      end();
    };
    if (death?.when === 'saving') {
      const save = store.database.write.bind(store.database);
      let changes = 0;
      store.database.write = (change) => {
        if (++changes === death.run) kill();
        return isAlive() ? save(change) : new Promise(() => {});
      };
    }
    const run = this.#sending(random, death, kill, isAlive);
    const sorted = await Promise.race([killed, this.#work(store, run)]);
    if (sorted) {
      this.#alive.delete(pid);
      this.#stores.splice(this.#stores.indexOf(store), 1);
      await store.close();
    }
    return sorted;
  }

  async #work(store: Store, run: Send): Promise<SortedRuns> {
    let sorted = await sortRuns(store, this.#loaded, this.#results);
    if (sorted.lost.length > 0) {
      await restoreResults(store, this.#results, sorted.lost);
      sorted = await sortRuns(store, this.#loaded, this.#results);
    }
    const runs = [...sorted.missing, ...sorted.underWay];
    if (runs.length === 0) return sorted;
    this.#wanted += runs.length;
    const { job, done } = await planHere(store, this.folder, {
      ...sorted,
      ...{ loaded: this.#loaded, runs, run },
    });
    job.start();
    await done;
    return sortRuns(store, this.#loaded, this.#results);
  }

  #sending(random: Random, death: Death | undefined, kill: () => void, isAlive: () => boolean): Send {
    let runs = 0;
    const never = new Promise<never>(() => {});
    return async ({ request }) => {
      const id = String(request.input.id);
      const nth = ++runs;
      const ending: Ending = random.chance(0.7)
        ? 'finished'
        : random.pick<Ending>(['failed', 'responseLost', 'notExecuted']);
      const pauses = [random.int(0, LONGEST_PAUSE_MS), random.int(0, LONGEST_PAUSE_MS)] as const;
      const dieIf = (when: Death['when']) => {
        if (isAlive() && death?.run === nth && death.when === when) kill();
        return isAlive() ? undefined : never;
      };
      await dieIf('beforeSending');
      await delay(pauses[0]);
      await dieIf('beforeSending');
      if (ending === 'notExecuted') throw new ServiceError('unreachable');
      this.#sent++;
      this.#executed.set(id, (this.#executed.get(id) ?? 0) + 1);
      await dieIf('executed');
      await delay(pauses[1]);
      await dieIf('executed');
      if (ending === 'responseLost') throw new ServiceError('outcomeUnknown');
      if (death === undefined) this.#received.set(id, ending);
      // A process that dies right behind its response may have saved it.
      if (death?.run === nth && death.when === 'responded') setTimeout(kill, random.int(0, 5));
      return responseOf(ending, id);
    };
  }
}

function responseOf(state: 'finished' | 'failed', runId: string): RunResponse {
  return { ...answered, state, runId };
}

/**
 * Runs that a killed process also wanted, without time to leave them to the first in the file: when they failed, they
 * may count as unconfirmed, and the user decides.
 */
async function unconfirmedByOthers(file: string): Promise<ReadonlySet<string>> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as ResultLine)));
  const of = (wanted: string) => lines.filter(({ state }) => (state as string) === wanted);
  const isReturned = ({ custom_id: id, started_at: at }: ResultLine) =>
    of('returned').some((one) => one.custom_id === id && one.started_at === at);
  return new Set(
    of('unconfirmed')
      .filter((one) => !isReturned(one))
      .map(({ custom_id: id }) => id),
  );
}
