import type { Variation } from '../grid';
import { cellsOf } from '../grid';
import type { ExperimentItem } from '../items';
import { type Judged, type JudgementLine, judgedRuns } from '../judgements';
import type { ResultLine } from '../results';
import { outcomeIn, scoreIn } from './lineReadings';
import type { Outcome } from './outcome';

/** What the table needs of a plan: also made without contracts, where results are found by their place. */
export interface TablePlan {
  readonly variations: readonly Variation[];
  readonly items: readonly ExperimentItem[];
  readonly cells: readonly PlannedRun[];
}

interface PlannedRun {
  readonly customId: string;
  readonly repeat: number;
  readonly serves: readonly { readonly variation: number; readonly item: number }[];
}

/** One run of a cell; without a line it has not run yet. */
export interface CellRun {
  readonly customId: string;
  readonly repeat: number;
  readonly line?: ResultLine;
}

/**
 * The plan with the results of runs that could not be planned (a model whose contract is not known): those are found
 * by variation, item and repeat. Runs that have neither a plan nor a result get an ID that no result has.
 */
export function withPlaces(
  plan: TablePlan,
  size: {
    readonly repeats: number;
    readonly sample?: { readonly count: number; readonly seed: number } | undefined;
  },
  results: ReadonlyMap<string, ResultLine>,
): TablePlan {
  const { variations, items, cells } = plan;
  const planned = new Set(
    cells.flatMap(({ repeat, serves }) => serves.map((place) => placeKey({ ...place, repeat }))),
  );
  const grid = { variations: variations.length, items: items.length, repeats: size.repeats };
  const unplanned = cellsOf(grid, size.sample).filter((place) => !planned.has(placeKey(place)));
  if (unplanned.length === 0) return plan;
  const byPlace = new Map(
    [...results.values()].map((line) => [nameKey(line.variation, line.item, line.repeat), line.custom_id]),
  );
  const keys = variations.map((variation) => JSON.stringify(sorted(variation)));
  const added = unplanned.map(({ variation, item, repeat }): PlannedRun => {
    const key = `${keys[variation]} ${repeat} ${items[item]!.name}`;
    const customId = byPlace.get(key) ?? `unplanned ${variation} ${item} ${repeat}`;
    return { customId, repeat, serves: [{ variation, item }] };
  });
  return { variations, items, cells: [...cells, ...added] };
}

function placeKey(place: {
  readonly variation: number;
  readonly item: number;
  readonly repeat: number;
}): string {
  return `${place.variation} ${place.item} ${place.repeat}`;
}

function nameKey(variation: Variation, item: string, repeat: number): string {
  return `${JSON.stringify(sorted(variation))} ${repeat} ${item}`;
}

function sorted(variation: Variation): [string, unknown][] {
  return Object.entries(variation).sort(([a], [b]) => (a < b ? -1 : 1));
}

const NO_RUNS: readonly CellRun[] = [];

/** Rows × columns of runs. */
export class ExperimentTable {
  /** By place, those that have a run: of a sample most have none. */
  readonly #cells = new Map<number, CellRun[]>();
  readonly #judged: ReadonlyMap<string, Judged>;

  /**
   * @param at JSON pointer to what is compared in a result
   * @param judgements one for each kind and run
   */
  constructor(
    readonly plan: TablePlan,
    readonly results: ReadonlyMap<string, ResultLine>,
    readonly at: string,
    readonly judgements: readonly JudgementLine[] = [],
  ) {
    this.#judged = judgedRuns(judgements, results);
    for (const { customId, repeat, serves } of plan.cells) {
      const line = results.get(customId);
      for (const { variation, item } of serves) {
        const place = item * this.columns + variation;
        const runs = this.#cells.get(place);
        const run = { customId, repeat, ...(line && { line }) };
        if (runs) runs.push(run);
        else this.#cells.set(place, [run]);
      }
    }
  }

  get rows(): number {
    return this.plan.items.length;
  }

  get columns(): number {
    return this.plan.variations.length;
  }

  /** The runs of a cell by repeat; none where a sample leaves the cell out. */
  runs(row: number, column: number): readonly CellRun[] {
    return this.#cells.get(row * this.columns + column) ?? NO_RUNS;
  }

  /** What people say of a run. */
  judged(customId: string): Judged {
    return this.#judged.get(customId) ?? {};
  }

  outcome(line: ResultLine): Outcome {
    return outcomeIn(line, this.at);
  }

  /** Of a label, where the result has one. */
  score(line: ResultLine): number | undefined {
    return scoreIn(line, this.at);
  }
}
