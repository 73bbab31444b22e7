import * as l10n from '@vscode/l10n';
import { addAll } from '../../domain/many';
import type { ExperimentFile } from '../file/format';
import type { LoadedExperiment } from '../file/load';
import { differentItems } from '../file/sample';
import { betterOf, type Metric, type MetricName, setupFault } from '../metrics/metrics';
import { gridRuns, type PlannedRun } from '../plan/plan';
import { readCompared } from '../results/comparedFiles';
import { comparedValue, comparingOf, isHeld, isInLine, UNREADABLE } from '../results/measuredValue';
import type { ResultLine } from '../results/resultLine';
import { hitsIn, hitsValue } from '../table/comparedItems';
import { measureOutcome } from '../table/measureRun';
import { EarlyStop, type Ended, type StopValue } from './evidence';

/** The metric and the confidence: see `stop` of an experiment. */
type Stop = NonNullable<ExperimentFile['stop']>;

type WatchedRun = Pick<PlannedRun, 'customId' | 'repeat' | 'serves'>;

/**
 * The columns of an experiment that have ended, by the results so far: the same in a window, in a terminal and on
 * another machine with the same file. Of repeats only the first is compared, and of equal inputs one, since they are not
 * independent.
 */
export class StopWatch {
  readonly #metric: Metric;
  readonly #lines = new Map<string, ResultLine>();
  readonly #waiting: ResultLine[] = [];
  /** Of first repeats, by place. */
  readonly #cells = new Map<number, WatchedRun>();
  readonly #byId: ReadonlyMap<string, WatchedRun>;
  readonly #columns: number;
  readonly #comparing: ReturnType<typeof comparingOf>;
  readonly #stop: EarlyStop;

  /** Undefined: the experiment runs all columns to their end. @param results absolute path of the results file */
  static of(loaded: LoadedExperiment, results: string): StopWatch | undefined {
    const { stop } = loaded.experiment;
    return stop && loaded.plan.variations.length > 1 ? new StopWatch(loaded, stop, results) : undefined;
  }

  private constructor(
    private readonly loaded: LoadedExperiment,
    { metric, confidence }: Stop,
    private readonly results: string,
  ) {
    const { plan, experiment, metrics } = loaded;
    this.#metric = metrics.find(({ name }) => name === metric) ?? {
      name: metric as MetricName,
      tolerance: 0,
    };
    this.#columns = plan.variations.length;
    this.#comparing = comparingOf(experiment);
    // Without the service, no run can be sent, and its results count all the same.
    const grid = [...gridRuns(plan), ...plan.unsent.filter(({ isRejected }) => !isRejected)];
    this.#byId = new Map(grid.map((run): [string, WatchedRun] => [run.customId, run]));
    for (const cell of grid)
      if (cell.repeat === 0)
        for (const { variation, item } of cell.serves)
          this.#cells.set(item * this.#columns + variation, cell);
    this.#stop = new EarlyStop(this.#columns, confidence, {
      order: differentItems(plan.items, experiment.seed ?? 0),
      value: (row, column) => this.#value(row, column),
      mayEnd: (column) => this.#isMeasured(column),
    });
  }

  get ended(): ReadonlyMap<number, Ended> {
    return this.#stop.ended;
  }

  /** Whether a run is left out: all columns that show it have ended. */
  isEnded({ customId }: Pick<PlannedRun, 'customId'>): boolean {
    return this.#byId.get(customId)?.serves.every(({ variation }) => this.ended.has(variation)) === true;
  }

  /** Takes further outcomes; those in files of their own are read. */
  async read(lines: readonly ResultLine[]): Promise<void> {
    await readCompared(this.results, lines, this.#comparing.at);
    this.add(lines);
  }

  /** Takes further outcomes while runs go on: those in files of their own once these are written. */
  async follow(lines: readonly ResultLine[]): Promise<void> {
    const { at } = this.#comparing;
    const waiting = [...this.#waiting.splice(0), ...lines];
    await readCompared(this.results, waiting, at);
    const isThere = (line: ResultLine) => line.state !== 'finished' || isInLine(line, at) || isHeld(line, at);
    addAll(
      this.#waiting,
      waiting.filter((line) => !isThere(line)),
    );
    this.add(waiting.filter(isThere));
  }

  /** Takes further outcomes that have been read. */
  add(lines: readonly ResultLine[]): void {
    const columns = new Set<number>();
    for (const line of lines) {
      this.#lines.set(line.custom_id, line);
      for (const { variation } of this.#byId.get(line.custom_id)?.serves ?? []) columns.add(variation);
    }
    for (const column of columns) this.#stop.look(column);
  }

  #value(row: number, column: number): StopValue {
    const run = this.#cells.get(row * this.#columns + column);
    if (!run) return 'none';
    const line = this.#lines.get(run.customId);
    if (!line) return undefined;
    const { expected, relevance } = this.loaded.plan.items[row]!;
    const value =
      'hits' in this.#metric
        ? hitsValue(hitsIn(line, relevance, this.#comparing, this.#metric))
        : measureOutcome(line, expected, this.#comparing, this.#metric);
    if (value === undefined || value === UNREADABLE) return 'none';
    return betterOf(this.#metric) === 'higher' ? value : -value;
  }

  /** False: no result of the column can be compared, as with a wrong `at`. */
  #isMeasured(column: number): boolean {
    const { at, isText } = this.#comparing;
    const items = this.loaded.plan.items.flatMap(({ name, expected }, row) => {
      const line = this.#lines.get(this.#cells.get(row * this.#columns + column)?.customId ?? '');
      if (line?.state !== 'finished') return [];
      const value = comparedValue(line, at);
      return [{ item: name, expected, isText, got: [value === UNREADABLE ? undefined : value] }];
    });
    return setupFault(this.#metric, items) === undefined;
  }
}

/** Why each ended column was ended, by column. @param names of all columns */
export function endedTexts(
  watch: StopWatch | undefined,
  names: readonly string[],
): ReadonlyMap<number, string> {
  return new Map(
    [...(watch?.ended ?? [])].map(([column, { rival, wins, losses, inputs }]) => [
      column,
      l10n.t(
        'ended early after {0} inputs: {1} is better, right alone on {2} of them and wrong alone on {3}',
        ...[inputs, names[rival] ?? '', wins, losses],
      ),
    ]),
  );
}
