import type { ExperimentItem } from '../file/items';
import { variationKey } from '../plan/grid';
import {
  type ExperimentPlan,
  gridRuns,
  type PlannedRun,
  type UnsentRun,
  withRecordedIds,
} from '../plan/plan';
import { itemSha256 } from '../plan/runId';
import type { ResultLine } from '../results/resultLine';
import type { PlacedRun, TableItem, TablePlan } from './table';

/** Results of the file that are in no cell of the grid. */
export interface StrayResults {
  /** Their input has changed or is gone; they are rows of their own below the inputs. */
  readonly ofGoneInputs: readonly ResultLine[];
  /** Their values are no longer varied, or the run itself has changed. */
  readonly ofOtherRuns: readonly ResultLine[];
}

export interface PlacedPlan {
  readonly plan: TablePlan;
  /** The runs of the grid that can be sent, under the IDs of their results. */
  readonly planned: readonly PlannedRun[];
  readonly strays: StrayResults;
}

/**
 * The grid with the results that belong to it. A result belongs to a run by its request, never by the place of its
 * input; so it stays with its input when rows are inserted, deleted or sorted.
 * @param inputs all of them, those that a sample leaves out too
 */
export function placedPlan(
  { variations, items, unsent, ...plan }: ExperimentPlan,
  results: ReadonlyMap<string, ResultLine>,
  inputs: readonly ExperimentItem[] = items,
): PlacedPlan {
  const all = withRecordedIds<PlannedRun | UnsentRun>([...gridRuns(plan), ...unsent], (id) =>
    results.has(id),
  );
  const runs = new Map(all.map((run) => [run.customId, run]));
  const strays = [...results.values()].filter(({ custom_id: id }) => !runs.has(id));
  const columns = new Map(variations.map((variation, column) => [variationKey(variation), column]));
  const columnOf = ({ variation }: ResultLine) => columns.get(variationKey(variation));
  const known = new Set(strays.length === 0 ? [] : inputs.map(itemSha256));
  const isOfGoneInput = (line: ResultLine) =>
    columnOf(line) !== undefined && !(line.item_sha256 !== undefined && known.has(line.item_sha256));
  const ofGoneInputs = strays.filter(isOfGoneInput);
  const ofOtherRuns = strays.filter((line) => !isOfGoneInput(line));
  const gone = goneRows(ofGoneInputs, items.length, columnOf);
  return {
    plan: {
      variations,
      items: [...items, ...gone.items],
      runs: [...runs.values()],
      gone: gone.runs,
      ...(plan.base && { base: plan.base }),
      ...(plan.labels && { labels: plan.labels }),
    },
    planned: all.filter((run) => 'request' in run),
    strays: { ofGoneInputs, ofOtherRuns },
  };
}

/** A row for each input that is gone, in the order of the results. */
function goneRows(
  lines: readonly ResultLine[],
  firstRow: number,
  columnOf: (line: ResultLine) => number | undefined,
): { readonly items: readonly TableItem[]; readonly runs: readonly PlacedRun[] } {
  const rows = new Map<string, { readonly row: number; readonly item: TableItem }>();
  const runs = lines.map((line): PlacedRun => {
    const key = line.item_sha256 ?? `name ${line.item}`;
    const known = rows.get(key);
    const item: TableItem = { name: line.item, values: {}, files: [], isGone: true };
    const { row } = known ?? { row: firstRow + rows.size };
    if (!known) rows.set(key, { row, item });
    return {
      customId: line.custom_id,
      repeat: line.repeat,
      serves: [{ variation: columnOf(line)!, item: row }],
    };
  });
  return { items: [...rows.values()].map(({ item }) => item), runs };
}
