import type { Money } from '../../domain/money';
import { readMeasured } from '../comparedFiles';
import { isOfDriftCheck } from '../driftFile';
import { shownBodyPath } from '../files/bodies';
import { type Variation, variationKey } from '../grid';
import type { JudgementLine } from '../judgements';
import type { ResultLine } from '../resultLine';
import { resultFiles } from '../resultLine';
import type { ReadResults } from '../results';
import { itemSha256 } from '../runId';
import { ExperimentTable, type PlacedRun } from './table';

/** Results from another time, file or environment that the columns of a table are compared with. */
export interface OtherResults {
  /** Names them in heads: "2 Mar 2026, a1b2c3d". */
  readonly label: string;
  /** Absolute path of a results file beside which the files of long results are. */
  readonly file: string;
  readonly read: Pick<ReadResults, 'results' | 'costs' | 'judgements'>;
  /** Brings files of results beside `file`, where they are elsewhere. @param names as lines name them */
  bring?(names: readonly string[]): Promise<void>;
}

/** A column of other results. */
export interface OtherColumn {
  readonly column: number;
  readonly of: OtherResults;
  /** The columns of the experiment that are compared with it: empty where it has other values. */
  readonly pairs: readonly number[];
}

/** Columns of results with other values than those of the experiment. */
const MOST_UNPAIRED = 20;

/**
 * Which earlier results a column is compared with: those of the same values, or all of them where they are of one
 * variation that no column has, since then it is the run itself that has changed.
 * @param variations of the experiment
 * @returns the key of the earlier variation by column; undefined: there are none
 */
export function earlierVariations(
  variations: readonly Variation[],
  earlier: readonly Pick<ResultLine, 'variation'>[],
): (string | undefined)[] {
  const known = new Set(earlier.map(({ variation }) => variationKey(variation)));
  const keys = variations.map(variationKey);
  const [first] = known;
  const only = known.size === 1 && !keys.includes(first!) ? first : undefined;
  return keys.map((key) => (known.has(key) ? key : only));
}

interface TableWithOthers {
  readonly table: ExperimentTable;
  readonly columns: readonly OtherColumn[];
  /** Results with files that are not there. */
  readonly missing: ReadonlyMap<OtherResults, number>;
}

/**
 * The table with further columns of other results behind its own. A result belongs to a row by the identity of its
 * input, so that it stays with it when rows are inserted, deleted or sorted.
 */
export async function tableWith(
  own: ExperimentTable,
  others: readonly OtherResults[],
): Promise<TableWithOthers> {
  const { plan, comparing } = own;
  const variations = [...plan.variations];
  const runs = [...plan.runs];
  const results = new Map(own.results);
  const paid = new Map<string, readonly Money[]>(own.paid);
  const judgements: JudgementLine[] = [...own.judgements];
  const columns: OtherColumn[] = [];
  const missing = new Map<OtherResults, number>();
  const places = new RowPlaces(own);
  for (const other of others) {
    const keys = earlierVariations(plan.variations, other.read.results);
    const lines = latestLines(other.read.results);
    const paired = [...lines.keys()].filter((key) => keys.includes(key));
    const shown = paired.length > 0 ? paired : [...lines.keys()].slice(0, MOST_UNPAIRED);
    const judged = byRun(other.read.judgements);
    const placed: ResultLine[] = [];
    for (const key of shown) {
      const column = variations.length;
      const pairs = [...keys.keys()].filter((one) => keys[one] === key);
      columns.push({ column, of: other, pairs });
      variations.push([...lines.get(key)!.values()][0]!.variation);
      for (const line of lines.get(key)!.values()) {
        const rows = places.rowsOf(line, pairs);
        if (rows.length === 0) continue;
        // Runs of the experiment itself may have the same ID.
        const id = `${column} ${line.custom_id}`;
        const run: PlacedRun = {
          ...{ customId: id, repeat: line.repeat },
          serves: rows.map((item) => ({ variation: column, item })),
        };
        const renamed = { ...line, custom_id: id };
        runs.push(run);
        results.set(id, renamed);
        placed.push(renamed);
        const costs = other.read.costs.get(line.custom_id);
        if (costs) paid.set(id, costs);
        for (const judgement of judged.get(line.custom_id) ?? [])
          judgements.push({ ...judgement, custom_id: id });
      }
    }
    await other.bring?.(placed.flatMap(resultFiles));
    const isAway = (name: string) => shownBodyPath(other.file, name) === undefined;
    const away = placed.filter((line) => resultFiles(line).some(isAway)).length;
    if (away > 0) missing.set(other, away);
    await readMeasured(other.file, placed, comparing);
  }
  const pairs = new Map(columns.flatMap(({ column, pairs: of }) => of.map((one) => [one, column] as const)));
  const later = new Set(columns.filter(({ of }) => isOfDriftCheck(of.file)).map(({ column }) => column));
  const whole = { ...plan, variations, runs, others: { first: plan.variations.length, pairs, later } };
  const table = new ExperimentTable(whole, results, comparing, judgements, paid, own.judging);
  return { table, columns, missing };
}

/** The rows of a table by the identities of their inputs. */
class RowPlaces {
  readonly #rows = new Map<string, number[]>();
  readonly #cells: ReadonlyMap<string, PlacedRun>;

  constructor({ plan: { items, runs } }: ExperimentTable) {
    for (const [row, item] of items.entries()) {
      if (item.isGone) continue;
      const hash = itemSha256(item);
      this.#rows.set(hash, [...(this.#rows.get(hash) ?? []), row]);
    }
    this.#cells = new Map(runs.map((run) => [run.customId, run]));
  }

  /** @param pairs lines of older versions lack the identity: they belong to the rows of the same run in these columns */
  rowsOf({ item_sha256: hash, custom_id: id }: ResultLine, pairs: readonly number[]): readonly number[] {
    if (hash !== undefined) return this.#rows.get(hash) ?? [];
    const serves = this.#cells.get(id)?.serves ?? [];
    return serves.filter(({ variation }) => pairs.includes(variation)).map(({ item }) => item);
  }
}

/** By variation, then by input and repeat: of several lines, as after the run was changed, the latest counts. */
function latestLines(results: readonly ResultLine[]): Map<string, Map<string, ResultLine>> {
  const lines = new Map<string, Map<string, ResultLine>>();
  for (const line of results) {
    const key = variationKey(line.variation);
    const own = lines.get(key) ?? new Map<string, ResultLine>();
    lines.set(key, own);
    const place = `${line.item_sha256 ?? line.custom_id} ${line.repeat}`;
    const known = own.get(place);
    if (!known || (line.started_at ?? '') >= (known.started_at ?? '')) own.set(place, line);
  }
  return lines;
}

function byRun(judgements: readonly JudgementLine[]): ReadonlyMap<string, readonly JudgementLine[]> {
  const judged = new Map<string, JudgementLine[]>();
  for (const line of judgements) judged.set(line.custom_id, [...(judged.get(line.custom_id) ?? []), line]);
  return judged;
}
