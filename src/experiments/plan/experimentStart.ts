import type { Store } from '../../store/store';
import type { LoadedExperiment } from '../file/load';
import { withRunsOfJudges } from '../results/recordedTable';
import type { RunningExperiment } from './experimentJobs';
import { judgesRuns, type PlannedRun } from './plan';
import { decidedRuns, type KnownRunChoices, type SortedRuns } from './wantedRuns';

/** The questions about runs, and their job, of a window, a terminal or an agent. */
export interface StartPorts extends KnownRunChoices {
  /**
   * The runs to perform, after any question; the job waits for the outcomes of those among them that are under way.
   * Undefined: they were not wanted.
   */
  choose(sorted: SortedRuns): Promise<readonly PlannedRun[] | undefined>;
  /** Plans the job of these runs; its start sends the first. */
  plan(sorted: SortedRuns, runs: readonly PlannedRun[]): Promise<RunningExperiment>;
}

export interface StartOrder {
  readonly store: Store;
  /** It has no judges where these are not to be run. */
  readonly loaded: LoadedExperiment;
  /** Absolute path of the results file. */
  readonly results: string;
  /** Whether a run is one of those to perform; missing: all are. */
  readonly isOurs?: (run: PlannedRun) => boolean;
}

/** The one way from an experiment to its runs: known outcomes, question, job, and then the same for its judges. */
export class ExperimentStart {
  /** As sorted at last, with the judges' runs that were known then. */
  #loaded: LoadedExperiment;

  constructor(
    private readonly order: StartOrder,
    private readonly ports: { readonly runs: StartPorts; readonly judges: StartPorts },
  ) {
    this.#loaded = order.loaded;
  }

  /**
   * The runs without a result, those of judges among them. Undefined: there is nothing to run, or it was not wanted.
   * @throws UnreadableLines where runs are missing, and a line of the file may be one of them
   */
  async runs(): Promise<RunningExperiment | undefined> {
    const { loaded, results, isOurs = () => true } = this.order;
    const judged = await withRunsOfJudges(loaded, results);
    return this.#start(judged, judged.plan.runs.filter(isOurs), this.ports.runs);
  }

  /** The judges' runs that the results have led to since; otherwise like `runs`, which comes before. */
  async judges(): Promise<RunningExperiment | undefined> {
    const known = new Set(judgesRuns(this.#loaded.plan).map(({ customId }) => customId));
    const after = await withRunsOfJudges(this.#loaded, this.order.results);
    const later = judgesRuns(after.plan).filter(({ customId }) => !known.has(customId));
    return later.length === 0 ? undefined : this.#start(after, later, this.ports.judges);
  }

  async #start(
    loaded: LoadedExperiment,
    runs: readonly PlannedRun[],
    ports: StartPorts,
  ): Promise<RunningExperiment | undefined> {
    const sorted = await decidedRuns(this.order.store, loaded, this.order.results, ports, runs);
    if (!sorted) return undefined;
    this.#loaded = sorted.loaded;
    const chosen = await ports.choose(sorted);
    return chosen && chosen.length > 0 ? ports.plan(sorted, chosen) : undefined;
  }
}
