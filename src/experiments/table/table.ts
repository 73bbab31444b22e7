import type { Money } from '../../domain/money';
import type { RunDraft } from '../../domain/run';
import type { ComparedPlace } from '../file/format';
import type { ExperimentItem } from '../file/items';
import type { Labels } from '../file/labels';
import { judgedKey } from '../judges/judgedKey';
import type { JudgeVerdict, Verdicts } from '../judges/verdicts';
import type { Variation } from '../plan/grid';
import { type Judged, type JudgementLine, judgedByAll, type Ratings, ratedRuns } from '../results/judgements';
import { type Comparing, placeIn } from '../results/measuredValue';
import type { ResultLine } from '../results/resultLine';
import { outcomeIn, scoreIn } from './lineReadings';
import type { LineOutcome } from './outcome';

/** A row: an input, or the rest of one that has changed or is gone. */
export interface TableItem extends ExperimentItem {
  readonly isGone?: boolean;
}

/** The parts of a plan that the table needs: see `placedPlan`. */
export interface TablePlan {
  readonly base?: RunDraft;
  readonly variations: readonly Variation[];
  readonly labels?: Labels;
  /** Inputs that are gone come last. */
  readonly items: readonly TableItem[];
  readonly runs: readonly PlacedRun[];
  /** Runs of inputs that are gone: shown with their cost, and never measured. */
  readonly gone?: readonly PlacedRun[];
  /**
   * Columns of other results, see `tableWith`: the first of them, the one that a column is compared with, and those of
   * later runs.
   */
  readonly others?: {
    readonly first: number;
    readonly pairs: ReadonlyMap<number, number>;
    readonly later: ReadonlySet<number>;
  };
}

export interface PlacedRun {
  readonly customId: string;
  readonly repeat: number;
  readonly serves: readonly { readonly variation: number; readonly item: number }[];
  /** The model's contract rejects its request. */
  readonly isRejected?: boolean;
}

/** One run of a cell; without a line it has not run yet. */
export interface CellRun {
  readonly customId: string;
  readonly repeat: number;
  readonly line?: ResultLine;
}

/** The runs of judges by their ID, and their judgements. */
export interface Judging {
  readonly lines: ReadonlyMap<string, ResultLine>;
  readonly verdicts: Verdicts;
}

const NO_JUDGING: Judging = { lines: new Map(), verdicts: new Map() };

const NO_RUNS: readonly CellRun[] = [];
const NO_RATINGS: Ratings = new Map();

/** Rows × columns of runs. */
export class ExperimentTable {
  /** By place. */
  readonly #cells: (CellRun[] | undefined)[];
  /** The IDs of runs of several cells. */
  readonly #shared = new Set<string>();
  readonly #rated: ReadonlyMap<string, Ratings>;
  readonly #judged = new Map<string, Judged>();

  /**
   * @param comparing how results are compared with the expected values
   * @param judgements one for each kind and run
   * @param paid the costs paid for each run, by its ID; missing: the costs of the results alone
   */
  constructor(
    readonly plan: TablePlan,
    readonly results: ReadonlyMap<string, ResultLine>,
    readonly comparing: Comparing,
    readonly judgements: readonly JudgementLine[] = [],
    readonly paid: ReadonlyMap<string, readonly Money[]> = lineCosts(results),
    readonly judging: Judging = NO_JUDGING,
  ) {
    this.#cells = Array.from({ length: plan.items.length * plan.variations.length });
    this.#rated = ratedRuns(judgements, results);
    for (const [id, ratings] of this.#rated) this.#judged.set(id, judgedByAll(ratings));
    for (const { customId, repeat, serves } of [...plan.runs, ...(plan.gone ?? [])]) {
      const line = results.get(customId);
      if (serves.length > 1) this.#shared.add(customId);
      for (const { variation, item } of serves) {
        const place = item * this.columns + variation;
        const runs = this.#cells[place];
        // Spread members take twice the memory.
        const run = line ? { customId, repeat, line } : { customId, repeat };
        if (runs) runs.push(run);
        else this.#cells[place] = [run];
      }
    }
  }

  /** The compared part of a result. */
  get at(): ComparedPlace {
    return this.comparing.at;
  }

  /** JSON pointer to the compared part in the results of a variation. */
  placeIn(variation: Variation): string {
    return placeIn(this.comparing.at, variation);
  }

  /** The number of columns without those of another time, file or environment, which come last. */
  get ownColumns(): number {
    return this.plan.others?.first ?? this.columns;
  }

  /** Whether a column shows results from another time, file or environment. */
  isOther(column: number): boolean {
    return column >= this.ownColumns;
  }

  /** The column that a column is compared with: its own other results, else the baseline. Undefined: none. */
  against(column: number, baseline: number | undefined): number | undefined {
    const pairs = this.plan.others?.pairs;
    const own = pairs?.get(column);
    if (own !== undefined) return own;
    const isOfPair = this.isOther(column) && [...(pairs?.values() ?? [])].includes(column);
    return isOfPair || column === baseline ? undefined : baseline;
  }

  get rows(): number {
    return this.plan.items.length;
  }

  get columns(): number {
    return this.plan.variations.length;
  }

  /** The runs of a cell by repeat; empty where a sample leaves the cell out. */
  runs(row: number, column: number): readonly CellRun[] {
    return this.#cells[row * this.columns + column] ?? NO_RUNS;
  }

  /** Whether several cells ask for a run. */
  isShared(customId: string): boolean {
    return this.#shared.has(customId);
  }

  /** Of a cell's runs, the lines that the file has. */
  lines(row: number, column: number): ResultLine[] {
    return this.runs(row, column).flatMap(({ line }) => line ?? []);
  }

  /** Of a cell's runs, the lines of those that finished. */
  finished(row: number, column: number): ResultLine[] {
    return this.lines(row, column).filter(({ state }) => state === 'finished');
  }

  /** The line of a run of the grid or of a judge. */
  lineOf(customId: string): ResultLine | undefined {
    return this.results.get(customId) ?? this.judging.lines.get(customId);
  }

  /** A judge's judgement of the result of a run, for a row that the run serves. */
  verdict(metric: string, customId: string, item: number): JudgeVerdict | undefined {
    return this.judging.verdicts.get(metric)?.get(judgedKey(customId, item));
  }

  /** Each person's judgements of a run. */
  ratings(customId: string): Ratings {
    return this.#rated.get(customId) ?? NO_RATINGS;
  }

  /** People's judgements of a run: the mean of each kind. */
  judged(customId: string): Judged {
    return this.#judged.get(customId) ?? {};
  }

  /** The costs paid for a run: one for each of its requests, retries included. */
  costs(customId: string): readonly Money[] {
    return this.paid.get(customId) ?? [];
  }

  outcome(line: ResultLine): LineOutcome {
    return outcomeIn(line, this.placeIn(line.variation));
  }

  /** Of a label, where the result has one. */
  score(line: ResultLine): number | undefined {
    return scoreIn(line, this.placeIn(line.variation));
  }
}

function lineCosts(results: ReadonlyMap<string, ResultLine>): ReadonlyMap<string, readonly Money[]> {
  return new Map([...results].flatMap(([id, { cost }]) => (cost ? [[id, [cost]] as const] : [])));
}
